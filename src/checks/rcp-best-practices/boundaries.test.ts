import { checkCases } from "../../../test/support/check-cases.ts";
import { rcpBestPractices } from "../rcp-best-practices.ts";

const type = "RESOURCE_CONTROL_POLICY" as const;
const deny = (Condition?: unknown, elements: object = {}) => ({
  Effect: "Deny",
  Principal: "*",
  Action: "s3:GetObject",
  Resource: "*",
  ...(Condition === undefined ? {} : { Condition }),
  ...elements,
});
const organization = { StringNotEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };
const network = { NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } };
const noCarveOut = { issue_type: "rcp_missing_service_carveout" } as const;
const blanket = { issue_type: "rcp_blanket_deny" } as const;

checkCases(rcpBestPractices, [
  ...[
    ["s3:*", "high", "No principal can use `s3:*` on"],
    [["s3:GetObject", "s3:**"], "high", "No principal can use `s3:**` on"],
    ["s3:GetObject", "low", "No principal can do this to"],
    ["s3:*Object", "low", "No principal can do this to"],
    ["s?:*", "low", "No principal can do this to"],
  ].map(([Action, severity, what]) => ({
    name: `reports a Deny of ${JSON.stringify(Action)} without a condition`,
    type,
    statement: deny(undefined, { Action }),
    findings: [
      {
        ...blanket,
        severity: severity as "high" | "low",
        message: `The statement denies without a condition. ${what} the resources of the accounts that the RCP reaches, not even their administrators.`,
        suggestion:
          "Add a condition that says whom the Deny is meant for, such as principals from outside the organization.",
      },
    ],
  })),
  { name: "takes an empty condition for none", type, statement: deny({}), findings: [blanket] },
  ...["x", null, ["x"], { StringEquals: "x" }].map((Condition) => ({
    name: `takes a condition of the wrong form for one: ${JSON.stringify(Condition)}`,
    type,
    statement: deny(Condition),
    findings: [],
  })),
  {
    name: "does not read an Allow, nor a statement without an Effect",
    type,
    statement: [deny(undefined, { Effect: "Allow" }), deny(undefined, { Effect: undefined })],
    findings: [],
  },
  ...[
    ["callers outside `aws:PrincipalOrgID`", organization, "belong to no organization"],
    ["requests outside `aws:SourceIp`", network, "call from none of these networks"],
  ].map(([whom, condition, why]) => ({
    name: `says that services are denied too: ${whom}`,
    type,
    statement: deny(condition),
    findings: [
      {
        ...noCarveOut,
        message: `The Deny applies to ${whom}, but AWS services that call with their own principal ${why}, so it denies them too. Calls that they make for themselves fail.`,
        suggestion:
          'Add `"BoolIfExists": {"aws:PrincipalIsAWSService": "false"}` to the condition.',
        aws_issue_code: "RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY",
      },
    ],
  })),
  {
    name: "says what a test of the key lacks that exempts no service",
    type,
    statement: deny({ ...organization, Null: { "aws:PrincipalIsAWSService": "false" } }),
    findings: [
      {
        ...noCarveOut,
        message:
          /does not exempt AWS services here: that takes `BoolIfExists` with the value `false`/,
        suggestion:
          'Write in place of `Null` `"BoolIfExists": {"aws:PrincipalIsAWSService": "false"}`.',
      },
    ],
  },
  {
    name: "says what a test without IfExists leaves",
    type,
    statement: deny({ ...organization, Bool: { "aws:PrincipalIsAWSService": "false" } }),
    findings: [
      {
        issue_type: "rcp_carveout_missing_ifexists",
        path: "/Statement/0/Condition/Bool",
        message:
          "`Bool` on `aws:PrincipalIsAWSService` does not match anonymous requests, which lack the key, so the Deny does not apply to them.",
        suggestion: "Write `BoolIfExists` in place of `Bool`.",
        example: /"BoolIfExists":\s*\{\s*"aws:PrincipalIsAWSService": "false"/,
      },
    ],
  },
  ...[
    ["Bool on another key", { Bool: { "aws:SecureTransport": "false" } }, true],
    [
      "an operator that does not exist",
      { BoolIfMissing: { "aws:PrincipalIsAWSService": "false" } },
      true,
    ],
    ["no service's name", { Null: { "aws:PrincipalServiceName": "true" } }, false],
    ["a service's name", { Null: { "aws:PrincipalServiceName": "false" } }, true],
    ["no name of another kind", { Null: { "aws:SourceArn": "true" } }, true],
    [
      "the text of a service's name",
      { StringEquals: { "aws:PrincipalServiceName": "true" } },
      true,
    ],
    ["a tag of the request", { StringEquals: { "aws:RequestTag/team": "data" } }, false],
    ["tag keys", { "ForAnyValue:StringEquals": { "aws:TagKeys": "team" } }, false],
    ["all tag keys", { "ForAllValues:StringEquals": { "aws:TagKeys": "team" } }, true],
    [
      "all values of a tag",
      { "ForAllValues:StringEquals": { "aws:RequestTag/team": "data" } },
      true,
    ],
    ["another tag", { StringNotEquals: { "aws:RequestTag/team": "data" } }, true],
    [
      "a tag that may be missing",
      { StringEqualsIfExists: { "aws:RequestTag/team": "data" } },
      true,
    ],
    ["that a tag is there", { Null: { "aws:RequestTag/team": "false" } }, true],
    ["a tag of the resource", { StringEquals: { "aws:ResourceTag/team": "data" } }, true],
    [
      "an operator of tags that does not exist",
      { StringSame: { "aws:RequestTag/team": "data" } },
      true,
    ],
  ].map(([name, test, reports]) => ({
    name: `${reports ? "reports" : "takes"} a boundary beside a test of ${name}`,
    type,
    statement: deny({ ...organization, ...(test as object) }),
    findings: reports ? [noCarveOut] : [],
  })),
  ...[
    [
      "the ARN of the caller",
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/app" } },
      false,
    ],
    ["the caller's name", { StringEquals: { "aws:username": "alice" } }, false],
    ["that the caller has an id", { Null: { "aws:userid": "false" } }, false],
    ["that the caller has no ARN", { Null: { "aws:PrincipalArn": "true" } }, true],
    ["that the caller has an account", { Null: { "aws:PrincipalAccount": "false" } }, true],
    [
      "the account of the caller",
      { StringEquals: { "aws:PrincipalAccount": "111122223333" } },
      false,
    ],
    ["another ARN", { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/app" } }, true],
    [
      "an ARN that may be missing",
      { ArnLikeIfExists: { "aws:PrincipalArn": "arn:aws:iam::*:role/app" } },
      true,
    ],
    [
      "all values of the caller's path",
      { "ForAllValues:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } },
      true,
    ],
    [
      "one value of the caller's path",
      { "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } },
      false,
    ],
    ["another key that ends so", { StringEquals: { "x:aws:username": "alice" } }, true],
    ["an operator that does not exist", { StringSame: { "aws:username": "alice" } }, true],
    ["TLS", { Bool: { "aws:SecureTransport": "true" } }, true],
  ].map(([name, test, reports]) => ({
    name: `${reports ? "reports" : "takes"} a network beside a test of ${name}`,
    type,
    statement: deny({ ...network, ...(test as object) }),
    findings: reports ? [noCarveOut] : [],
  })),
  ...[
    [["signin:Authenticate"], false],
    [["SIGNIN:*"], false],
    [["signin:Authenticate", "s3:GetObject"], true],
    [["x-signin:Authenticate"], true],
    [[], true],
  ].map(([Action, reports]) => ({
    name: `${reports ? "reports" : "takes"} a network around ${JSON.stringify(Action)}`,
    type,
    statement: deny(network, { Action }),
    findings: reports ? [noCarveOut] : [],
  })),
]);
