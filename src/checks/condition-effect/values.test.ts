import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const scp = "SERVICE_CONTROL_POLICY" as const;
const deny = { Effect: "Deny", Action: "*", Resource: "*" };
const passRole = {
  Effect: "Allow",
  Action: "iam:PassRole",
  Resource: "arn:aws:iam::111122223333:role/app",
};
const never = "condition_never_true";
const always = "condition_always_true";
const oneOf = "value_never_matches";

const badValues: readonly [operator: string, key: string, values: string[], meant: RegExp][] = [
  ["StringNotEquals", "aws:PrincipalAccount", ["111122223333", "44445555666"], /Correct the value/],
  ["StringNotEquals", "aws:PrincipalAccount", ["111122223333", "4444-5555-6666"], /`444455556666`/],
  ["StringNotEquals", "aws:ResourceOrgID", ["o-a1b2c3d4e5", "r-ab12"], /Correct the value/],
  ["StringNotEquals", "ec2:Owner", ["amazon", "11112222333"], /Correct the value/],
  ["StringEquals", "s3:x-amz-acl", ["public-read", "publicread"], /`public-read`/],
  ["StringNotEquals", "s3:x-amz-server-side-encryption", ["AES256", "SSE-KMS"], /`aws:kms`/],
  ["StringNotEquals", "aws:SourceVpce", ["vpce-0a1b2c3d4e5f6a7b8", "vpc-0a1b2c3d4e5f6a7b8"], /Cor/],
  [
    "ArnNotLike",
    "aws:PrincipalArn",
    ["arn:aws:iam::*:role/AWSReservedSSO_Admin_*", "arn:aws:iam::*:role/admin"],
    /`arn:aws:iam::\*:role\/aws-reserved\/sso.amazonaws.com\/\*AWSReservedSSO_Admin_\*`/,
  ],
];

const perimeter = "o-a1b2c3d4e5";

checkCases(conditionEffect, [
  {
    name: "every organization in place of the own one",
    type: "RESOURCE_CONTROL_POLICY",
    statement: {
      ...deny,
      Principal: "*",
      Action: "s3:*",
      Condition: { StringNotLikeIfExists: { "aws:PrincipalOrgID": "*" } },
    },
    findings: [
      {
        issue_type: never,
        severity: "high",
        message: /excludes `\*`.*Only requests without the key meet it\.$/,
      },
    ],
  },
  {
    name: "a source beside a perimeter of callers, which exempts the own users and roles",
    type: "RESOURCE_CONTROL_POLICY",
    statement: {
      ...deny,
      Principal: "*",
      Action: "kms:Decrypt",
      Condition: {
        StringNotEqualsIfExists: {
          "aws:PrincipalOrgID": perimeter,
          "aws:SourceOrgID": perimeter,
        },
        BoolIfExists: { "aws:PrincipalIsAWSService": "false" },
      },
    },
    findings: [],
  },
]);

const goodValues: readonly [operator: string, key: string, values: string[]][] = [
  ["StringNotEquals", "aws:PrincipalAccount", ["111122223333", "444455556666"]],
  ["StringNotLike", "aws:PrincipalAccount", ["111122223333", "4444*"]],
  ["StringNotEquals", "aws:PrincipalAccount", ["111122223333", "${aws:ResourceAccount}"]],
  ["StringNotEquals", "s3:x-amz-server-side-encryption", ["AES256", "aws:kms:dsse"]],
  ["StringNotEquals", "s3:x-amz-server-side-encryption", ["aws:kms", "aws:newer"]],
  // Authors list the sessions of a role beside it.
  [
    "StringNotLike",
    "aws:PrincipalArn",
    ["arn:aws:iam::*:role/admin", "arn:aws:sts::*:assumed-role/admin/*"],
  ],
  ["StringNotEquals", "aws:PrincipalTag/team", ["a", ""]],
  ["StringNotEquals", "ec2:Owner", ["amazon", "aws-marketplace", "111122223333"]],
];

