import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const outside = { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } };
const deny = (Condition: object, more: object = {}) => ({
  Effect: "Deny",
  Action: "*",
  Resource: "*",
  Condition,
  ...more,
});

checkCases(conditionEffect, [
  ...[
    deny(outside),
    deny({ NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } }),
    deny(outside, { Action: "**" }),
    deny(outside, { Action: ["s3:GetObject", "*"] }),
    deny(outside, { Action: undefined, NotAction: "iam:*" }),
    deny({ ...outside, StringLike: { "aws:UserAgent": "curl*" } }),
  ].map((statement) => ({
    name: `a Deny of everything outside some addresses stops what services do for callers: ${JSON.stringify(statement)}`,
    type: "IDENTITY_POLICY" as const,
    statement,
    findings: [
      {
        issue_type: "service_calls_denied",
        severity: "medium" as const,
        message:
          /also holds for the calls that AWS services such as CloudFormation or Athena make for the caller, because they come from the addresses of the service\. This Deny stops these calls too\.$/,
        suggestion: 'Add `"BoolIfExists": {"aws:ViaAWSService": "false"}` to the condition.',
        example: /"BoolIfExists": \{\s+"aws:ViaAWSService": "false"/,
      },
    ],
  })),
  ...[
    deny(outside, { Action: "s3:*" }),
    deny(outside, { Action: ["s3:*", "ec2:*"] }),
    deny({ ...outside, Bool: { "aws:ViaAWSService": "false" } }),
    deny({
      ...outside,
      "ForAllValues:StringNotEquals": { "aws:CalledVia": "athena.amazonaws.com" },
    }),
    deny({ IpAddress: { "aws:SourceIp": "203.0.113.0/24" } }),
    deny({ NotIpAddress: { "aws:VpcSourceIp": "10.0.0.0/8" } }),
    { ...deny(outside), Effect: "Allow" },
  ].map((statement) => ({
    name: `passes ${JSON.stringify(statement)}`,
    type: "IDENTITY_POLICY" as const,
    statement,
    findings: [],
  })),
  {
    name: "a Deny of everything outside some addresses in the policy of a resource, where few services call for others",
    type: "RESOURCE_POLICY",
    statement: deny(outside, { Principal: { AWS: "arn:aws:iam::111122223333:role/app" } }),
    findings: [],
  },
]);
