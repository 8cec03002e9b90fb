import { z } from "zod";
import { defineCheck, type Report } from "../engine/check.ts";
import type { ConditionEntry, Policy, Statement } from "../policy/model.ts";
import { ageInDeny } from "./mfa-condition-antipattern/age-in-deny.ts";
import { ageKey, isDeniedWithoutKey, mfaKey } from "./mfa-condition-antipattern/other-denies.ts";
import { statementWithCondition } from "./shared/corrected.ts";
import { fixedBy } from "./shared/fixed-by.ts";
import { quote } from "./shared/quote.ts";

/** A form of condition that does not require MFA: operator, value, and what it means by effect. */
interface AntiPattern {
  readonly issue_type: string;
  /** Used whatever severity is configured. */
  readonly severity?: "high";
  readonly base: "Bool" | "Null";
  readonly ifExists: boolean;
  readonly value: "true" | "false";
  /** In a Deny it is what AWS recommends. */
  readonly fineInDeny: boolean;
  readonly meaning: (denies: boolean) => string;
}

const antiPatterns: readonly AntiPattern[] = [
  {
    issue_type: "mfa_antipattern_bool_false",
    base: "Bool",
    ifExists: false,
    value: "false",
    fineInDeny: false,
    meaning: (denies) =>
      denies
        ? "does not match requests made with long-term access keys, which lack the key, so this Deny does not apply to them"
        : "allows sessions that signed in without MFA",
  },
  {
    issue_type: "mfa_antipattern_boolif_exists_false",
    severity: "high",
    base: "Bool",
    ifExists: true,
    value: "false",
    fineInDeny: true,
    meaning: () =>
      "allows sessions without MFA and long-term access keys: everyone except callers who used MFA",
  },
  {
    issue_type: "mfa_antipattern_null_false",
    base: "Null",
    ifExists: false,
    value: "false",
    fineInDeny: false,
    meaning: (denies) =>
      denies
        ? "denies every request with temporary credentials, with or without MFA, and does not apply to long-term access keys"
        : "asks only whether the credentials are temporary; sessions without MFA have the key too",
  },
  {
    issue_type: "mfa_antipattern_null_true",
    base: "Null",
    ifExists: false,
    value: "true",
    fineInDeny: true,
    meaning: () =>
      "allows only requests that lack the key, such as those made with long-term access keys",
  },
];

export const mfaConditionAntipattern = defineCheck({
  check_id: "mfa_condition_antipattern",
  default_severity: "high",
  description: "Conditions on multi-factor authentication require it.",
  docstring: `\`aws:MultiFactorAuthPresent\` is in a request only when it was signed with temporary credentials; requests with
access keys of a user lack it. Conditions that forget this do not require MFA. Reported are:

| Condition on the key | Meaning |
| --- | --- |
| \`Bool\` \`false\` | in an Allow: sessions without MFA are allowed; in a Deny: access keys are not denied |
| \`BoolIfExists\` \`false\`, not in a Deny | everyone without MFA is allowed |
| \`Null\` \`false\` | says only that the credentials are temporary |
| a minimum of \`aws:MultiFactorAuthAge\` in a Deny | requests without MFA are not denied |
| \`Null\` \`true\`, not in a Deny | allows only requests without the key; so does the test of \`aws:MultiFactorAuthAge\` |

Nothing is reported for \`Bool\` \`false\` or an age in a Deny where another Deny of the same requests has \`Null\`
\`true\` or \`BoolIfExists\` \`false\`, nor for \`Null\` \`false\` in an Allow that tests MFA in another entry.

To require MFA, use \`Bool\` \`true\` in an Allow, or \`BoolIfExists\` \`false\` in a Deny.`,
  risk_explanation:
    "The policy looks as if it required a second factor and does not: a stolen password or access key is enough.",
  risk_category: "credential_exposure",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html",
  remediation_steps: [
    'In an Allow, use `"Bool": {"aws:MultiFactorAuthPresent": "true"}`.',
    'In a Deny, use `"BoolIfExists": {"aws:MultiFactorAuthPresent": "false"}`.',
  ],
  options: z.strictObject({}),
  issue_types: {
    mfa_antipattern_bool_false: {
      severity: "check",
      when: "Bool tests the key for false.",
    },
    mfa_antipattern_boolif_exists_false: {
      severity: "high",
      when: "BoolIfExists tests the key for false, and the statement does not deny.",
    },
    mfa_antipattern_null_false: {
      severity: ["high", "warning"],
      when: "Null tests the key for false and nothing else tests MFA: high in an Allow, a warning in a Deny.",
    },
    mfa_antipattern_null_true: {
      severity: "check",
      when: "Null tests the key for true, and the statement does not deny.",
    },
    mfa_antipattern_age_in_deny: {
      severity: "check",
      when: "A Deny of old sign-ins leaves requests without MFA alone.",
    },
  },
  examples: {
    bad: [
      {
        title: "The Deny does not apply to requests that are signed with access keys.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Deny",
              Action: "s3:DeleteObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: { Bool: { "aws:MultiFactorAuthPresent": "false" } },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "With `IfExists` the Deny covers access keys as well.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Deny",
              Action: "s3:DeleteObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: { BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } },
            },
          ],
        },
      },
    ],
  },

  element: "Condition",
  concerns: ({ conditions }) => conditions.some(isAboutMfa),
  *runStatement(statement, { policy, severity }) {
    const entries = statement.conditions.filter(isAboutMfa);
    const { denies } = statement;
    for (const antiPattern of antiPatterns) {
      if (denies && antiPattern.fineInDeny) continue;
      if (isCovered(antiPattern, statement, policy)) continue;
      const milder = denies && antiPattern.base === "Null" && severity === "high";
      for (const report of matches(antiPattern, entries, statement)) {
        yield milder ? { ...report, severity: "warning" } : report;
      }
    }
    yield* ageInDeny(statement, policy);
  },
});