checkCases(conditionEffect, [
  ...badValues.map(([operator, key, values, suggestion]) => ({
    name: `one value of several that the key never has: ${key} ${values}`,
    type: scp,
    statement: { ...deny, Condition: { [operator]: { [key]: values } } },
    findings: [{ issue_type: oneOf, severity: "high" as const, suggestion }],
  })),
  ...goodValues.map(([operator, key, values]) => ({
    name: `values that the key can have: ${key} ${values}`,
    type: scp,
    statement: { ...deny, Condition: { [operator]: { [key]: values } } },
    findings: [],
  })),
  ...(
    [
      ["ec2:CreateNetworkInterfacePermission", "ec2:AuthorizedService", "codebuild.amazonaws.co"],
      [
        "organizations:RegisterDelegatedAdministrator",
        "organizations:ServicePrincipal",
        "guarduty.amazonaws.com",
      ],
    ] as const
  ).map(([Action, key, value]) => ({
    name: `the name of a service that does not exist: ${key}`,
    statement: {
      Effect: "Deny",
      Action,
      Resource: "*",
      Condition: { StringEquals: { [key]: value } },
    },
    findings: [
      { issue_type: never, severity: "high" as const, message: /no service is called so/ },
    ],
  })),
  ...(["delivery.logs.amazonaws.com", "evnts.amazonaws.com"] as const).map((value, at) => ({
    name: `the name of a service that calls: ${value}`,
    type: "RESOURCE_CONTROL_POLICY" as const,
    statement: {
      ...deny,
      Principal: "*",
      Action: "sqs:*",
      Condition: { StringEquals: { "aws:PrincipalServiceName": value } },
    },
    findings: at === 0 ? [] : [{ issue_type: never, message: /no service is called so/ }],
  })),
  {
    name: "services that exist, in keys of several services",
    statement: [
      ["ec2:CreateNetworkInterfacePermission", "ec2:AuthorizedService", "codebuild.amazonaws.com"],
      [
        "organizations:RegisterDelegatedAdministrator",
        "organizations:ServicePrincipal",
        "member.org.stacksets.cloudformation.amazonaws.com",
      ],
    ].map(([Action, key, value]) => ({
      Effect: "Deny",
      Action,
      Resource: "*",
      Condition: { StringEquals: { [key ?? ""]: value } },
    })),
    findings: [],
  },
  {
    name: "a misspelt service among others",
    statement: {
      ...passRole,
      Condition: {
        StringEquals: { "iam:PassedToService": ["lambda.amazonaws.com", "lamda.amazonaws.com"] },
      },
    },
    findings: [
      {
        issue_type: oneOf,
        message:
          "`iam:PassedToService` never has the value `lamda.amazonaws.com`: no service is called so. The other values can match.",
        suggestion: "Write `lambda.amazonaws.com`.",
        example: /"lambda.amazonaws.com",\s+"lambda.amazonaws.com"/,
      },
    ],
  },
  ...[
    ["lambda.amazonaws.com", "s3.amazonaws.com"],
    ["lambda.amazonaws.com", "lambda.amazonaws.com.cn"],
    ["lambda.amazonaws.com", "new-service.amazonaws.com"],
    ["lambda.amazonaws.com", "${service}.amazonaws.com"],
  ].map((values) => ({
    name: `services that exist or may exist: ${values}`,
    statement: { ...passRole, Condition: { StringLike: { "iam:PassedToService": values } } },
    findings: [],
  })),
  {
    name: "a key that is compared with itself",
    type: scp,
    statement: [
      {
        ...deny,
        Condition: { StringNotEqualsIfExists: { "aws:PrincipalOrgID": "${aws:PrincipalOrgID}" } },
      },
      {
        Effect: "Allow",
        Action: "*",
        Resource: "*",
        Condition: { StringEquals: { "aws:PrincipalTag/team": "${aws:principaltag/team}" } },
      },
    ],
    findings: [
      {
        at: 0,
        issue_type: never,
        severity: "high",
        message:
          "`StringNotEqualsIfExists` compares `aws:PrincipalOrgID` with itself. This Deny stops no request that has the key.",
      },
      {
        at: 1,
        issue_type: always,
        severity: "high",
        message:
          "`StringEquals` compares `aws:PrincipalTag/team` with itself. It holds for every request that has the key, whatever the value is.",
      },
    ],
  },
  {
    name: "a Deny of requests without a key and of some of its values, in one condition",
    statement: [
      {
        ...deny,
        Condition: {
          Null: { "aws:MultiFactorAuthPresent": "true" },
          BoolIfExists: { "aws:MultiFactorAuthPresent": "false" },
        },
      },
      {
        ...deny,
        Condition: {
          StringNotEquals: { "s3:x-amz-server-side-encryption": "aws:kms" },
          Null: { "s3:x-amz-server-side-encryption": "true" },
        },
      },
    ],
    findings: [0, 1].map((at) => ({
      at,
      issue_type: always,
      severity: "high" as const,
      message: /This Deny lets requests with any value of the key pass\.$/,
    })),
  },
  {
    name: "what an impossible value leaves: requests without the key, or all that have it",
    statement: [
      {
        ...passRole,
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::reports/*",
        Condition: { IpAddressIfExists: { "aws:SourceIp": "10.0.0.0/8" } },
      },
      {
        ...deny,
        Condition: {
          "ForAnyValue:StringNotEquals": { "aws:PrincipalOrgPaths": "ou-ab12-11111111" },
        },
      },
    ],
    findings: [
      {
        at: 0,
        issue_type: never,
        message: /private\. `IpAddressIfExists` then holds only for requests without the key\.$/,
      },
      {
        at: 1,
        issue_type: always,
        message: /This entry holds for every request that has the key\.$/,
      },
    ],
  },
  ...[
    { StringNotEqualsIfExists: { "aws:ResourceOrgID": "${aws:PrincipalOrgID}" } },
    { StringNotEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" } },
    { StringNotEquals: { "aws:PrincipalTag/team": "${aws:PrincipalTag/owner}" } },
    { StringNotLike: { "aws:PrincipalTag/team": "${aws:PrincipalTag/team, 'a'}-*" } },
    { "ForAnyValue:StringNotEquals": { "aws:TagKeys": "${aws:TagKeys}" } },
  ].map((Condition) => ({
    name: `a key that is compared with another one: ${JSON.stringify(Condition)}`,
    type: scp,
    statement: { ...deny, Condition },
    findings: [],
  })),
  {
    name: "the ARN of a root user without its account, and a user name where ids are compared",
    type: scp,
    statement: [
      { ...deny, Condition: { StringLike: { "aws:PrincipalArn": "arn:aws:iam:::root" } } },
      { ...deny, Condition: { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam:::role/ad*" } } },
      { ...deny, Condition: { StringNotEquals: { "aws:userid": "alice" } } },
    ],
    findings: [
      { at: 0, issue_type: never },
      { at: 1, issue_type: always },
      { at: 2, issue_type: always, message: /`aws:username` has the name of a user/ },
    ],
  },
  ...[
    { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:root" } },
    {
      ArnLike: {
        "aws:PrincipalArn": [
          "arn:aws:iam::*:role/AWSReservedSSO_Admin_*",
          "arn:aws:iam::*:role/*AWSReservedSSO_Admin_*",
        ],
      },
    },
    { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::????????????:root" } },
    { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::1111*:role/*" } },
    { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*5?:role/app" } },
    { StringNotLike: { "aws:userid": ["AROADBQP57FF2AEXAMPLE:*", "111122223333"] } },
    { StringNotLike: { "aws:userid": "*:alice@example.com" } },
    { StringEquals: { "aws:userid": "anonymous" } },
  ].map((Condition) => ({
    name: `ARNs and ids that callers have: ${JSON.stringify(Condition)}`,
    type: scp,
    statement: { ...deny, Condition },
    findings: [],
  })),
  {
    name: "a star beside the tag value that is exempt",
    type: scp,
    statement: {
      ...deny,
      Condition: { StringNotLike: { "aws:PrincipalTag/role": ["admin", "*"] } },
    },
    findings: [
      {
        issue_type: never,
        severity: "high",
        message:
          "`StringNotLike` on `aws:PrincipalTag/role` excludes `*`, which is every value, so no request with the key meets it. Only requests without the key meet it.",
        example: /\[\s*"admin"\s*\]/,
      },
    ],
  },
  {
    name: "a pattern that matches every service that can receive a role",
    type: scp,
    statement: {
      ...deny,
      Action: "iam:PassRole",
      Condition: { StringNotLike: { "iam:PassedToService": "*.amazonaws.com" } },
    },
    findings: [{ issue_type: never, severity: "high", message: /, which is every service, / }],
  },
  {
    name: "a pattern that matches some services",
    type: scp,
    statement: {
      ...deny,
      Action: "iam:PassRole",
      Condition: { StringNotLike: { "iam:PassedToService": "ecs*.amazonaws.com" } },
    },
    findings: [],
  },
  {
    name: "a star alone asks that the tag is absent",
    type: scp,
    statement: { ...deny, Condition: { StringNotLike: { "aws:PrincipalTag/role": "*" } } },
    findings: [],
  },
]);

const trust = (Principal: object, Condition: object) => ({
  Effect: "Allow",
  Principal,
  Action: "sts:AssumeRole",
  Condition,
});
const states = { Service: "states.amazonaws.com" };
const machine = "arn:aws:states:eu-west-1:111122223333:stateMachine";

checkCases(conditionEffect, [
  {
    name: "a source whose type ends with the wrong character",
    type: "TRUST_POLICY",
    statement: [
      trust(states, { ArnLike: { "aws:SourceArn": `${machine}/orders` } }),
      trust(
        { Service: "events.amazonaws.com" },
        { ArnLike: { "aws:SourceArn": "arn:aws:events:eu-west-1:111122223333:rule:nightly" } },
      ),
    ],
    findings: [
      { at: 0, issue_type: never, severity: "error" },
      { at: 1, issue_type: never, severity: "error" },
    ],
  },
  ...[`${machine}:orders`, `${machine}:*`, `${machine}*`, "arn:aws:states:*:111122223333:*"].map(
    (arn) => ({
      name: `sources that exist: ${arn}`,
      type: "TRUST_POLICY" as const,
      statement: trust(states, { ArnLike: { "aws:SourceArn": arn } }),
      findings: [],
    }),
  ),
  {
    name: "keys that services and roles do not have",
    type: "TRUST_POLICY",
    statement: [
      trust(states, { StringEquals: { "aws:PrincipalTag/team": "a" } }),
      trust(
        { AWS: "arn:aws:iam::111122223333:role/ci" },
        { StringEquals: { "aws:username": "alice" } },
      ),
    ],
    findings: [
      { at: 0, issue_type: never, severity: "error", message: /a service makes for itself/ },
      { at: 1, issue_type: never, severity: "error", message: /^Only IAM users have/ },
    ],
  },
  ...[
    trust(
      { Service: "rolesanywhere.amazonaws.com" },
      { StringEquals: { "aws:PrincipalTag/x509Subject/CN": "app" } },
    ),
    trust(
      { AWS: "arn:aws:iam::111122223333:role/ci" },
      { StringEquals: { "aws:PrincipalTag/team": "a" } },
    ),
    trust({ AWS: "111122223333" }, { StringEquals: { "aws:username": "alice" } }),
    trust(
      { AWS: "arn:aws:iam::111122223333:user/ci" },
      { StringEquals: { "aws:username": "alice" } },
    ),
    trust(
      { AWS: "arn:aws:iam::111122223333:role/ci" },
      { StringLikeIfExists: { "aws:username": "a" } },
    ),
  ].map((statement) => ({
    name: `keys that the callers have: ${JSON.stringify(statement)}`,
    type: "TRUST_POLICY" as const,
    statement,
    findings: [],
  })),
]);
