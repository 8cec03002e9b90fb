import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";
import { rcpBestPractices } from "../rcp-best-practices.ts";

const scp = "SERVICE_CONTROL_POLICY" as const;
const outside = { NotIpAddress: { "aws:SourceIp": "192.0.2.0/24" } };
const foreign = { StringNotEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };
const via = (operator: string, value: string | boolean) => ({
  [operator]: { "aws:ViaAWSService": value },
});
const byService = (value: string) => ({ BoolIfExists: { "aws:PrincipalIsAWSService": value } });
const deny = (Condition: object, more: object = {}) => ({
  Effect: "Deny",
  Action: "*",
  Resource: "*",
  Condition,
  ...more,
});
const ofEveryone = { Principal: "*", Action: "s3:*" };
const inverted = { issue_type: "condition_inverted", severity: "high" as const };

checkCases(conditionEffect, [
  ...["Bool", "BoolIfExists"].map((operator) => ({
    name: `a Deny outside some addresses for the calls that services forward, with ${operator}`,
    statement: deny({ ...outside, ...via(operator, "true") }),
    findings: [
      {
        ...inverted,
        condition_key: "aws:ViaAWSService",
        message:
          /stops the calls that services make for the caller, and none that users and roles make/,
        suggestion: /`"BoolIfExists": {"aws:ViaAWSService": "false"}`/,
        example: /"BoolIfExists": \{\s+"aws:ViaAWSService": "false"/,
      },
    ],
  })),
  {
    name: "the same by network, in an SCP",
    type: scp,
    statement: deny({
      StringNotEqualsIfExists: { "aws:SourceVpc": "vpc-0123456789abcdef0" },
      ...via("Bool", true),
    }),
    findings: [inverted],
  },
  {
    name: "a Deny of strangers that is for the calls of services alone in an RCP",
    type: "RESOURCE_CONTROL_POLICY",
    statement: deny({ ...foreign, ...byService("true") }, ofEveryone),
    findings: [
      {
        ...inverted,
        condition_key: "aws:PrincipalIsAWSService",
      },
    ],
  },
  {
    name: "leaves that of an RCP to rcp_best_practices, where that check runs",
    type: "RESOURCE_CONTROL_POLICY",
    peers: [rcpBestPractices],
    statement: deny({ ...foreign, ...byService("true") }, ofEveryone),
    findings: [],
  },
  {
    name: "the same in the policy of a resource",
    type: "RESOURCE_POLICY",
    statement: deny({ ...foreign, ...byService("true") }, ofEveryone),
    findings: [inverted],
  },
  {
    name: "accepts the exemption of services, and a Deny of what they forward without a perimeter",
    statement: [
      deny({ ...outside, ...via("BoolIfExists", "false") }),
      deny(via("Bool", "true"), { Action: "kms:Decrypt" }),
      deny({ ...via("Bool", "true"), StringNotEquals: { "aws:ResourceOrgID": "o-a1b2c3d4e5" } }),
      deny({
        ...outside,
        ...via("Bool", "true"),
        "ForAnyValue:StringEquals": { "aws:CalledVia": "athena.amazonaws.com" },
      }),
    ],
    findings: [],
  },
  {
    name: "accepts a Deny of services that call for strangers",
    type: "RESOURCE_CONTROL_POLICY",
    statement: deny(
      {
        StringNotEqualsIfExists: { "aws:SourceOrgID": "o-a1b2c3d4e5" },
        Null: { "aws:SourceAccount": "false" },
        Bool: { "aws:PrincipalIsAWSService": "true" },
      },
      ofEveryone,
    ),
    findings: [],
  },
  ...[
    { name: "an Allow", more: { Effect: "Allow" }, Condition: via("Bool", "true") },
    { name: "another operator", Condition: via("StringEquals", "true") },
    { name: "an unknown operator", Condition: via("Boole", "true") },
    { name: "both values", Condition: { Bool: { "aws:ViaAWSService": ["true", "false"] } } },
    { name: "the presence of the key", Condition: { Null: { "aws:ViaAWSService": "true" } } },
  ].map(({ name, more, Condition }) => ({
    name: `a Deny outside some addresses that does not single out the calls of services: ${name}`,
    type: scp,
    statement: deny({ ...outside, ...Condition }, more),
    findings: [],
  })),
  {
    name: "reports in the policy of a resource what rcp_best_practices reports in an RCP",
    type: "RESOURCE_POLICY",
    peers: [rcpBestPractices],
    statement: deny({ ...foreign, ...byService("true") }, ofEveryone),
    findings: [inverted],
  },
  {
    name: "reports in an RCP the calls that services forward, which rcp_best_practices leaves out",
    type: "RESOURCE_CONTROL_POLICY",
    peers: [rcpBestPractices],
    statement: deny({ ...outside, ...via("Bool", "true") }, ofEveryone),
    findings: [inverted],
  },
]);
