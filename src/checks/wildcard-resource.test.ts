import { checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { wildcardResource } from "./wildcard-resource.ts";

const allow = (Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...more,
});
const found = {
  issue_type: "overly_permissive",
  severity: "medium",
  field_name: "resource",
  action: null,
  resource: null,
} as const;
const low = { ...found, severity: "low" } as const;
/** Actions on six types of resources. */
const sixTypes = [
  "ec2:TerminateInstances",
  "iam:CreateAccessKey",
  "iam:PassRole",
  "kms:Decrypt",
  "s3:PutObject",
  "sqs:SendMessage",
];
const when = (Condition: object) => ({ Condition });

checkCases(wildcardResource, [
  {
    name: "splits the statement in the example where an action needs `*`",
    statement: allow(["kms:Decrypt", "kms:ListKeys"]),
    findings: [
      {
        ...found,
        suggestion: /Split the statement: `kms:ListKeys` needs `\*`\./,
        example_path: "/Statement",
        example: /"Action": "kms:ListKeys",\s+"Resource": "\*"/,
      },
    ],
  },
  {
    name: "writes the Region that the condition requires into the example",
    statement: allow(
      "kms:Decrypt",
      when({ StringEquals: { "aws:RequestedRegion": ["eu-west-1", "eu-west-2"] } }),
    ),
    findings: [{ ...found, example: /"Resource": "arn:aws:kms:eu-west-1:111122223333:key\// }],
  },
  ...[
    ["eu-*", "eu-central-1"],
    ["us-*", "us-east-1"],
    ["ap-south-1", "ap-south-1"],
  ].map(([pattern, region]) => ({
    name: `writes a Region that ${pattern} matches into the example`,
    statement: allow("kms:Decrypt", when({ StringLike: { "aws:RequestedRegion": pattern } })),
    findings: [{ ...found, example: new RegExp(`"arn:aws:kms:${region}:111122223333:key/`) }],
  })),
  {
    name: "passes over the policy of a resource, where `*` is that resource",
    statement: allow("kms:Decrypt", { Principal: { AWS: "111122223333" } }),
    findings: [],
  },
  {
    name: "leaves out what a Deny of the policy takes back",
    statement: [
      allow(["kms:Decrypt", "s3:PutObject"]),
      allow("kms:Decrypt", { Effect: "Deny", Action: "kms:*" }),
    ],
    findings: [{ ...found, message: /: `s3:PutObject`\.$/ }],
  },
  {
    name: "reports actions that could be limited to named resources, at the resource",
    statement: allow(["kms:Decrypt", "s3:PutObject"]),
    findings: [
      {
        ...found,
        at: 0,
        path: "/Statement/0/Resource",
        message:
          "`*` reaches every resource for actions that can be limited to named resources: `kms:Decrypt`, `s3:PutObject`.",
        suggestion:
          /^Name the resources by ARN, such as `arn:aws:kms:us-east-1:111122223333:key\/[0-9-]+` for `kms:Decrypt`, .*aws:ResourceAccount/,
        example: /"Resource": \[\s+"arn:aws:kms:us-east-1:111122223333:key\//,
        example_path: "/Statement/0",
      },
    ],
  },
  {
    name: "leaves alone actions without resource types, in any letter case",
    statement: allow(["kms:ListKeys", "STS:getcalleridentity", "s3:ListAllMyBuckets"]),
    findings: [],
  },
  {
    name: "reports a listing action that takes resources, unless it is excused",
    statement: [allow("s3:ListBucket"), allow("sqs:ReceiveMessage")],
    findings: [{ ...found, at: 1 }],
  },
  {
    name: "keeps wildcards, and leaves unknown and malformed actions to action_validation",
    statement: [allow("kms:*"), allow("quantum:Leap"), allow("kms:Leap"), allow("kms"), allow("*")],
    findings: [0, 4].map((at) => ({ ...found, at })),
  },
  {
    name: "names five known actions in code-point order and the number of the rest",
    statement: allow([
      "sqs:SendMessage",
      "sqs:ReceiveMessage",
      "iam:CreateAccessKey",
      "kms:Decrypt",
      "s3:PutObject",
      "iam:PassRole",
      "iam:PassRole",
    ]),
    findings: [
      {
        message:
          /: `iam:CreateAccessKey`, `iam:PassRole`, `kms:Decrypt`, `s3:PutObject`, `sqs:ReceiveMessage` and 1 more\.$/,
      },
    ],
  },
  {
    name: "reports ARNs that are as broad as `*`",
    statement: [
      allow("s3:PutObject", { Resource: "arn:aws:s3:::*" }),
      allow("kms:Decrypt", { Resource: ["arn:aws:kms:us-east-1:111122223333:key/k", "arn:*"] }),
      allow("kms:Decrypt", { Resource: "arn:aws:*" }),
      allow("kms:Decrypt", { Resource: "arn:aws:kms:*:*:?*/*" }),
      allow("kms:Decrypt", { Resource: "arn:aws:*:*:*:*" }),
      allow("kms:Decrypt", { Resource: "**" }),
    ],
    findings: [
      {
        ...found,
        at: 0,
        message:
          /^`arn:aws:s3:::\*` does not name a resource and reaches every resource of `s3` for/,
      },
      {
        ...found,
        at: 1,
        path: "/Statement/1/Resource/1",
        message: /^`arn:\*` does not name a resource and reaches every resource for/,
      },
      { ...found, at: 2 },
      { ...found, at: 3 },
      { ...found, at: 4 },
      { ...found, at: 5 },
    ],
  },
  {
    name: "accepts ARNs that name something, and NotResource",
    statement: [
      allow("kms:Decrypt", { Resource: "arn:aws:kms:*:*:key/*" }),
      allow("s3:PutObject", { Resource: "arn:aws:s3:::b*" }),
      allow("sqs:SendMessage", { Resource: "arn:aws:sqs:us-east-1:*:*" }),
      allow("sqs:SendMessage", { Resource: ["arn:aws:sqs:::", "arn:", "arn:aws", "arn"] }),
      { Effect: "Allow", Action: "kms:Decrypt", NotResource: "*" },
    ],
    findings: [],
  },
  {
    name: "holds a broad ARN of one service against the actions of that service only",
    statement: [
      allow("kms:Decrypt", { Resource: "arn:aws:s3:::*" }),
      allow(["kms:Decrypt", "S3:putobject"], { Resource: "arn:aws:s3:::*" }),
      allow(["kms:Decrypt", "*"], { Resource: "arn:aws:s3:::*" }),
      allow(["kms:Decrypt", "*:Put"], { Resource: "arn:aws:s3:::*" }),
      allow("kms:Decrypt", { Resource: ["arn:aws:s3:::*", "arn:aws:kms:*:*:*"] }),
    ],
    findings: [
      { ...found, at: 1, message: /: `S3:putobject`\.$/ },
      { ...found, at: 2, message: /: `\*`\.$/ },
      { ...found, at: 4, message: /: `kms:Decrypt`\.$/ },
    ],
  },
  {
    name: "excuses the allowed actions by name and by pattern, in any letter case",
    statement: allow([
      "iam:Get*",
      "IAM:getuser",
      "iam:GetU*",
      "s3:getbucketpolicy",
      "iam:Nothing*",
    ]),
    findings: [],
  },
  {
    name: "does not excuse a pattern that grants more",
    statement: [allow("iam:*Role*"), allow(["iam:GetUser", "iam:PassRole"])],
    findings: [
      { ...found, at: 0 },
      { ...found, at: 1, message: /`iam:GetUser`, `iam:PassRole`/ },
    ],
  },
  {
    name: "never excuses a bare `*`",
    statement: allow(["*", "iam:Get*"]),
    options: { allowed_wildcards: ["*", "iam:Get*"] },
    findings: [
      { ...found, suggestion: /^Name the resources by ARN, such as `[^`]+` for `iam:Get\*`\. If/ },
    ],
  },
  {
    name: "reports no excused actions beside ones that are unknown or need `*`",
    statement: allow(["iam:GetUser", "quantum:Leap", "kms:ListKeys"]),
    findings: [],
  },
  {
    name: "does not count the excused actions in the severity",
    statement: allow(["kms:Decrypt", "sqs:GetQueueUrl", "s3:GetBucketPolicy"]),
    options: { allowed_wildcards: ["kms:Decrypt"] },
    findings: [{ ...low, message: /They change nothing/ }],
  },
  {
    name: "excuses what the configuration allows, unknown services included",
    statement: [allow(["quantum:Leap*", "kms:Decrypt"])],
    options: { allowed_wildcards: ["Quantum:leap*", "kms:D*"] },
    findings: [],
  },
  {
    name: "excuses nothing when the list of allowed actions is empty",
    // The second one matches no action, so it grants nothing.
    statement: [allow("iam:GetUser"), allow("iam:Zzz*")],
    options: { allowed_wildcards: [] },
    findings: [{ ...low, at: 0 }],
  },
  {
    name: "shows as many ARNs as one pastes, and moves no action to where it would not work",
    statement: [
      allow(sixTypes),
      allow([...sixTypes, "lambda:InvokeFunction"]),
      allow(["kms:Decrypt", "kms:ListKeys"], { Resource: "arn:aws:kms:*:*:*" }),
      allow(
        ["ec2:TerminateInstances", "ec2:DescribeInstances"],
        when({ StringEquals: { "ec2:ResourceTag/team": "x" } }),
      ),
    ],
    findings: [
      { at: 0, example: /"Resource": \[/ },
      { at: 1, example: null },
      { at: 2, example: null },
      { at: 3, example: null },
    ],
  },
  {
    name: "suggests the ARN forms of three kinds of actions, and what stays with `*`",
    statement: [allow([...sixTypes, "kms:ListKeys", "iam:ListUsers"]), allow("*")],
    findings: [
      {
        at: 0,
        suggestion:
          /^Name the resources by ARN, such as (?:`[^`]+` for `[^`]+`(?:, `[^`]+`)*(?:, |\.)){3} Split the statement: `kms:ListKeys`, `iam:ListUsers` need `\*`\. If/,
      },
      { at: 1, suggestion: /^Name the resources by ARN\. If the resources cannot be named/ },
    ],
  },
  {
    name: "leaves alone Deny, NotAction, SCPs",
    statement: [
      allow("kms:Decrypt", { Effect: "Deny" }),
      { Effect: "Allow", NotAction: "iam:*", Resource: "*" },
    ],
    findings: [],
  },
  {
    name: "leaves SCPs alone",
    statement: allow("kms:Decrypt"),
    type: "SERVICE_CONTROL_POLICY",
    findings: [],
  },
]);

checkCases(
  wildcardResource,
  [
    {
      name: "is low where a key of the service limits what is created or tagged",
      statement: [
        allow("ec2:CreateTags", {
          Condition: { StringEquals: { "ec2:CreateAction": "RunInstances" } },
        }),
        allow("s3:PutObject", {
          Condition: { StringEquals: { "s3:ResourceAccount": "111122223333" } },
        }),
      ],
      findings: [
        { ...low, at: 0 },
        { ...low, at: 1 },
      ],
    },
    {
      name: "accepts roles of a service that the condition names",
      statement: [
        {
          ...allow("iam:CreateServiceLinkedRole"),
          Condition: { StringEquals: { "iam:AWSServiceName": "rds.amazonaws.com" } },
        },
        {
          ...allow("iam:CreateServiceLinkedRole"),
          Condition: { StringLike: { "iam:AWSServiceName": "*" } },
        },
        {
          ...allow(["iam:CreateServiceLinkedRole", "kms:Decrypt"]),
          Condition: { StringEquals: { "iam:AWSServiceName": "rds.amazonaws.com" } },
        },
        {
          ...allow("iam:CreateServiceLinkedRole"),
          Condition: { StringEquals: { "aws:SourceVpc": "vpc-0a1b2c3d" } },
        },
      ],
      findings: [{ at: 1 }, { at: 2, message: /: `kms:Decrypt`\. / }, { at: 3 }],
    },
    {
      name: "leaves metrics to `cloudwatch:namespace`",
      statement: allow("CloudWatch:putMetricData"),
      findings: [],
    },
    {
      name: "keeps metrics on `*` in the example",
      statement: allow(["cloudwatch:PutMetricData", "kms:Decrypt"]),
      findings: [
        {
          ...found,
          message: /: `kms:Decrypt`\.$/,
          suggestion: /Split the statement: `cloudwatch:PutMetricData` needs `\*`\./,
          example: /"Action": "cloudwatch:PutMetricData",\s+"Resource": "\*"/,
          example_path: "/Statement",
        },
      ],
    },
    {
      name: "is low where the actions only describe resources, and says so",
      statement: [
        allow(["kms:DescribeKey", "sns:GetTopicAttributes", "lambda:ListFunctions"]),
        allow(["sns:GetTopicAttributes", "sns:Publish"]),
        allow("sqs:ReceiveMessage"),
        allow("s3:GetObjectTagging"),
        allow("kms:ListGrants"),
        allow("polly:SynthesizeSpeech"),
        allow("elasticfilesystem:DescribeFileSystems"),
        allow("kms:*Key"),
      ],
      findings: [
        { ...low, at: 0, message: /They change nothing, so the severity is lower\.$/ },
        { ...found, at: 1 },
        { ...found, at: 2 },
        { ...found, at: 3 },
        { ...found, at: 4 },
        { ...found, at: 5 },
        { ...low, at: 6 },
        { ...found, at: 7 },
      ],
    },
    ...(["arn:aws:sns:*:*:*", "arn:aws:sns:*:111122223333:*"] as const).map((denied) => ({
      name: `counts a Deny of every resource of an action: ${denied}`,
      statement: [
        { Effect: "Allow", Action: "sns:Publish", Resource: "*" },
        { Effect: "Deny", Action: "sns:Publish", Resource: denied },
      ],
      findings: denied.includes("1111") ? [found] : [],
    })),
  ],
  embeddedServices(),
);
