import { checkCases } from "../../test/support/check-cases.ts";
import { ifexistsConditionUsage } from "./ifexists-condition-usage.ts";

const statement = (Condition: object, Effect = "Allow") => [
  { Effect, Action: "s3:GetObject", Resource: "*", Condition },
];
const weakens = {
  at: 0,
  issue_type: "ifexists_weakens_security_condition",
  severity: "warning",
  field_name: "condition",
} as const;
const idle = { at: 0, issue_type: "ifexists_on_always_present_key", severity: "info" } as const;
const sourceIp = { IpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } };

checkCases(ifexistsConditionUsage, [
  {
    name: "is quiet without the suffix, and on keys that are neither sensitive nor always there",
    statement: statement({
      IpAddress: { "aws:SourceIp": "203.0.113.0/24" },
      StringEqualsIfExists: { "s3:authType": "x" },
    }),
    findings: [],
  },
  {
    name: "a source in an identity policy, without the advice to require what no request has",
    type: "IDENTITY_POLICY",
    statement: statement({ StringEqualsIfExists: { "aws:SourceAccount": "111122223333" } }),
    findings: [
      {
        ...weakens,
        suggestion: "Remove the test, or put it into the policy of the resource.",
        example: null,
      },
    ],
  },
  ...[
    "aws:PrincipalArn",
    "AWS:principalorgid",
    "aws:PrincipalOrgPaths",
    "aws:ResourceAccount",
    "aws:ResourceOrgID",
    "aws:ResourceOrgPaths",
    "aws:SourceAccount",
    "aws:SourceArn",
    "aws:SourceIp",
    "aws:SourceOrgID",
    "aws:SourceOrgPaths",
    "aws:SourceVpc",
    "aws:SourceVpce",
    "aws:VpcSourceIp",
  ].map((key) => ({
    name: `reports an Allow that goes without ${key}`,
    type: "RESOURCE_POLICY" as const,
    statement: statement({ stringlikeifexists: { [key]: "x" } }),
    findings: [
      {
        ...weakens,
        condition_key: key,
        suggestion: /^Write `StringLike`/,
        path: `/Statement/0/Condition/stringlikeifexists/${key}`,
      },
    ],
  })),
  ...[
    { NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } },
    { "ForAllValues:StringLikeIfExists": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } },
  ].map((condition) => ({
    name: `asks for the key where the plain operator holds without it too: ${JSON.stringify(condition)}`,
    statement: statement(condition),
    findings: [
      {
        ...weakens,
        suggestion: /^Add `"Null": .*also holds for requests without the key\.$/,
        example: /"Null"/,
      },
    ],
  })),
  {
    name: "is quiet when a Null check demands the key, in any letter case",
    statement: statement({ ...sourceIp, null: { "AWS:sourceip": "false" } }),
    findings: [],
  },
  {
    name: "is not content with a Null check for true",
    statement: statement({ ...sourceIp, Null: { "aws:SourceIp": "true" } }),
    findings: [weakens],
  },
  {
    name: "is quiet in a Deny, where the suffix widens the denial",
    statement: statement(sourceIp, "Deny"),
    findings: [],
  },
  ...[
    "aws:CurrentTime",
    "aws:EpochTime",
    "aws:PrincipalAccount",
    "aws:PrincipalType",
    "aws:RequestedRegion",
    "aws:SecureTransport",
    "aws:userid",
    "aws:UserAgent",
  ].map((key) => ({
    name: `mentions that every request carries ${key}`,
    statement: statement({ stringequalsIFEXISTS: { [key]: "x" } }, "Deny"),
    findings: [{ ...idle, condition_key: key, suggestion: "Write `StringEquals`." }],
  })),
  {
    name: "keeps the set prefix in what it suggests",
    statement: statement({
      "foranyvalue:stringlikeIfExists": { "aws:PrincipalOrgPaths": "o-1/*" },
    }),
    findings: [{ ...weakens, suggestion: /^Write `ForAnyValue:StringLike`/ }],
  },
  {
    name: "leaves other forms of the MFA key, Null and unknown operators to other checks",
    statement: statement({
      BoolIfExists: { "aws:multifactorauthpresent": "false" },
      NullIfExists: { "aws:SourceIp": "true" },
      NopeIfExists: { "aws:SourceIp": "x" },
    }),
    findings: [],
  },
  ...[
    { StringEqualsIfExists: { "sts:ExternalId": "x" } },
    { BoolIfExists: { "aws:MultiFactorAuthPresent": "true" } },
    { NumericLessThanIfExists: { "aws:MultiFactorAuthAge": "3600" } },
  ].map((condition) => ({
    name: `reports ${JSON.stringify(condition)} as high`,
    statement: statement(condition),
    findings: [{ ...weakens, severity: "high" as const, example: /"Condition"/ }],
  })),
  {
    name: "reports the organization of a principal * as high, that of a named one as a warning",
    type: "RESOURCE_POLICY",
    statement: ["*", { AWS: "arn:aws:iam::111122223333:root" }].map((Principal) => ({
      ...statement({ StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } })[0],
      Principal,
    })),
    findings: [
      { ...weakens, severity: "high", message: /callers from outside are not kept out/ },
      { ...weakens, at: 1 },
    ],
  },
  {
    name: "uses a configured severity as it is",
    statement: statement({ StringEqualsIfExists: { "sts:ExternalId": "x" } }),
    options: { severity: "low" },
    findings: [{ ...weakens, severity: "low" }],
  },
  {
    name: "switches each kind off by its option",
    statement: statement({ ...sourceIp, BoolIfExists: { "aws:SecureTransport": "true" } }),
    options: { warn_security_sensitive_allow: false, warn_always_present_keys: false },
    findings: [],
  },
  {
    name: "takes additional keys in any letter case",
    statement: statement({ StringEqualsIfExists: { "s3:authType": "x" } }),
    options: { additional_security_sensitive_keys: ["S3:AuthType"] },
    findings: [{ ...weakens, condition_key: "s3:authType" }],
  },
  {
    name: "accepts suggest_deny_ifexists, which does nothing",
    statement: statement({ StringNotEquals: { "aws:PrincipalOrgID": "o-1" } }, "Deny"),
    options: { suggest_deny_ifexists: true },
    findings: [],
  },
  {
    name: "follows the configured severity with the second kind only",
    statement: statement({ ...sourceIp, BoolIfExists: { "aws:SecureTransport": "true" } }),
    options: { severity: "high" },
    findings: [{ severity: "high" }, { severity: "info" }],
  },
]);
