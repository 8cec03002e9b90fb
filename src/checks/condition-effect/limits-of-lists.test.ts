import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionEffect } from "../condition-effect.ts";

const table = "arn:aws:dynamodb:eu-west-1:111122223333:table/games";
const user = "${www.amazon.com:user_id}";
const get = (Condition: object, Effect = "Allow") => ({
  Effect,
  Action: ["dynamodb:BatchGetItem", "dynamodb:Query"],
  Resource: table,
  Condition,
});
const list = (Condition: object) => ({
  Effect: "Allow",
  Action: "s3:ListBucket",
  Resource: "arn:aws:s3:::reports",
  Condition,
});
const tags = (Effect: string, Condition: object) => ({
  Effect,
  Action: "ec2:CreateTags",
  Resource: "arn:aws:ec2:*:111122223333:instance/*",
  Condition,
});
const tagged = { Null: { "aws:TagKeys": "false" } };
const present = { Null: { "dynamodb:LeadingKeys": "false" } };

checkCases(conditionEffect, [
  {
    name: "ForAnyValue on the keys of a request, of which one listed key is enough",
    statement: get({ "ForAnyValue:StringEquals": { "dynamodb:LeadingKeys": user } }),
    findings: [
      {
        issue_type: "other_values_pass",
        severity: "high",
        condition_key: "dynamodb:LeadingKeys",
        message:
          "`ForAnyValue:StringEquals` holds as soon as one value of `dynamodb:LeadingKeys` in the request is listed. A request can have several, so a caller reaches any other item by adding a listed one.",
        example: /"ForAllValues:StringEquals".*"Null"/s,
      },
    ],
  },
  {
    name: "record names of Route 53 under ForAnyValue, where the key is required",
    statement: {
      Effect: "Allow",
      Action: "route53:ChangeResourceRecordSets",
      Resource: "arn:aws:route53:::hostedzone/Z11111112222222333333",
      Condition: {
        "ForAnyValue:StringLike": {
          "route53:ChangeResourceRecordSetsNormalizedRecordNames": "*.dev.example.com",
        },
        Null: { "route53:ChangeResourceRecordSetsNormalizedRecordNames": "false" },
      },
    },
    findings: [{ issue_type: "other_values_pass", example: /"ForAllValues:StringLike"/ }],
  },
  {
    name: "a Deny of listed tags, which one tag more escapes",
    statement: tags("Deny", { "ForAllValues:StringEquals": { "aws:TagKeys": ["Owner", "Cost"] } }),
    findings: [
      {
        issue_type: "other_values_pass",
        severity: "medium",
        message:
          "`ForAllValues:StringEquals` holds only where every value of `aws:TagKeys` in the request is listed. A request with one value more escapes this Deny.",
        suggestion: "Write `ForAnyValue:StringEquals`.",
      },
    ],
  },
  {
    name: "an Allow without listed tags, which one other tag meets",
    statement: tags("Allow", { "ForAnyValue:StringNotLike": { "aws:TagKeys": "aws-*" } }),
    findings: [
      {
        issue_type: "other_values_pass",
        message: /A request with a listed value passes when it has another one as well\.$/,
        suggestion: "Write `ForAllValues:StringNotLike`.",
      },
    ],
  },
  ...[
    tags("Deny", { "ForAnyValue:StringEquals": { "aws:TagKeys": "Owner" } }),
    tags("Deny", { "ForAllValues:StringNotEquals": { "aws:TagKeys": "Owner" } }),
    tags("Allow", { "ForAllValues:StringNotEquals": { "aws:TagKeys": "Owner" }, ...tagged }),
    tags("Deny", { "ForAllValues:StringEquals": { "aws:TagKeys": "Owner" }, ...tagged }),
    get({ "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": user }, ...present }),
    get({ "ForAnyValue:StringEquals": { "dynamodb:LeadingKeys": "archive" } }, "Deny"),
    get({
      "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": user },
      "ForAnyValue:StringEquals": { "dynamodb:LeadingKeys": user },
    }),
    get({ "ForAnyValue:StringEquals": { "aws:TagKeys": "team" } }),
  ].map((statement) => ({
    name: `accepts ${JSON.stringify(statement.Condition)} in a ${statement.Effect}`,
    statement,
    findings: [],
  })),
  {
    name: "ForAnyValue on several keys: the suggestion asks for the key as well",
    statement: get({ "foranyvalue:StringLike": { "dynamodb:Attributes": ["name", "score"] } }),
    findings: [
      {
        suggestion:
          'Write `ForAllValues:StringLike`, and `"Null": {"dynamodb:Attributes": "false"}` so that the request must have the key.',
        example: /"dynamodb:Attributes": \[\s+"name",\s+"score"\s+\]/,
      },
    ],
  },
  ...[
    get({
      "ForAnyValue:StringNotEquals": { "dynamodb:LeadingKeys": user },
      "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": user },
    }),
    get({ "ForAllValues:StringNotEquals": { "dynamodb:LeadingKeys": user } }),
    get({ "ForAnyValue:StringEquals": { "dynamodb:LeadingKeys": [] } }),
    get({ StringEquals: { "dynamodb:LeadingKeys": user } }),
    get({ "ForAnyValue:Null": { "dynamodb:LeadingKeys": "false" } }),
    tags("Deny", { "ForAllValues:StringLike": { "aws:TagKeys": ["Owner", "**"] } }),
    tags("Deny", { StringEquals: { "aws:TagKeys": "Owner" } }),
    tags("Deny", { "ForAllValues:StringEquals": { "aws:RequestTag/Owner": "a" } }),
    tags("Deny", { "ForAllValues:Null": { "aws:TagKeys": "true" } }),
  ].map((statement) => ({
    name: `without a finding about other items: ${statement.Effect} with ${JSON.stringify(statement.Condition)}`,
    statement,
    findings: [],
  })),
  {
    name: "operators in other letters are written as AWS does",
    statement: tags("Deny", { "forallvalues:StringEquals": { "aws:TagKeys": "Owner" } }),
    findings: [{ suggestion: "Write `ForAnyValue:StringEquals`." }],
  },
  ...[
    list({ StringNotLikeIfExists: { "s3:prefix": "home/ana/*" } }),
    list({ StringLikeIfExists: { "s3:prefix": "home/${aws:username}/*" } }),
    list({ StringLikeIfExists: { "s3:prefix": [] } }),
    list({ StringLikeIfExists: { "s3:delimiter": "/" } }),
    { ...list({ StringLikeIfExists: { "s3:prefix": "home/ana/*" } }), Effect: "Deny" },
  ].map((statement) => ({
    name: `passes ${statement.Effect} of a list with ${JSON.stringify(statement.Condition)}`,
    statement,
    findings: [],
  })),
  {
    name: "a prefix that the caller may leave out",
    statement: list({ StringLikeIfExists: { "s3:prefix": "home/ana/*" } }),
    findings: [
      {
        issue_type: "condition_always_true",
        severity: "high",
        message:
          "Callers choose whether they send `s3:prefix`, and `StringLikeIfExists` holds for requests without it. This Allow lists the whole bucket too.",
        suggestion: "Write `StringLike`, so that the request must have a prefix.",
      },
    ],
  },
  ...[
    { StringLike: { "s3:prefix": "home/ana/*" } },
    { StringLikeIfExists: { "s3:prefix": ["", "home/ana/*"] } },
    { StringLikeIfExists: { "s3:prefix": "home/ana/*" }, Null: { "s3:prefix": "false" } },
  ].map((condition) => ({
    name: `accepts ${JSON.stringify(condition)}`,
    statement: list(condition),
    findings: [],
  })),
]);

