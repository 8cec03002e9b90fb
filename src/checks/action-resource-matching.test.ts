import { checkCases } from "../../test/support/check-cases.ts";
import { actionResourceMatching } from "./action-resource-matching.ts";

const on = (Action: unknown, Resource: unknown, more: object = {}) => [
  { Effect: "Allow", Action, Resource, ...more },
];
const never = { issue_type: "statement_never_applies", severity: "error" as const };
const mismatch = (action: string, resource: string) => ({
  at: 0,
  issue_type: "resource_mismatch",
  severity: "medium" as const,
  field_name: "resource" as const,
  action,
  resource,
});

checkCases(actionResourceMatching, [
  {
    name: "accepts an action with one resource of its type among others",
    statement: on(["s3:GetObject", "s3:ListBucket"], ["arn:aws:s3:::b", "arn:aws:s3:::b/*"]),
    findings: [],
  },
  {
    name: "reports each action that no resource fits, with type, format, example and what is there",
    statement: on(["s3:GetObject", "S3:putobject", "s3:ListBucket"], "arn:aws:s3:::b"),
    findings: [
      {
        ...mismatch("s3:GetObject", "arn:aws:s3:::b"),
        message: /`object`/,
        suggestion:
          /^Add `arn:aws:s3:::b\/\*`, or another resource of type `object`, `arn:\$\{Partition\}:s3:::\$\{BucketName\}\/\$\{ObjectName\}`, such as `arn:aws:s3:::bucket-name\/object-name`.*The statement has `arn:aws:s3:::b`/,
        path: "/Statement/0/Resource",
      },
      mismatch("S3:putobject", "arn:aws:s3:::b"),
    ],
  },
  {
    name: "reports actions that AWS compares with `*`, and says so",
    statement: on(["iam:ListUsers", "s3:ListBucket"], ["arn:aws:s3:::b"]),
    findings: [
      {
        ...mismatch("iam:ListUsers", "arn:aws:s3:::b"),
        message: /AWS compares with `\*`.*For its other actions the statement can still work/,
        path: "/Statement/0/Resource/0",
      },
    ],
  },
  {
    name: "reports an Allow of which no action can work once, with the resource that is meant",
    statement: [
      ...on(["iam:ListUsers", "s3:ListAllMyBuckets"], ["arn:aws:s3:::b"]),
      ...on(["s3:GetObject", "s3:PutObject"], "arn:aws:s3:::b"),
      ...on("s3:ListBucket", "arn:aws:s3:::b/*"),
      ...on("iam:GetUser", "arn:aws:iam:us-east-1:123456789012:user/x"),
    ],
    findings: [
      {
        at: 0,
        ...never,
        action: "iam:ListUsers, s3:ListAllMyBuckets",
        example: /"Resource": "\*"/,
      },
      { at: 1, ...never, action: "s3:GetObject, s3:PutObject", example: /"arn:aws:s3:::b\/\*"/ },
      { at: 2, ...never, example: /"arn:aws:s3:::b"/ },
      { at: 3, ...never, example: /"arn:aws:iam::123456789012:user\/x"/ },
    ],
  },
  {
    name: "accepts the ARNs that AWS compares list actions with",
    statement: [
      ...on("s3:ListAllMyBuckets", "arn:aws:s3:::*"),
      ...on("iam:ListRoles", "arn:aws:iam::123456789012:role/*"),
      ...on("iam:ListUsers", "arn:aws:iam::*:user/"),
    ],
    findings: [],
  },
  {
    name: "accepts a star that runs over colons, and Multi-Region access points",
    statement: [
      ...on("sqs:SendMessage", "arn:aws:sqs:*:*:*"),
      ...on("lambda:InvokeFunction", "arn:aws:lambda:us-east-1:*:app"),
    ],
    findings: [],
  },
  {
    name: "asks for the missing types of a call that needs several (5.14)",
    statement: [
      ...on("ec2:RunInstances", "arn:aws:ec2:us-east-1:123456789012:instance/*"),
      ...on("ec2:RunInstances", "arn:aws:ec2:us-east-1::image/ami-1"),
    ],
    findings: [
      {
        at: 0,
        issue_type: "resource_mismatch",
        severity: "medium",
        action: "ec2:RunInstances",
        message: /`network-interface`, `security-group` and `subnet`/,
      },
    ],
  },
  {
    name: "asks for nothing where the whole service is allowed on one resource",
    statement: on("ec2:*", "arn:aws:ec2:us-east-1:123456789012:instance/*"),
    findings: [],
  },
  {
    name: "asks for nothing when another Allow has the rest",
    statement: [
      ...on("ec2:RunInstances", "arn:aws:ec2:us-east-1:123456789012:instance/*"),
      ...on("ec2:Run*", "*"),
    ],
    findings: [],
  },
  {
    name: "reports resources that a resource policy cannot be attached to (5.15)",
    type: "RESOURCE_POLICY",
    statement: [
      { ...on("s3:GetObject", "arn:aws:sqs:us-east-1:123456789012:q")[0], Principal: "*" },
      { ...on("s3:GetObject", "arn:aws:s3:::one/*")[0], Principal: "*" },
      { ...on("s3:*", ["arn:aws:s3:::one", "arn:aws:s3:::two/*"])[0], Principal: "*" },
    ],
    findings: [
      {
        at: 0,
        issue_type: "resource_mismatch",
        severity: "error",
        aws_issue_code: "UNSUPPORTED_RESOURCE_ARN_IN_POLICY",
      },
      { at: 2, severity: "error", message: /`one` and `two`/, path: "/Statement/2/Resource/1" },
    ],
  },
  ...[
    [
      "kms:Decrypt",
      "arn:aws:kms:eu-west-1:111122223333:key/1",
      "arn:aws:kms:eu-west-1:111122223333:key/2",
    ],
    [
      "lambda:InvokeFunction",
      "arn:aws:lambda:eu-west-1:111122223333:function:one",
      "arn:aws:lambda:eu-west-1:111122223333:function:two:live",
    ],
  ].map(([action = "", one, two]) => ({
    name: `reports two resources of ${action} in the policy of one (5.15)`,
    type: "RESOURCE_POLICY" as const,
    statement: [{ ...on(action, [one, two])[0], Principal: { AWS: "444455556666" } }],
    findings: [{ severity: "error" as const, path: "/Statement/0/Resource/1" }],
  })),
  {
    name: "accepts one function with its aliases, and a key beside its star, in their policies",
    type: "RESOURCE_POLICY",
    statement: [
      ...on("lambda:InvokeFunction", [
        "arn:aws:lambda:eu-west-1:111122223333:function:one",
        "arn:aws:lambda:eu-west-1:111122223333:function:one:live",
      ]),
      ...on("kms:Decrypt", "arn:aws:kms:eu-west-1:111122223333:key/1"),
      ...on("kms:Decrypt", "arn:aws:kms:eu-west-1:111122223333:key/*"),
      ...on("kms:Encrypt", "arn:aws:kms:eu-west-1:111122223333:key/1"),
    ].map((statement) => ({ ...statement, Principal: { AWS: "444455556666" } })),
    findings: [],
  },
  {
    name: "joins three resources, and cuts four after the first",
    statement: [
      ...on("sqs:SendMessage", ["arn:aws:s3:::a", "arn:aws:s3:::b", "arn:aws:s3:::c"]),
      ...on("sqs:SendMessage", [
        "arn:aws:s3:::a",
        "arn:aws:s3:::b",
        "arn:aws:s3:::c",
        "arn:aws:s3:::d",
      ]),
    ],
    findings: [
      { ...never, resource: "arn:aws:s3:::a, arn:aws:s3:::b, arn:aws:s3:::c" },
      {
        ...never,
        resource: "arn:aws:s3:::a...",
        at: 1,
        suggestion: /^(?!.*The statement has)/,
        path: "/Statement/1/Resource",
      },
    ],
  },
  {
    name: "reports a Deny as high: the guard rail does not hold",
    statement: on("s3:GetObject", "arn:aws:s3:::b", { Effect: "Deny" }),
    findings: [{ ...mismatch("s3:GetObject", "arn:aws:s3:::b"), severity: "high" }],
  },
  {
    name: "skips statements with `*` among the resources, without resources, and NotResource",
    statement: [
      ...on("s3:GetObject", ["arn:aws:sqs:us-east-1:123456789012:q", "*"]),
      { Effect: "Deny", Action: "iam:ListUsers", NotResource: "arn:aws:s3:::b" },
      { Effect: "Deny", NotAction: "s3:GetObject", Resource: "arn:aws:s3:::b" },
    ],
    findings: [],
  },
  {
    name: "skips actions with wildcards and actions that do not exist",
    statement: on(
      ["sqs:*", "sqs:SendMessag?", "sqs:Nope", "nosuch:Thing", "nocolon"],
      "arn:aws:s3:::b",
    ),
    findings: [],
  },
  {
    name: "skips malformed ARNs, and says nothing when none is left",
    statement: [
      ...on("s3:GetObject", ["nope", "arn:aws:s3::b"]),
      ...on("s3:GetObject", ["nope", "arn:aws:s3:::b"]),
    ],
    findings: [{ ...never, resource: "nope, arn:aws:s3:::b", at: 1 }],
  },
  {
    name: "compares as patterns on both sides",
    statement: on(
      ["iam:GetUser", "sqs:SendMessage", "lambda:InvokeFunction", "ssm:GetParameter"],
      [
        "arn:aws:iam::123456789012:us*",
        "arn:*:sqs:us-east-?:*:q?",
        "arn:aws:lambda:us-east-1:123456789012:function:app:live",
        "arn:aws:ssm:us-east-1::parameter/aws/service/*",
      ],
    ),
    findings: [],
  },
  {
    name: "wants region and account where the format has them",
    statement: on(
      ["sqs:SendMessage", "iam:GetUser"],
      [
        "arn:aws:sqs::123456789012:q",
        "arn:aws:iam:::user/x",
        "arn:aws:iam:us-east-1:123456789012:user/x",
      ],
    ),
    findings: [{ ...never, action: "sqs:SendMessage, iam:GetUser" }],
  },
  {
    name: "tells a bucket from what is in it, wildcards and variables included",
    statement: [
      ...on("s3:ListBucket", ["arn:aws:s3:::b/*", "arn:aws:s3:::${bucket}/logs"]),
      ...on("s3:ListBucket", "arn:aws:s3:::${aws:PrincipalTag/team/bucket}"),
      ...on("s3:GetObject", "arn:aws:s3:::*personalize*"),
    ],
    findings: [{ at: 0, action: "s3:ListBucket" }],
  },
  {
    name: "takes types of other services' ARNs from the reference data",
    statement: on("ssm:SendCommand", [
      "arn:aws:ec2:us-east-1:123456789012:instance/*",
      "arn:aws:ssm:us-east-1::document/AWS-RunShellScript",
    ]),
    findings: [],
  },
  {
    name: "accepts a task definition without revision for ecs:RunTask",
    statement: on("ecs:RunTask", "arn:aws:ecs:*:123456789012:task-definition/nightly"),
    findings: [],
  },
  {
    name: "holds formats of any service against all resources",
    statement: [
      ...on("backup:DeleteRecoveryPoint", "arn:aws:ec2:us-east-1::snapshot:snap-1"),
      ...on("backup:DeleteRecoveryPoint", "arn:aws:ec2::123456789012:snapshot:snap-1"),
    ],
    findings: [{ at: 1, action: "backup:DeleteRecoveryPoint" }],
  },
  {
    name: "takes a type without a definition for fitting",
    statement: on("glue:GetTable", "arn:aws:glue:us-east-1:123456789012:database/x"),
    findings: [],
  },
  {
    name: "takes a value that begins with a variable for fitting, unless templates are off",
    statement: on(["s3:GetObject", "iam:ListUsers"], "${bucket.arn}/*"),
    findings: [],
  },
  {
    name: "skips templates like other malformed ARNs when they are off",
    statement: on("s3:GetObject", ["${bucket.arn}/*", "arn:aws:s3:::b"]),
    options: { allow_template_variables: false },
    findings: [{ action: "s3:GetObject" }],
  },
  {
    name: "takes API Gateway's short form for fitting in resource policies",
    statement: on("execute-api:Invoke", "execute-api:/prod/*", { Principal: "*" }),
    findings: [],
  },
  {
    name: "follows the configured severity",
    statement: on(["s3:GetObject", "s3:ListBucket"], "arn:aws:s3:::b"),
    options: { severity: "low" },
    findings: [{ severity: "low" }],
  },
]);