function isAboutMfa({ keyLower }: ConditionEntry): boolean {
  return keyLower === mfaKey || keyLower === ageKey;
}

/** Whether something else in the policy tests what the form leaves out. */
function isCovered(antiPattern: AntiPattern, statement: Statement, policy: Policy): boolean {
  const { base, value } = antiPattern;
  if (base === "Null" && value === "false") return !statement.denies && requiresMfa(statement);
  // The only other form that is reported in a Deny is Bool false.
  return statement.denies && isDeniedWithoutKey(statement, policy);
}

function requiresMfa({ conditions }: Statement): boolean {
  return conditions.some(
    ({ operator, keyLower, values }) =>
      (keyLower === mfaKey &&
        operator?.base.name === "Bool" &&
        values.every(({ text }) => text.toLowerCase() === "true")) ||
      (keyLower === ageKey && operator?.base.name.startsWith("NumericLess")),
  );
}

/** One report per operator block that has the form. */
function* matches(
  antiPattern: AntiPattern,
  entries: readonly ConditionEntry[],
  statement: Statement,
): Iterable<Report> {
  const { base, ifExists, value, issue_type, severity, meaning } = antiPattern;
  const { denies } = statement;
  const blocks = new Set<string>();
  for (const entry of entries) {
    const { operator, operatorText, key, values } = entry;
    if (operator?.base.name !== base || operator.ifExists !== ifExists) continue;
    // Only callers with MFA have the age, so to ask for it asks for MFA.
    if (entry.keyLower === ageKey && issue_type !== "mfa_antipattern_null_true") continue;
    const bad = values.find(({ text }) => text.toLowerCase() === value);
    if (!bad || blocks.has(operatorText)) continue;
    blocks.add(operatorText);
    const name = entry.keyLower === mfaKey ? key : "aws:MultiFactorAuthPresent";
    const required = denies ? { BoolIfExists: { [name]: "false" } } : { Bool: { [name]: "true" } };
    yield {
      issue_type,
      ...(severity ? { severity } : {}),
      field_name: "condition",
      condition_key: key,
      node: bad.node,
      message: `${quote(operatorText)} with ${quote(key)} \`${value}\` ${meaning(denies)}.`,
      suggestion: denies
        ? "To require MFA in a Deny, use `BoolIfExists` with the value `false`."
        : "To require MFA in an Allow, use `Bool` with the value `true`.",
      ...fixedBy(() => statementWithCondition(statement, required, {}, entries), {
        title: denies
          ? "Deny with BoolIfExists false, which also stops requests without the key"
          : "Require MFA with Bool true",
        effect: denies && base === "Bool" && entries.length === 1 ? "narrows" : "changes",
      }),
    };
  }
}