checkCases(
  conditionEffect,
  [
    ...(["ForAllValues:StringEquals", "StringEqualsIfExists"] as const).flatMap((operator) =>
      ["dynamodb:Scan", "dynamodb:*"].map((action) => ({
        name: `the keys of the caller's items under ${operator}, beside ${action}`,
        statement: {
          ...get({ [operator]: { "dynamodb:LeadingKeys": user } }),
          Action: ["dynamodb:GetItem", action],
        },
        findings: [
          {
            issue_type: "condition_always_true",
            severity: "high" as const,
            condition_key: "dynamodb:LeadingKeys",
            message: `A scan asks for no single item, so its requests have no \`dynamodb:LeadingKeys\`, and \`${operator}\` holds without the key. With \`${action}\` this Allow reads every item of the table.`,
            example: /"Null": \{\s+"dynamodb:LeadingKeys": "false"/,
          },
        ],
      })),
    ),
    {
      name: "a scan by its name: what to remove",
      statement: {
        ...get({ StringEqualsIfExists: { "dynamodb:LeadingKeys": user } }),
        Action: ["dynamodb:GetItem", "dynamodb:Scan"],
      },
      findings: [
        {
          suggestion:
            'Remove `dynamodb:Scan`, or add `"Null": {"dynamodb:LeadingKeys": "false"}` so that the request must have the key.',
        },
      ],
    },
    {
      name: "a scan by a pattern: what to list",
      statement: {
        ...get({ StringEqualsIfExists: { "dynamodb:LeadingKeys": user } }),
        Action: "dynamodb:*",
      },
      findings: [
        {
          suggestion:
            'List the actions without `dynamodb:Scan`, or add `"Null": {"dynamodb:LeadingKeys": "false"}` so that the request must have the key.',
        },
      ],
    },
    ...[
      { StringEquals: { "dynamodb:LeadingKeys": user } },
      { StringEqualsIfExists: { "dynamodb:LeadingKeys": [] } },
      { StringEqualsIfExists: { "dynamodb:Select": "COUNT" } },
      { "ForAllValues:Null": { "dynamodb:LeadingKeys": "false" } },
    ].map((Condition) => ({
      name: `passes a scan with ${JSON.stringify(Condition)}`,
      statement: { ...get(Condition), Action: "dynamodb:Scan" },
      findings: [],
    })),
    {
      name: "passes a Deny of scans",
      statement: {
        ...get({ StringEqualsIfExists: { "dynamodb:LeadingKeys": user } }, "Deny"),
        Action: "dynamodb:Scan",
      },
      findings: [],
    },
    {
      name: "accepts a scan where the key is required, and where a Deny takes it back",
      statement: [
        {
          ...get({ "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": user }, ...present }),
          Action: ["dynamodb:GetItem", "dynamodb:Scan"],
        },
        {
          ...get({ "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": user } }),
          Action: "dynamodb:*",
          Resource: `${table}-2`,
        },
        { Effect: "Deny", Action: "dynamodb:Scan", Resource: "*" },
      ],
      findings: [],
    },
  ],
  embeddedServices(),
);
