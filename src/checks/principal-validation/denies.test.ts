import { checkCases } from "../../../test/support/check-cases.ts";
import { principalValidation } from "../principal-validation.ts";

const deny = (elements: object) => ({
  Effect: "Deny",
  Action: "sns:Publish",
  Resource: "arn:aws:sns:us-east-1:111122223333:topic",
  ...elements,
});
const role = "arn:aws:iam::111122223333:role/x";
const root = "arn:aws:iam::111122223333:root";
const exempt = (operator: string, key: string, value: unknown, more: object = {}) =>
  deny({ Principal: "*", Condition: { [operator]: { [key]: value } }, ...more });
const everythingBut = (...NotAction: string[]) => ({ Effect: "Deny", NotAction, Resource: "*" });
const lockOut = { issue_type: "policy_lock_out" } as const;

checkCases(principalValidation, [
  {
    name: "reports a Deny for everyone that covers writing the policy of the resource",
    type: "RESOURCE_POLICY",
    statement: [
      deny({ Principal: "*", Action: "s3:*", Resource: ["arn:aws:s3:::b", "arn:aws:s3:::b/*"] }),
      deny({ Principal: { AWS: "*" }, Action: "kms:PutKeyPolicy", Resource: "*" }),
      deny({ Principal: "*", Action: undefined, NotAction: "sns:Publish" }),
      deny({
        Principal: "*",
        Action: "s3:*",
        Resource: "arn:aws-cn:s3:cn-north-1:111122223333:accesspoint/orders",
      }),
    ],
    findings: [
      {
        at: 0,
        issue_type: "policy_lock_out",
        severity: "high",
        action: "s3:PutBucketPolicy",
        message: /Only the root user/,
      },
      { at: 1, issue_type: "policy_lock_out", message: /safety check/ },
      { at: 2, issue_type: "policy_lock_out", action: "sns:SetTopicAttributes" },
      {
        at: 3,
        issue_type: "policy_lock_out",
        action: "s3:PutAccessPointPolicy",
        message: /includes the administrators of the owning account/,
      },
    ],
  },
  {
    name: "accepts a Deny for everyone of data, on objects, with a condition, or with an exemption",
    type: "RESOURCE_POLICY",
    statement: [
      deny({ Principal: "*", Action: "s3:DeleteObject", Resource: "arn:aws:s3:::b/*" }),
      deny({ Principal: "*", Action: "s3:*", Resource: "arn:aws:s3:::b/*" }),
      deny({ Principal: "*", Action: "s3:*", Resource: "arn:aws:s3:::*/*" }),
      deny({
        Principal: "*",
        Action: "s3:*",
        Resource: "arn:aws:s3:::b",
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      }),
      deny({
        Principal: "*",
        Action: "s3:*",
        Resource: "arn:aws:s3:::b",
        Condition: { ArnNotEquals: { "aws:PrincipalArn": role } },
      }),
      deny({ Principal: { AWS: role }, Action: "s3:*", Resource: "arn:aws:s3:::b" }),
    ],
    findings: [],
  },
  {
    name: "a Deny over named or all principals is clean when it exempts by name",
    statement: [
      deny({ Principal: "*" }),
      deny({ Principal: "*", Condition: { ArnNotLike: { "aws:PrincipalArn": role } } }),
      deny({ Principal: "*", Condition: { ArnLike: { "aws:PrincipalArn": "*" } } }),
      deny({ Principal: "*", Condition: { StringNotLike: { "aws:SourceVpc": "*" } } }),
      deny({ Principal: { Service: "*" } }),
    ],
    findings: [],
  },
  {
    name: "a Deny that exempts everybody by condition denies nothing, said at the value",
    statement: [
      deny({ Principal: "*", Condition: { ArnNotLike: { "aws:PrincipalArn": [role, " * "] } } }),
      deny({
        Principal: "*",
        Condition: { "ForAnyValue:StringNotLikeIfExists": { "aws:principaltag/x": "*" } },
      }),
      deny({ Principal: "*", Condition: { ArnNotEquals: { "aws:PrincipalArn": "*" } } }),
    ],
    findings: [
      {
        at: 0,
        issue_type: "ineffective_deny_carve_out",
        severity: "high",
        field_name: "condition",
        condition_key: null,
        path: "/Statement/0/Condition/ArnNotLike/aws:PrincipalArn/1",
      },
      { at: 1, issue_type: "ineffective_deny_carve_out" },
      { at: 2, issue_type: "ineffective_deny_carve_out" },
    ],
  },
  {
    name: "under an operator that compares plain text `*` exempts no principal; one finding at most",
    statement: deny({
      Principal: "*",
      Condition: {
        StringNotEquals: { "aws:PrincipalOrgID": "*" },
        StringNotLike: { "aws:userid": "*" },
      },
    }),
    findings: [{ issue_type: "literal_wildcard_deny_carve_out", field_name: "condition" }],
  },
  {
    name: "a Deny with NotPrincipal `*` denies nothing, and is asked for no conditions",
    statement: [deny({ NotPrincipal: "*" }), deny({ NotPrincipal: { AWS: [role, "*"] } })],
    findings: [
      {
        at: 0,
        issue_type: "ineffective_deny_carve_out",
        field_name: "principal",
        path: "/Statement/0/NotPrincipal",
        message: "`NotPrincipal` with `*` exempts everyone, so this Deny applies to no one.",
        suggestion: /^Deny to `Principal` `\*` and exempt callers/,
      },
      { at: 1, path: "/Statement/1/NotPrincipal/AWS/1" },
    ],
  },
  {
    name: "another Deny with NotPrincipal is held against the lists only",
    statement: deny({
      NotPrincipal: { AWS: [role, root] },
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    }),
    options: { blocked_principals: [root] },
    findings: [{ issue_type: "blocked_principal", path: "/Statement/0/NotPrincipal/AWS/1" }],
  },
  {
    name: "RCPs are left to other checks",
    statement: deny({ Principal: "*", Condition: { ArnNotLike: { "aws:PrincipalArn": "*" } } }),
    type: "RESOURCE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "locks out by a condition that every request meets, and by no other",
    type: "RESOURCE_POLICY",
    statement: [
      { ArnLike: { "aws:PrincipalArn": "*" } },
      { StringLikeIfExists: { "aws:PrincipalOrgID": "*" } },
      { DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
      { StringLike: { "aws:PrincipalOrgID": "*" } },
      { StringNotLikeIfExists: { "aws:SourceVpc": "*" } },
      { Null: { "aws:PrincipalArn": "false" } },
      { ArnLike: { "aws:PrincipalArn": "*" }, Bool: { "aws:SecureTransport": "false" } },
    ].map((Condition) => deny({ Principal: "*", Action: "sns:*", Condition })),
    findings: [0, 1, 2].map((at) => ({ ...lockOut, at })),
  },
  {
    name: "finds the policy of the resource among principals, actions and resources",
    type: "RESOURCE_POLICY",
    statement: [
      deny({
        Principal: { AWS: [role, "*"] },
        Action: ["sqs:SendMessage", "sqs:*"],
        Resource: ["arn:aws:sqs:us-east-1:111122223333:a", "arn:aws:s3:::b/*"],
      }),
      { Effect: "Deny", Principal: "*", Action: "ecr:*" },
      { ...everythingBut("sns:Publish", "sns:Subscribe"), Principal: "*" },
    ],
    findings: [
      { ...lockOut, at: 0, action: "sqs:SetQueueAttributes", field_name: "action" },
      { ...lockOut, at: 1, action: "ecr:SetRepositoryPolicy" },
      { ...lockOut, at: 2, field_name: "not_action", path: "/Statement/2/NotAction" },
    ],
  },
  {
    name: "writing the policy stays possible",
    type: "RESOURCE_POLICY",
    statement: [
      { ...everythingBut("sns:Publish", "*:Set*", "*:Put*", "*:Add*"), Principal: "*" },
      deny({ Principal: "*", Action: undefined }),
      { Effect: "Deny", Principal: "*", Action: "sns:*" },
      deny({ Principal: "*", Action: "sns:*", Resource: "topic" }),
      deny({ Principal: { Service: "*" }, Action: "sns:*" }),
      deny({
        Principal: "*",
        Action: "s3:*",
        Resource: "arn:aws:s3:eu-west-1:111122223333:accesspoint/orders/object/*",
      }),
    ],
    findings: [],
  },
  {
    name: "a trust policy is not written by an action of a resource",
    type: "TRUST_POLICY",
    statement: deny({ Principal: "*", Action: "*", Resource: "*" }),
    findings: [],
  },
  {
    name: "says whom an exemption of all spares, and shows the others",
    statement: [
      exempt("ArnNotLike", "aws:PrincipalArn", [role, "*", root]),
      exempt("StringNotLike", "aws:PrincipalOrgID", ["o-a1b2c3d4e5", "*"]),
      exempt("ArnNotLike", "aws:PrincipalArn", "*"),
    ],
    findings: [
      {
        at: 0,
        message:
          "The value `*` of `ArnNotLike` on `aws:PrincipalArn` exempts every caller that has the key. Every signed request carries it, so the Deny applies to no signed-in caller.",
        suggestion: /^Name the callers that are exempt/,
        example: /"aws:PrincipalArn": \[\s+"[^"]+role\/x",\s+"[^"]+root"\s+\]/,
      },
      {
        at: 1,
        message:
          "The value `*` of `StringNotLike` on `aws:PrincipalOrgID` exempts every caller that has the key.",
        example: /"aws:PrincipalOrgID": "o-a1b2c3d4e5"/,
      },
      { at: 2, example: null },
    ],
  },
  {
    name: "says whether a Deny whose exemption spares no one applies to every caller",
    statement: [
      exempt("StringNotEquals", "aws:PrincipalOrgID", "*"),
      exempt("StringNotEquals", "aws:PrincipalOrgID", "*", { Principal: { AWS: [role, "*"] } }),
      exempt("StringNotEquals", "aws:PrincipalOrgID", "*", { Principal: { AWS: role } }),
      exempt("StringNotEquals", "aws:PrincipalOrgID", "*", { Principal: { Service: "*" } }),
      exempt("StringNotEquals", "aws:PrincipalOrgID", ["*", "o-a1b2c3d4e5"]),
      exempt("ForAnyValue:StringNotEquals", "aws:PrincipalOrgPaths", "*"),
    ],
    findings: [
      {
        at: 0,
        message:
          "`StringNotEquals` compares the value of `aws:PrincipalOrgID` as text, so the `*` exempts no caller. The Deny applies to every caller.",
        suggestion: /^Give the exact value/,
      },
      { at: 1, message: /applies to every caller\.$/ },
      { at: 2, message: /exempts no caller\.$/ },
      { at: 3, message: /exempts no caller\.$/ },
      { at: 4, message: /exempts no caller\.$/ },
      { at: 5, message: /exempts no caller\.$/ },
    ],
  },
]);
