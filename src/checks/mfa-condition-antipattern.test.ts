import { checkCases } from "../../test/support/check-cases.ts";
import { mfaConditionAntipattern } from "./mfa-condition-antipattern.ts";

const key = "aws:MultiFactorAuthPresent";
const statement = (Condition: object, Effect: unknown = "Allow") => [
  { Effect, Action: "s3:GetObject", Resource: "*", Condition },
];
const finding = (issue_type: string) => ({
  at: 0,
  issue_type,
  severity: "high" as const,
  field_name: "condition" as const,
  condition_key: key,
});

checkCases(mfaConditionAntipattern, [
  {
    name: "reports nothing on what requires MFA, and on other keys",
    statement: [
      ...statement({ Bool: { [key]: "true" }, BoolIfExists: { [key]: true } }),
      ...statement({ Bool: { "aws:SecureTransport": "false" } }),
      ...statement({ BoolIfExists: { [key]: "false" }, Null: { [key]: "true" } }, "Deny"),
      ...statement({ BoolIfExists: { [key]: "false" } }, "deny"),
    ],
    findings: [],
  },
  {
    name: "reports Bool false in an Allow: sessions without MFA are allowed",
    statement: statement({ Bool: { [key]: "false" } }),
    findings: [
      {
        ...finding("mfa_antipattern_bool_false"),
        message: /allows sessions/,
        suggestion: /`Bool` with the value `true`/,
        path: `/Statement/0/Condition/Bool/${key}`,
      },
    ],
  },
  {
    name: "reports Bool false in a Deny: it does not apply to long-term access keys",
    statement: statement({ Bool: { [key]: false } }, "Deny"),
    findings: [
      {
        ...finding("mfa_antipattern_bool_false"),
        message: /does not match requests made with long-term access keys/,
        suggestion: /`BoolIfExists` with the value `false`/,
        example: /"BoolIfExists":\s*\{\s*"aws:MultiFactorAuthPresent": "false"/,
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
      { ...finding("mfa_antipattern_null_false"), at: 1, severity: "warning" },
    ],
  },
  {
    name: "reports an Allow for requests without an age of MFA",
    statement: statement({ Null: { "aws:MultiFactorAuthAge": "true" } }),
    findings: [
      { ...finding("mfa_antipattern_null_true"), condition_key: "aws:MultiFactorAuthAge" },
    ],
  },
  {
    name: "accepts other tests of the age of MFA",
    statement: [
      ...statement({ Null: { "aws:MultiFactorAuthAge": "false" } }),
      ...statement({ NumericLessThan: { "aws:MultiFactorAuthAge": "3600" } }),
      ...statement({ Null: { "aws:MultiFactorAuthAge": "true" } }, "Deny"),
      ...statement({ NumericGreaterThanIfExists: { "aws:MultiFactorAuthAge": "3600" } }, "Deny"),
      ...statement({ Null: { "aws:MultiFactorAuthAge": "false" } }, "Deny"),
    ],
    findings: [],
  },
  {
    name: "accepts Bool false in a Deny beside a Deny of the same requests with Null true",
    statement: [
      ...statement({ Bool: { [key]: "false" } }, "Deny"),
      ...statement({ Null: { [key]: "true" } }, "Deny"),
    ],
    findings: [],
  },
  {
    name: "reports Bool false in a Deny beside a Deny of other actions with Null true",
    statement: [
      ...statement({ Bool: { [key]: "false" } }, "Deny"),
      { Effect: "Deny", Action: "s3:*", Resource: "*", Condition: { Null: { [key]: "true" } } },
    ],
    findings: [finding("mfa_antipattern_bool_false")],
  },
  {
    name: "reports Bool false in a Deny beside a Deny of other resources, whose letter case counts",
    statement: [
      {
        Effect: "Deny",
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::reports/A/*",
        Condition: { Bool: { [key]: "false" } },
      },
      {
        Effect: "Deny",
        Action: "S3:getobject",
        Resource: "arn:aws:s3:::reports/a/*",
        Condition: { Null: { [key]: "true" } },
      },
    ],
    findings: [finding("mfa_antipattern_bool_false")],
  },
  ...[{ Bool: { [key]: "true" } }, { NumericLessThan: { "aws:MultiFactorAuthAge": "3600" } }].map(
    (test) => ({
      name: `accepts Null false in an Allow beside ${JSON.stringify(test)}`,
      statement: statement({ Null: { [key]: "false" }, ...test }),
      findings: [],
    }),
  ),
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

const age = { NumericGreaterThan: { "aws:MultiFactorAuthAge": "3600" } };
const ageInDeny = {
  ...finding("mfa_antipattern_age_in_deny"),
  condition_key: "aws:MultiFactorAuthAge",
};

checkCases(mfaConditionAntipattern, [
  {
    name: "reports an age in a Deny: requests without MFA have none",
    statement: statement(age, "Deny"),
    findings: [
      {
        ...ageInDeny,
        message:
          "`NumericGreaterThan` on `aws:MultiFactorAuthAge` does not match requests without MFA, which lack the key, so this Deny does not apply to them.",
        suggestion:
          "Write `NumericGreaterThanIfExists`, which also holds for requests without the key.",
        example: /"NumericGreaterThanIfExists"/,
      },
    ],
  },
  {
    name: "reports it beside a Deny of other resources too",
    statement: [
      ...statement(age, "Deny"),
      { ...statement({ Null: { [key]: "true" } }, "Deny")[0], Resource: "arn:aws:s3:::other/*" },
    ],
    findings: [ageInDeny],
  },
  ...[
    ["IfExists", statement({ NumericGreaterThanIfExists: age.NumericGreaterThan }, "Deny")],
    ["an Allow", statement({ NumericLessThan: age.NumericGreaterThan })],
    [
      "a Deny of requests without the age",
      [
        ...statement(age, "Deny"),
        ...statement({ Null: { "aws:MultiFactorAuthAge": true } }, "Deny"),
      ],
    ],
    [
      "a Deny of requests without MFA",
      [...statement(age, "Deny"), ...statement({ BoolIfExists: { [key]: "false" } }, "Deny")],
    ],
    [
      "a Deny of session and of requests without the key",
      [
        ...statement({ Bool: { [key]: "false" } }, "Deny"),
        ...statement({ Null: { "aws:MultiFactorAuthAge": "true" } }, "Deny"),
      ],
    ],
  ].map(([name, statements]) => ({
    name: `reports nothing where requests without MFA are stopped as well: ${name}`,
    statement: statements as object[],
    findings: [],
  })),
]);
