import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Operator } from "../policy/condition-operator.ts";
import { globalConditionKey } from "../policy/global-condition-keys.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import { nullCheckedKeys } from "./shared/null-checked.ts";
import { quote } from "./shared/quote.ts";

/** What IfExists does to this key is the subject of mfa_condition_antipattern. */
const mfaKey = "aws:multifactorauthpresent";

const options = z.strictObject({
  warn_security_sensitive_allow: z
    .boolean()
    .default(true)
    .describe("Report IfExists on security-sensitive keys in Allow statements."),
  warn_always_present_keys: z
    .boolean()
    .default(true)
    .describe("Report IfExists on keys that every request carries."),
  additional_security_sensitive_keys: z
    .array(z.string())
    .default([])
    .describe("Condition keys to treat as security-sensitive, in any letter case."),
  suggest_deny_ifexists: z
    .boolean()
    .default(false)
    .describe("Accepted for the sake of older files; has no effect."),
});
type Options = z.output<typeof options>;

export const ifexistsConditionUsage = defineCheck({
  check_id: "ifexists_condition_usage",
  default_severity: "warning",
  description: "IfExists neither opens a gap nor stands where it does nothing.",
  docstring: `With the suffix \`IfExists\` a condition holds when the request does not carry the key. Reported are:

- **In an Allow, on a key that draws a boundary** (\`aws:SourceIp\`, \`aws:PrincipalOrgID\`, \`aws:SourceVpc\` and their
  like, and those of \`additional_security_sensitive_keys\`): a request without the key is let through. A check
  \`"Null": {"<key>": "false"}\` in the same condition closes the gap and silences the finding.
- **On a key that every request carries**, such as \`aws:SecureTransport\`: the suffix does nothing.

In a Deny, \`IfExists\` makes the denial cover requests without the key as well; nothing is reported there.
\`aws:MultiFactorAuthPresent\` is left to \`mfa_condition_antipattern\`.`,
  risk_explanation:
    "Whether a request carries a key is often in the caller's hand: calls through another service or from outside a VPC lack it. An Allow that accepts the absence of its boundary has none.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_IfExists",
  remediation_steps: [
    "Remove `IfExists` where the key must be there.",
    'Or keep it and add `"Null": {"<key>": "false"}`.',
    "Where some actions do not carry the key, put them into a statement of their own.",
  ],
  options,
  issue_types: {
    ifexists_on_always_present_key: {
      severity: "info",
      when: "IfExists stands on a key that every request carries.",
    },
    ifexists_weakens_security_condition: {
      severity: "check",
      when: "IfExists stands on a security-sensitive key in an Allow, and the condition does not demand the key.",
    },
  },
  examples: {
    bad: [
      {
        title: "Whoever calls without a source address is let in.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: { IpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The address must be there and match.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
            },
          ],
        },
      },
    ],
  },

  *runStatement(statement, { options }: CheckContext<Options>) {
    for (const entry of statement.conditions) {
      const { operator, keyLower } = entry;
      if (!operator?.ifExists || operator.base.type === null || keyLower === mfaKey) continue;
      for (const report of judge(entry, operator, statement, options)) {
        yield { field_name: "condition", condition_key: entry.key, node: entry.keyNode, ...report };
      }
    }
  },
});

function* judge(
  { key, keyLower, operatorText }: ConditionEntry,
  operator: Operator,
  statement: Statement,
  options: Options,
): Iterable<Report> {
  const global = globalConditionKey(key);
  const plain = plainName(operator);
  if (options.warn_always_present_keys && global?.alwaysPresent) {
    yield {
      issue_type: "ifexists_on_always_present_key",
      severity: "info",
      message: `Every request carries ${quote(key)}, so \`IfExists\` in ${quote(operatorText)} does nothing.`,
      suggestion: `Write \`${plain}\`.`,
    };
  }
  if (
    options.warn_security_sensitive_allow &&
    statement.effect === "Allow" &&
    (global?.securitySensitive || isConfigured(keyLower, options)) &&
    !nullCheckedKeys(statement).has(keyLower)
  ) {
    yield {
      issue_type: "ifexists_weakens_security_condition",
      message: `With ${quote(operatorText)} this Allow also applies to requests that do not carry ${quote(key)}, so the boundary can be walked around.`,
      suggestion: `Write \`${plain}\`, or demand the key with a \`Null\` check of the value \`false\` beside it.`,
      example: JSON.stringify({ Null: { [key]: "false" } }, null, 2),
    };
  }
}

/** The operator without the suffix, in AWS's spelling, the set prefix kept. */
function plainName({ base, setPrefix }: Operator): string {
  return setPrefix ? `${setPrefix}:${base.name}` : base.name;
}

const configured = new WeakMap<Options, ReadonlySet<string>>();

function isConfigured(keyLower: string, options: Options): boolean {
  let keys = configured.get(options);
  if (!keys) {
    keys = new Set(
      options.additional_security_sensitive_keys.map((key) => key.trim().toLowerCase()),
    );
    configured.set(options, keys);
  }
  return keys.has(keyLower);
}
