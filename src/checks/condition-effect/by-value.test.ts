import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";
import { principalValidation } from "../principal-validation.ts";

const never = { issue_type: "condition_never_true" };
const always = { issue_type: "condition_always_true" };
const type = "IDENTITY_POLICY" as const;
const on = (Condition: object, Effect = "Allow") => ({
  Effect,
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
});
const org = "o-a1b2c3d4e5";

checkCases(conditionEffect, [
  ...(
    [
      [
        "Allow",
        "StringEquals",
        "condition_always_true",
        "It holds for every request that has the key, whatever the value is.",
      ],
      [
        "Deny",
        "StringNotEquals",
        "condition_never_true",
        "This Deny stops no request that has the key.",
      ],
      [
        "Allow",
        "StringNotEquals",
        "condition_never_true",
        "This Allow grants nothing to requests that have the key.",
      ],
    ] as const
  ).map(([effect, operator, issue_type, consequence]) => ({
    name: `a key that ${operator} compares with itself in a ${effect}`,
    type,
    statement: on({ [operator]: { "aws:PrincipalOrgID": "${ aws:principalorgid }" } }, effect),
    findings: [
      {
        issue_type,
        message: `\`${operator}\` compares \`aws:PrincipalOrgID\` with itself. ${consequence}`,
        suggestion:
          "Compare with the value that is meant, such as the id of the organization, or with another key: `aws:ResourceOrgID` with `${aws:PrincipalOrgID}`.",
      },
    ],
  })),
  {
    name: "one value that is the key itself among others",
    type,
    statement: on({
      StringEquals: { "aws:PrincipalTag/team": ["red", "${aws:PrincipalTag/team}"] },
    }),
    findings: [always],
  },
  ...[
    "x${aws:PrincipalTag/team}",
    "${aws:PrincipalTag/team}x",
    "${aws:PrincipalTag/team, 'red'}",
  ].map((value) => ({
    name: `a value that is not the key alone: ${value}`,
    type,
    statement: on({ StringEquals: { "aws:PrincipalTag/team": value } }),
    findings: [],
  })),
  {
    name: "an empty list under ForAllValues holds for requests without the key",
    type,
    statement: on({ "ForAllValues:StringEquals": { "aws:TagKeys": [] } }),
    findings: [
      {
        ...always,
        message:
          "`ForAllValues:StringEquals` on `aws:TagKeys` has an empty list, which holds for every request without the key. Requests without the key are not limited by it.",
        suggestion: "List the values that are meant, or remove the entry.",
        aws_issue_code: "EMPTY_ARRAY_CONDITION_FORALLVALUES",
      },
    ],
  },
  ...["StringEquals", "ForAnyValue:StringEquals", "StringEqualsIfExists"].map((operator) => ({
    name: `an empty list under ${operator} is for policy_structure`,
    type,
    statement: on({ [operator]: { "aws:TagKeys": [] } }),
    findings: [],
  })),
  ...(
    [
      ["aws:PrincipalArn", "*", "every value"],
      ["aws:PrincipalArn", "**", "every value"],
      ["aws:PrincipalArn", "arn:aws:iam::*:*", "every role, user and account root"],
      ["aws:PrincipalAccount", "????????????", "every account"],
      ["aws:PrincipalAccount", "1*", null],
      ["aws:PrincipalArn", "arn:aws:iam::111122223333:*", null],
      ["aws:PrincipalArn", "arn:aws:iam::0*:*", null],
    ] as const
  ).map(([key, value, words]) => ({
    name: `a Deny that exempts ${value} in ${key}`,
    type: "SERVICE_CONTROL_POLICY" as const,
    statement: { ...on({ StringNotLike: { [key]: value } }, "Deny"), Action: "*", Resource: "*" },
    findings:
      words === null
        ? []
        : [{ ...never, message: new RegExp(`excludes .*, which is ${words}\\.`) }],
  })),
  ...(
    [
      ["aws:ResourceOrgID", "*", "value"],
      ["aws:ResourceOrgID", "o-*", "organization"],
      ["aws:ResourceOrgPaths", "o-*/*", "organization"],
      ["aws:ResourceOrgPaths", "*/*", "organization"],
      ["aws:ResourceAccount", "?*", "account"],
      ["iam:PassedToService", "*.amazonaws.com", "service"],
    ] as const
  ).map(([key, value, word]) => ({
    name: `an exemption for every ${word} by ${value} leaves requests without ${key}`,
    type,
    statement: { ...on({ StringNotLike: { [key]: value } }, "Deny"), Action: "*", Resource: "*" },
    findings: [
      {
        ...never,
        message: new RegExp(`^\`StringNotLike\` on \`${key}\` excludes .*, which is every ${word}`),
        suggestion: "List the values that are meant to be exempt.",
      },
    ],
  })),
  {
    name: "a star beside the values that are exempt is to be removed",
    type,
    statement: on({ StringNotLike: { "aws:ResourceOrgID": [org, "*"] } }, "Deny"),
    findings: [
      {
        ...never,
        message:
          "`StringNotLike` on `aws:ResourceOrgID` excludes `*`, which is every value, so no request with the key meets it. Only requests without the key meet it.",
        suggestion: "Remove the `*` from the list, so that only the other values are exempt.",
        aws_issue_code: "REDUNDANT_STATEMENT_DUE_TO_WILDCARD_IN_CONDITION",
        path: "/Statement/0/Condition/StringNotLike/aws:ResourceOrgID/1",
      },
    ],
  },
  {
    name: "ForAnyValue with a star that is excluded leaves nothing",
    type,
    statement: on({ "ForAnyValue:StringNotLike": { "aws:TagKeys": "*" } }, "Deny"),
    findings: [{ ...never, message: /so no request with the key meets it\. The condition never/ }],
  },
  ...[
    { StringNotLike: { "aws:RequestTag/team": "*" } },
    { StringNotLike: { "aws:SourceVpce": "**" } },
    { StringNotLike: { "aws:ResourceOrgID": "o-a*" } },
    { StringNotLike: { "iam:PassedToService": "ec2*" } },
    { StringNotLike: { "aws:ResourceAccount": "1*" } },
    { StringNotLike: { "aws:ResourceOrgID": "${aws:PrincipalOrgID}*" } },
    { StringNotEquals: { "aws:PrincipalTag/team": "*" } },
  ].map((Condition) => ({
    name: `a Deny that does not exempt everything: ${JSON.stringify(Condition)}`,
    type,
    statement: on(Condition, "Deny"),
    findings: [],
  })),
  {
    name: "a star on a key that every request has limits nothing",
    type,
    statement: on({ StringLike: { "aws:PrincipalArn": "*" } }),
    findings: [
      {
        ...always,
        message:
          "`StringLike` on `aws:PrincipalArn` holds for every value, because of `*`, and every request has the key. This entry limits nothing.",
        suggestion: "List the values that are meant, or remove the entry.",
        aws_issue_code: null,
      },
    ],
  },
  ...["StringLikeIfExists", "ForAllValues:StringLike"].map((operator) => ({
    name: `a star under ${operator} limits nothing, with the key or without`,
    type,
    statement: on({ [operator]: { "aws:TagKeys": ["team", "*"] } }),
    findings: [
      {
        ...always,
        message: `\`${operator}\` on \`aws:TagKeys\` holds for every value, because of \`*\`, and also without the key. This entry limits nothing.`,
        suggestion:
          'List the values that are meant. To demand only that the key is there, write `"Null": {"<key>": "false"}`.',
        aws_issue_code: "REDUNDANT_KEY_DUE_TO_WILDCARD_IN_CONDITION",
      },
    ],
  })),
  ...[
    {
      name: "that asks for the key",
      statement: on({ StringLike: { "aws:PrincipalTag/team": "*" } }),
    },
    {
      name: "with ForAllValues beside a test for the key",
      statement: on({
        "ForAllValues:StringLike": { "aws:TagKeys": "*" },
        Null: { "aws:TagKeys": "false" },
      }),
    },
    {
      name: "with ForAllValues in a Deny",
      statement: on({ "ForAllValues:StringLike": { "aws:TagKeys": "*" } }, "Deny"),
    },
  ].map(({ name, statement }) => ({
    name: `passes a star ${name}`,
    type,
    statement,
    findings: [],
  })),
  {
    name: "a star on the ARN of callers of a resource, who may have none",
    type: "RESOURCE_POLICY",
    statement: { ...on({ StringLike: { "aws:PrincipalArn": "*" } }), Principal: "*" },
    findings: [],
  },
  {
    name: "one impossible value is named, and how values look",
    type,
    statement: on({ StringEquals: { "aws:ResourceAccount": "11112222333" } }),
    findings: [
      {
        ...never,
        message:
          "`aws:ResourceAccount` never has the value `11112222333`: its values are account ids of 12 digits. The condition never holds, so this Allow grants nothing.",
        suggestion: "Write a value of that form, or test the key that was meant.",
      },
    ],
  },
  {
    name: "several impossible values are named together",
    type,
    statement: on({ StringEquals: { "aws:ResourceAccount": ["1", "2"] } }),
    findings: [
      {
        message: /never has the values `1` and `2`: /,
        suggestion: "Write values of that form, or test the key that was meant.",
      },
    ],
  },
  ...[
    { ArnLike: { "aws:PrincipalArn": "alice" } },
    { StringLike: { "aws:PrincipalArn": "*/alice" } },
    {
      StringEquals: {
        "aws:PrincipalArn": ["${aws:ResourceTag/owner}", "arn:aws:iam::111122223333:role/a"],
      },
    },
  ].map((Condition) => ({
    name: `values that condition_effect leaves alone: ${JSON.stringify(Condition)}`,
    type,
    statement: on(Condition),
    findings: [],
  })),
  {
    name: "a star among the callers that are exempt is left to principal_validation",
    type: "RESOURCE_POLICY",
    peers: [principalValidation],
    statement: {
      ...on({ StringNotLike: { "aws:PrincipalTag/team": ["*", "x"] } }, "Deny"),
      Principal: "*",
    },
    findings: [],
  },
  ...[
    { statement: on({ StringNotLike: { "aws:PrincipalTag/team": ["*", "x"] } }, "Deny"), type },
    {
      statement: on({ StringNotLike: { "aws:PrincipalTag/team": ["*", "x"] } }, "Deny"),
      type: "SERVICE_CONTROL_POLICY" as const,
    },
    {
      statement: {
        ...on({ StringNotLike: { "aws:ResourceTag/team": ["*", "x"] } }, "Deny"),
        Principal: "*",
      },
      type: "RESOURCE_POLICY" as const,
    },
    {
      statement: {
        ...on({ StringNotLike: { "aws:PrincipalTag/team": ["*", "x"] } }),
        Principal: "*",
      },
      type: "RESOURCE_POLICY" as const,
    },
  ].map((one) => ({
    name: `a star that principal_validation does not report: ${one.statement.Effect} in ${one.type} with ${JSON.stringify(one.statement.Condition)}`,
    ...one,
    peers: [principalValidation],
    findings: [never],
  })),
]);
