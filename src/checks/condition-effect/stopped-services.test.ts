import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { trust } from "../../../test/support/trust-statement.ts";
import { conditionEffect } from "../condition-effect.ts";

const bucket = ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"];
const trail = {
  Effect: "Allow",
  Principal: { Service: "cloudtrail.amazonaws.com" },
  Action: "s3:PutObject",
  Resource: "arn:aws:s3:::logs/*",
  Condition: {
    StringEquals: { "aws:SourceArn": "arn:aws:cloudtrail:eu-west-1:111122223333:trail/main" },
  },
};
const deny = (Condition: object, more: object = {}) => ({
  Effect: "Deny",
  Principal: "*",
  Action: "s3:*",
  Resource: bucket,
  Condition,
  ...more,
});
const ofOrganization = { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };
const stopped = { issue_type: "service_calls_denied", severity: "high" as const, at: 1 };

checkCases(conditionEffect, [
  {
    name: "the delivery of a trail is denied, because a service is in no organization",
    type: "RESOURCE_POLICY",
    statement: [{ ...trail, Sid: "Trail" }, deny(ofOrganization)],
    findings: [
      {
        ...stopped,
        path: "/Statement/1/Condition/StringNotEquals/aws:PrincipalOrgID",
        message:
          "`StringNotEquals` on `aws:PrincipalOrgID` also holds for the requests of `cloudtrail.amazonaws.com`, which do not have the key. This Deny takes back what statement `Trail` allows the service.",
        example: /"aws:PrincipalIsAWSService": "false"/,
        fix: expect.objectContaining({ effect: "changes" }),
      },
    ],
  },
  ...[
    { StringNotEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f60718" } },
    { StringNotEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f60718" } },
    { NotIpAddress: { "aws:SourceIp": ["203.0.113.0/24", "198.51.100.7"] } },
    { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/data-*" } },
    { StringNotLike: { "aws:userid": ["AROAEXAMPLEID12345678:*", "111122223333"] } },
    { StringNotEquals: { "aws:PrincipalAccount": "111122223333" } },
    { BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } },
    { Null: { "aws:PrincipalTag/team": "true" } },
    { ...ofOrganization, NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
  ].map((condition) => ({
    name: `the delivery of a trail is denied by ${JSON.stringify(condition)}`,
    type: "RESOURCE_POLICY" as const,
    statement: [trail, deny(condition)],
    findings: [stopped],
  })),
  {
    name: "a service that may assume the role is in no organization either",
    type: "TRUST_POLICY",
    statement: [
      trust({ Service: "ecs-tasks.amazonaws.com" }, "sts:AssumeRole"),
      { ...trust({ AWS: "*" }, "sts:AssumeRole", ofOrganization), Effect: "Deny" },
    ],
    findings: [stopped],
  },
  ...[
    [
      "services are exempt",
      deny({ ...ofOrganization, BoolIfExists: { "aws:PrincipalIsAWSService": "false" } }),
    ],
    [
      "this service is exempt",
      deny({
        ...ofOrganization,
        StringNotEqualsIfExists: { "aws:PrincipalServiceName": "cloudtrail.amazonaws.com" },
      }),
    ],
    ["the Deny is about other actions", deny(ofOrganization, { Action: "s3:GetObject" })],
    [
      "the Deny is about other objects",
      deny(ofOrganization, { Resource: "arn:aws:s3:::logs/private/*" }),
    ],
    [
      "the Deny is for a named account",
      deny(ofOrganization, { Principal: { AWS: "444455556666" } }),
    ],
    [
      "the key has to be there",
      deny({ ...ofOrganization, Null: { "aws:PrincipalOrgID": "false" } }),
    ],
    ["the addresses may be those of AWS", deny({ NotIpAddress: { "aws:SourceIp": "52.0.0.0/8" } })],
    [
      "one item of the key has to be another",
      deny({ "ForAnyValue:StringNotLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } }),
    ],
    ["plain HTTP", deny({ Bool: { "aws:SecureTransport": "false" } })],
  ].map(([name, statement]) => ({
    name: `the Deny leaves the service alone: ${name}`,
    type: "RESOURCE_POLICY" as const,
    statement: [trail, statement as object],
    findings: [],
  })),
  {
    name: "a user beside the service may still be let in",
    type: "RESOURCE_POLICY",
    statement: [
      { ...trail, Principal: { ...trail.Principal, AWS: "arn:aws:iam::111122223333:user/ops" } },
      deny(ofOrganization),
    ],
    findings: [],
  },
]);
