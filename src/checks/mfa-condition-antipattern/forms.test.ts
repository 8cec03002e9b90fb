import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { mfaConditionAntipattern } from "../mfa-condition-antipattern.ts";

const present = "aws:MultiFactorAuthPresent";
const age = "aws:MultiFactorAuthAge";
const under = (Condition: object, Effect = "Allow") => ({
  Effect,
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
});
const old = { NumericGreaterThan: { [age]: "3600" } };

checkCases(mfaConditionAntipattern, [
  ...[
    [
      { Bool: { [present]: "false" } },
      `\`Bool\` with \`${present}\` \`false\` allows sessions that signed in without MFA.`,
    ],
    [
      { BoolIfExists: { [present]: "false" } },
      `\`BoolIfExists\` with \`${present}\` \`false\` allows sessions without MFA and long-term access keys: everyone except callers who used MFA.`,
    ],
    [
      { Null: { [present]: "false" } },
      `\`Null\` with \`${present}\` \`false\` asks only whether the credentials are temporary; sessions without MFA have the key too.`,
    ],
    [
      { Null: { [present]: "true" } },
      `\`Null\` with \`${present}\` \`true\` allows only requests that lack the key, such as those made with long-term access keys.`,
    ],
  ].map(([condition, message]) => ({
    name: `says what an Allow does under ${JSON.stringify(condition)}`,
    statement: under(condition as object),
    findings: [{ message: message as string }],
  })),
  {
    name: "says what a Deny does under Null false",
    statement: under({ Null: { [present]: "false" } }, "Deny"),
    findings: [
      {
        severity: "warning",
        message: `\`Null\` with \`${present}\` \`false\` denies every request with temporary credentials, with or without MFA, and does not apply to long-term access keys.`,
      },
    ],
  },
  {
    name: "keeps a configured severity of a Deny",
    statement: under({ Null: { [present]: "false" } }, "Deny"),
    options: { severity: "low" },
    findings: [{ issue_type: "mfa_antipattern_null_false", severity: "low" }],
  },
  {
    name: "reports Bool false in a Deny as high",
    statement: under({ Bool: { [present]: "false" } }, "Deny"),
    findings: [{ issue_type: "mfa_antipattern_bool_false", severity: "high" }],
  },
  ...[
    ["another key", { Bool: { "aws:SecureTransport": "true" } }],
    ["the key as text", { StringEquals: { [present]: "true" } }],
    ["the key for either", { Bool: { [present]: ["true", "false"] } }],
    ["that the session is old", old],
    ["a number of another key", { NumericLessThan: { "s3:max-keys": "10" } }],
    ["the age with an operator that does not exist", { NumericSmaller: { [age]: "3600" } }],
  ].map(([name, test]) => ({
    name: `reports Null false beside a test of ${name}`,
    statement: under({ Null: { [present]: "false" }, ...(test as object) }),
    findings:
      name === "the key for either"
        ? [
            { issue_type: "mfa_antipattern_bool_false" },
            { issue_type: "mfa_antipattern_null_false" },
          ]
        : [{ issue_type: "mfa_antipattern_null_false" }],
  })),
  {
    name: "reports Null true beside a test of MFA, which no request can pass",
    statement: under({ Null: { [present]: "true" }, Bool: { [present]: "true" } }),
    findings: [{ issue_type: "mfa_antipattern_null_true" }],
  },
  {
    name: "reports one block of operators once, whichever keys it has",
    statement: under({ Null: { [age]: "true", [present]: "true" } }),
    findings: [{ issue_type: "mfa_antipattern_null_true", condition_key: age }],
  },
  {
    name: "reports an age in a Deny beside tests of other keys",
    statement: under({ StringEquals: { "aws:PrincipalTag/team": "data" }, ...old }, "Deny"),
    findings: [{ issue_type: "mfa_antipattern_age_in_deny", condition_key: age }],
  },
  ...[
    ["an Allow", under(old)],
    ["a Deny of sessions with MFA", under({ ...old, Bool: { [present]: "true" } }, "Deny")],
    [
      "a Deny of a span of ages",
      under({ ...old, NumericGreaterThanEquals: { [age]: "7200" } }, "Deny"),
    ],
    [
      "a Deny of all ages, which are true of none",
      under({ "ForAllValues:NumericGreaterThan": { [age]: "3600" } }, "Deny"),
    ],
    ["a Deny of young ages", under({ NumericLessThan: { [age]: "3600" } }, "Deny")],
    ["an operator that does not exist", under({ NumericOver: { [age]: "3600" } }, "Deny")],
  ].map(([name, statement]) => ({
    name: `does not report the age in ${name}`,
    statement: statement as object,
    findings: [],
  })),
]);

describe("fixes", () => {
  fixCases([
    {
      name: "requires MFA in an Allow",
      of: "mfa_condition_antipattern/mfa_antipattern_bool_false",
      before: under({ Bool: { [present]: "false" } }),
      after: under({ Bool: { [present]: "true" } }),
      effect: "changes",
    },
    {
      name: "names the key of MFA in place of its age",
      of: "mfa_condition_antipattern/mfa_antipattern_null_true",
      before: under({ Null: { [age]: "true" } }),
      after: under({ Bool: { [present]: "true" } }),
      effect: "changes",
    },
    {
      name: "keeps the spelling of the key",
      of: "mfa_condition_antipattern/mfa_antipattern_null_false",
      before: under({ Null: { "AWS:multifactorauthpresent": "false" } }, "Deny"),
      after: under({ BoolIfExists: { "AWS:multifactorauthpresent": "false" } }, "Deny"),
      effect: "changes",
    },
    {
      name: "promises nothing of a Deny that also tests the age",
      of: "mfa_condition_antipattern/mfa_antipattern_bool_false",
      before: under({ Bool: { [present]: "false" }, ...old }, "Deny"),
      after: under({ BoolIfExists: { [present]: "false" } }, "Deny"),
      effect: "changes",
    },
  ]);
});
