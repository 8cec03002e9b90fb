import { z } from "zod";
import { defineCheck, type Report } from "../engine/check.ts";
import type { ConditionEntry } from "../policy/model.ts";
import { quote } from "./shared/quote.ts";

const mfaKey = "aws:multifactorauthpresent";

const denyExample = `{
  "Effect": "Deny",
  "NotAction": ["iam:ListMFADevices", "iam:EnableMFADevice", "sts:GetSessionToken"],
  "Resource": "*",
  "Condition": { "BoolIfExists": { "aws:MultiFactorAuthPresent": "false" } }
}`;

const allowExample = `{
  "Effect": "Allow",
  "Action": "s3:DeleteObject",
  "Resource": "arn:aws:s3:::example-bucket/*",
  "Condition": { "Bool": { "aws:MultiFactorAuthPresent": "true" } }
}`;

/** One anti-pattern: an operator, the value that makes it one, and what it means by effect. */
interface AntiPattern {
  readonly issue_type: string;
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
        ? "does not hold for requests with long-term credentials, which lack the key, so this denial misses the very requests without MFA that access keys make"
        : "grants access to sessions that signed in without MFA",
  },
  {
    issue_type: "mfa_antipattern_boolif_exists_false",
    severity: "high",
    base: "Bool",
    ifExists: true,
    value: "false",
    fineInDeny: true,
    meaning: () =>
      "grants access to sessions without MFA and to long-term credentials alike: everyone but those who used MFA",
  },
  {
    issue_type: "mfa_antipattern_null_false",
    base: "Null",
    ifExists: false,
    value: "false",
    fineInDeny: false,
    meaning: (denies) =>
      denies
        ? "denies every session that says whether it used MFA, and misses long-term credentials, which do not"
        : "asks only whether the session says something about MFA; it also says so when it did not use MFA",
  },
  {
    issue_type: "mfa_antipattern_null_true",
    base: "Null",
    ifExists: false,
    value: "true",
    fineInDeny: true,
    meaning: () => "grants access exactly when nothing is known about MFA, as with access keys",
  },
];

export const mfaConditionAntipattern = defineCheck({
  check_id: "mfa_condition_antipattern",
  default_severity: "warning",
  description: "Conditions on multi-factor authentication demand it.",
  docstring: `\`aws:MultiFactorAuthPresent\` is in a request only when it was signed with temporary credentials; requests with
access keys of a user lack it. Conditions that forget this do not demand MFA. Reported are:

| Condition on the key | Meaning |
| --- | --- |
| \`Bool\` \`false\` | in an Allow: sessions without MFA are let in; in a Deny: access keys slip through |
| \`BoolIfExists\` \`false\`, not in a Deny | everyone without MFA is let in |
| \`Null\` \`false\` | says only that the key is there, not that it is true |
| \`Null\` \`true\`, not in a Deny | lets in whoever has no MFA information at all |

To demand MFA, use \`Bool\` \`true\` in an Allow, or \`BoolIfExists\` \`false\` in a Deny.`,
  risk_explanation:
    "The policy looks as if it demanded a second factor and does not: a stolen password or access key is enough.",
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
    mfa_antipattern_null_false: { severity: "check", when: "Null tests the key for false." },
    mfa_antipattern_null_true: {
      severity: "check",
      when: "Null tests the key for true, and the statement does not deny.",
    },
  },
  examples: {
    bad: [
      {
        title: "The denial misses requests that are signed with access keys.",
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
        title: "With `IfExists` the denial covers access keys as well.",
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

  *runStatement(statement) {
    const entries = statement.conditions.filter(({ keyLower }) => keyLower === mfaKey);
    if (entries.length === 0) return;
    const denies = statement.effect?.toLowerCase() === "deny";
    for (const antiPattern of antiPatterns) {
      if (denies && antiPattern.fineInDeny) continue;
      yield* matches(antiPattern, entries, denies);
    }
  },
});

/** One report per operator block that has the anti-pattern. */
function* matches(
  antiPattern: AntiPattern,
  entries: readonly ConditionEntry[],
  denies: boolean,
): Iterable<Report> {
  const { base, ifExists, value, issue_type, severity, meaning } = antiPattern;
  const blocks = new Set<string>();
  for (const { operator, operatorText, key, values } of entries) {
    if (operator?.base.name !== base || operator.ifExists !== ifExists) continue;
    const bad = values.find(({ text }) => text.toLowerCase() === value);
    if (!bad || blocks.has(operatorText)) continue;
    blocks.add(operatorText);
    yield {
      issue_type,
      ...(severity ? { severity } : {}),
      field_name: "condition",
      condition_key: key,
      node: bad.node,
      message: `${quote(operatorText)} with ${quote(key)} \`${value}\` ${meaning(denies)}.`,
      suggestion: denies
        ? "To demand MFA in a Deny, use `BoolIfExists` with the value `false`."
        : "To demand MFA in an Allow, use `Bool` with the value `true`.",
      example: denies ? denyExample : allowExample,
    };
  }
}
