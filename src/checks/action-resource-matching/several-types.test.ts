import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const launch = (Condition: object, Resource: unknown = "*", Action = "ec2:RunInstances") => ({
  Effect: "Allow",
  Action,
  Resource,
  Condition,
});
const tagged = { StringEquals: { "aws:RequestTag/Env": "dev" } };
const used = {
  Effect: "Allow",
  Action: "ec2:RunInstances",
  Resource: [
    "arn:aws:ec2:*::image/*",
    "arn:aws:ec2:*:*:security-group/*",
    "arn:aws:ec2:*:*:subnet/*",
  ],
};

checkCases(
  actionResourceMatching,
  [
    ...(
      [
        [tagged, /tests `aws:RequestTag\/Env`, .* for `image`, `security-group` and `subnet`\. /],
        [{ Null: { "aws:RequestTag/Env": "false" } }, /tests `aws:RequestTag\/Env`, /],
        [
          { StringLike: { "ec2:InstanceType": "t3.*" } },
          /for `image`, `network-interface`, `security-group` and `subnet`/,
        ],
      ] as const
    ).map(([Condition, message]) => ({
      name: `tells which types of a launch on * lack a key: ${JSON.stringify(Condition)}`,
      statement: launch(Condition),
      findings: [
        { at: 0, issue_type: "resource_mismatch", severity: "medium" as const, message, fix: null },
      ],
    })),
    {
      name: "asks for other ARNs where the statement names none for the rest",
      statement: launch(tagged, "arn:aws:ec2:*:*:instance/*"),
      findings: [
        { at: 0, issue_type: "resource_mismatch", message: /no Allow of this policy covers/ },
      ],
    },
    ...[
      { StringEqualsIfExists: { "ec2:InstanceType": "t3.micro" } },
      { StringNotEquals: { "ec2:InstanceType": "p5.48xlarge" } },
      { StringEquals: { "ec2:Region": "eu-west-1" } },
      { StringEquals: { "aws:RequestedRegion": "eu-west-1" } },
    ].map((Condition) => ({
      name: `accepts a launch on * whose test holds for every type: ${JSON.stringify(Condition)}`,
      statement: launch(Condition),
      findings: [],
    })),
    {
      name: "accepts a launch whose other resources another statement allows",
      statement: [launch(tagged), used],
      findings: [],
    },
    {
      name: "accepts tests of the keys of one type for other actions",
      statement: launch(
        { StringEquals: { "ec2:InstanceType": "t3.micro" } },
        "*",
        "ec2:StopInstances",
      ),
      findings: [],
    },
    ...(
      [
        ["ec2:AttachVolume", "arn:aws:ec2:*:*:volume/*", "`instance`"],
        ["ec2:CreateSnapshot", "arn:aws:ec2:*:*:volume/*", "`snapshot`"],
        ["batch:SubmitJob", "arn:aws:batch:*:*:job-definition/*", "`job-queue`"],
        ["batch:SubmitJob", "arn:aws:batch:*:*:job-queue/*", "`job` or `job-definition`"],
        ["ssm:SendCommand", "arn:aws:ssm:*:*:document/*", "`instance` or `managed-instance`"],
      ] as const
    ).map(([action, resource, types]) => ({
      name: `one call of ${action} needs ${types} beside ${resource}`,
      type: "IDENTITY_POLICY" as const,
      statement: { Effect: "Allow", Action: action, Resource: resource },
      findings: [
        {
          issue_type: "resource_mismatch",
          severity: "medium" as const,
          message: `One call of \`${action}\` needs resources of several types, and no Allow of this policy covers ${types}. The call is denied unless another policy allows the rest.`,
          suggestion: `Allow \`${action}\` on the ARNs of ${types} too, in this statement or in one without its conditions.`,
        },
      ],
    })),
    ...(
      [
        ["a pattern of the whole service", "ec2:*", "arn:aws:ec2:*:*:volume/*"],
        ["everything", "*", "arn:aws:ec2:*:*:volume/*"],
        [
          "all types",
          "ec2:AttachVolume",
          ["arn:aws:ec2:*:*:volume/*", "arn:aws:ec2:*:*:instance/*"],
        ],
        [
          "ARNs of which one is open",
          "ec2:AttachVolume",
          ["arn:aws:ec2:*:*:volume/*", "${var.arn}"],
        ],
        [
          "an instance that runs commands",
          "ssm:SendCommand",
          ["arn:aws:ec2:*:*:instance/*", "arn:aws:ssm:*:*:document/*"],
        ],
        ["an action on one type", "ec2:DetachVolume", "arn:aws:ec2:*:*:volume/*"],
      ] as const
    ).map(([name, Action, Resource]) => ({
      name: `asks for no other types: ${name}`,
      type: "IDENTITY_POLICY" as const,
      statement: { Effect: "Allow", Action, Resource },
      findings: [],
    })),
    {
      name: "a pattern of some actions is asked for the types, too",
      type: "IDENTITY_POLICY",
      statement: { Effect: "Allow", Action: "ec2:Attach*", Resource: "arn:aws:ec2:*:*:volume/*" },
      findings: [{ action: "ec2:Attach*", message: /covers `instance`\. / }],
    },
    {
      name: "two statements, of which the first is told what is missing",
      type: "IDENTITY_POLICY",
      statement: [
        { Effect: "Allow", Action: "ec2:RunInstances", Resource: "arn:aws:ec2:*::image/*" },
        { Effect: "Allow", Action: "ec2:RunInstances", Resource: "arn:aws:ec2:*:*:subnet/*" },
      ],
      findings: [{ at: 0, message: /`instance`, `network-interface` and `security-group`/ }],
    },
    ...[
      { Effect: "Allow", NotAction: "iam:*", Resource: "arn:aws:s3:::b" },
      { Effect: "Allow", Action: "ec2:*", NotResource: "arn:aws:ec2:*:*:volume/vol-1" },
      { Effect: "Allow", Action: "ec2:Attach*", Resource: "*" },
    ].map((other) => ({
      name: `another statement may allow the rest: ${JSON.stringify(other)}`,
      type: "IDENTITY_POLICY" as const,
      statement: [
        { Effect: "Allow", Action: "ec2:AttachVolume", Resource: "arn:aws:ec2:*:*:volume/*" },
        other,
      ],
      findings: [],
    })),
    {
      name: "a Deny of attaching some volumes needs no other types",
      type: "IDENTITY_POLICY",
      statement: {
        Effect: "Deny",
        Action: "ec2:AttachVolume",
        Resource: "arn:aws:ec2:*:*:volume/*",
      },
      findings: [],
    },
    {
      name: "a boundary limits what another policy allows, so the rest may be outside it on purpose",
      type: "SERVICE_CONTROL_POLICY",
      statement: {
        Effect: "Allow",
        Action: "ec2:AttachVolume",
        Resource: "arn:aws:ec2:*:*:volume/*",
      },
      findings: [],
    },
  ],
  embeddedServices(),
);
