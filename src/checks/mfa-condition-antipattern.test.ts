import { checkCases } from "../../test/support/check-cases.ts";
import { mfaConditionAntipattern } from "./mfa-condition-antipattern.ts";

const key = "aws:MultiFactorAuthPresent";
const statement = (Condition: object, Effect: unknown = "Allow") => [
  { Effect, Action: "s3:GetObject", Resource: "*", Condition },
];
const finding = (issue_type: string) => ({
  at: 0,
  issue_type,
  severity: "warning" as const,
  field_name: "condition" as const,
  condition_key: key,
});

checkCases(mfaConditionAntipattern, [
  {
    name: "is quiet on what demands MFA, and on other keys",
    statement: [
      ...statement({ Bool: { [key]: "true" }, BoolIfExists: { [key]: true } }),
      ...statement({ Bool: { "aws:SecureTransport": "false" } }),
      ...statement({ BoolIfExists: { [key]: "false" }, Null: { [key]: "true" } }, "Deny"),
      ...statement({ BoolIfExists: { [key]: "false" } }, "deny"),
    ],
    findings: [],
  },
  {
    name: "reports Bool false in an Allow: sessions without MFA are let in",
    statement: statement({ Bool: { [key]: "false" } }),
    findings: [
      {
        ...finding("mfa_antipattern_bool_false"),
        message: /grants access to sessions/,
        suggestion: /`Bool` with the value `true`/,
        path: `/Statement/0/Condition/Bool/${key}`,
      },
    ],
  },
  {
    name: "reports Bool false in a Deny: it misses long-term credentials",
    statement: statement({ Bool: { [key]: false } }, "Deny"),
    findings: [
      {
        ...finding("mfa_antipattern_bool_false"),
        message: /long-term credentials/,
        suggestion: /`BoolIfExists` with the value `false`/,
        example: /BoolIfExists/,
      },
    ],
  },
  {
    name: "reports BoolIfExists false outside a Deny, as high whatever is configured",
    statement: [
      ...statement({ BoolIfExists: { [key]: ["true", "FALSE"] } }),
      ...statement({ boolifexists: { [key]: "false" } }, null),
    ],
    options: { severity: "low" },
    findings: [
      {
        ...finding("mfa_antipattern_boolif_exists_false"),
        severity: "high",
        path: `/Statement/0/Condition/BoolIfExists/${key}/1`,
      },
      { ...finding("mfa_antipattern_boolif_exists_false"), at: 1, severity: "high" },
    ],
  },
  {
    name: "reports Null false in any effect, Null true outside a Deny",
    statement: [
      ...statement({ Null: { [key]: ["true", "false"] } }),
      ...statement({ Null: { [key]: ["true", "false"] } }, "Deny"),
    ],
    findings: [
      finding("mfa_antipattern_null_false"),
      finding("mfa_antipattern_null_true"),
      { ...finding("mfa_antipattern_null_false"), at: 1 },
    ],
  },
  {
    name: "reads key, operator and set prefix in any letter case, and reports each block once",
    statement: statement({
      "forallvalues:bool": { "AWS:multifactorauthpresent": "false" },
      BOOL: { [key]: ["false", "false"] },
    }),
    findings: [
      {
        ...finding("mfa_antipattern_bool_false"),
        condition_key: "AWS:multifactorauthpresent",
        message: /`forallvalues:bool`/,
      },
      { ...finding("mfa_antipattern_bool_false"), message: /`BOOL`/ },
    ],
  },
  {
    name: "reports several anti-patterns in the order of their kinds",
    statement: statement({
      Null: { [key]: "false" },
      BoolIfExists: { [key]: "false" },
      Bool: { [key]: "false" },
    }),
    findings: [
      finding("mfa_antipattern_bool_false"),
      { ...finding("mfa_antipattern_boolif_exists_false"), severity: "high" },
      finding("mfa_antipattern_null_false"),
    ],
  },
  {
    name: "matches neither NullIfExists nor unknown prefixes",
    statement: statement({
      NullIfExists: { [key]: "true" },
      "ForSomeValues:Bool": { [key]: "false" },
    }),
    findings: [],
  },
]);
