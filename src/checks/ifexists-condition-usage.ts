import { z } from "zod";
import type { PolicyType } from "../../spec/policy.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Operator } from "../policy/condition-operator.ts";
import { globalConditionKey } from "../policy/global-condition-keys.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import { isSourceKey } from "./condition-effect/key-facts.ts";
import { mfaKey, withoutKey } from "./shared/callers-without-key.ts";
import { statementWithCondition } from "./shared/corrected.ts";
import { fixedBy } from "./shared/fixed-by.ts";
import { nullCheckedKeys } from "./shared/null-checked.ts";
import { quote } from "./shared/quote.ts";

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

const weakens = "ifexists_weakens_security_condition";

export const ifexistsConditionUsage = defineCheck({
  check_id: "ifexists_condition_usage",
  default_severity: "warning",
  description: "IfExists neither opens a gap nor stands where it does nothing.",
  docstring: `With the suffix \`IfExists\` a condition holds when the request does not carry the key. Reported are:

- **In an Allow, on a key that limits who may use it** (\`aws:SourceIp\`, \`aws:PrincipalOrgID\`, \`aws:SourceVpc\` and
  the like, and those of \`additional_security_sensitive_keys\`): a request without the key is allowed. A test
  \`"Null": {"<key>": "false"}\` in the same condition requires the key, and nothing is reported. Severity \`high\` for
  \`sts:ExternalId\`, for MFA that is required, and for the organization or account of a principal \`*\`.
- **On a key that every request carries**, such as \`aws:SecureTransport\`: the suffix does nothing.

In a Deny, \`IfExists\` makes the Deny apply to requests without the key as well; nothing is reported there.
Other forms of MFA conditions are reported by \`mfa_condition_antipattern\`.`,
  risk_explanation:
    "Whether a request carries a key is often for the caller to choose: requests with long-term access keys carry no MFA key, and calls from outside a VPC no VPC key. An Allow that accepts requests without the key does not limit them.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_IfExists",
  remediation_steps: [
    "Remove `IfExists` where the request must carry the key.",
    'Or keep it and add `"Null": {"<key>": "false"}`.',
    "Where some actions do not carry the key, put them into a separate statement.",
  ],
  options,
  issue_types: {
    ifexists_on_always_present_key: {
      severity: "info",
      when: "IfExists stands on a key that every request carries.",
    },
    ifexists_weakens_security_condition: {
      severity: ["high", "warning"],
      when: "IfExists stands on a security-sensitive key in an Allow, and the condition does not require the key: high for an external id, required MFA, and the organization or account of a principal `*`.",
    },
  },
  examples: {
    bad: [
      {
        title: "Requests that carry no source address are allowed.",
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
        title: "The request must come from this address range.",
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

  element: "Condition",
  concerns: ({ conditions }) => conditions.some(({ operator }) => operator?.ifExists === true),
  *runStatement(statement, { options, severity, decisions, policy }: CheckContext<Options>) {
    const isPublic = decisions("no_public_access").violated.has(statement.index);
    for (const entry of statement.conditions) {
      const { operator } = entry;
      if (!operator?.ifExists || operator.base.type === null) continue;
      for (const report of reportsOn(entry, operator, statement, options, policy.type)) {
        // The request that gets past the condition is shown by that finding.
        if (isPublic && report.issue_type === weakens) continue;
        // A configured severity is used as it is.
        const grave = report.severity === "high" && severity !== "warning" ? { severity } : {};
        const place = { condition_key: entry.key, node: entry.keyNode };
        // Where the entry is why another finding says that no condition limits, that is the same fact.
        const about = report.issue_type === weakens ? { about: entry.keyNode } : {};
        yield { field_name: "condition", ...place, ...about, ...report, ...grave };
      }
    }
  },
});

function* reportsOn(
  entry: ConditionEntry,
  operator: Operator,
  statement: Statement,
  options: Options,
  type: PolicyType,
): Iterable<Report> {
  const { key, keyLower, operatorText } = entry;
  const global = globalConditionKey(key);
  const plain = plainName(operator);
  if (options.warn_always_present_keys && global?.alwaysPresent) {
    yield {
      issue_type: "ifexists_on_always_present_key",
      severity: "info",
      message: `Every request carries ${quote(key)}, so \`IfExists\` in ${quote(operatorText)} does nothing.`,
      suggestion: `Write \`${plain}\`.`,
      ...fixedBy(() => withoutSuffix(entry, plain, statement), {
        title: "Remove IfExists, because every request has the key",
        effect: "equivalent",
        argument: "Every request has the key, so the suffix never decides.",
      }),
    };
  }
  if (!options.warn_security_sensitive_allow || !statement.allows) return;
  if (nullCheckedKeys(statement).has(keyLower)) return;
  const grave = withoutKey(entry, operator, statement);
  // Other forms of the MFA key are for mfa_condition_antipattern.
  if (!grave && keyLower === mfaKey) return;
  if (!grave && !global?.securitySensitive && !isConfigured(keyLower, options)) return;
  yield {
    issue_type: weakens,
    ...(grave ? { severity: "high" } : {}),
    message: `With ${quote(operatorText)} this Allow also applies to requests without ${quote(key)}${grave ?? ""}.`,
    ...(type === "IDENTITY_POLICY" && isSourceKey(keyLower)
      ? { suggestion: "Remove the test, or put it into the policy of the resource." }
      : requiringKey(entry, operator, statement)),
  };
}

const argument = "The Allow then requires the key, whatever the other statements say.";

/** Negated operators and `ForAllValues` hold for requests without the key also without the suffix. */
function requiringKey(
  entry: ConditionEntry,
  operator: Operator,
  statement: Statement,
): Pick<Report, "suggestion" | "correction" | "fix"> {
  const plain = plainName(operator);
  const { key } = entry;
  if (operator.base.negated || operator.setPrefix === "ForAllValues") {
    return {
      suggestion: `Add \`"Null": {${JSON.stringify(key)}: "false"}\` to the condition: \`${plain}\` also holds for requests without the key.`,
      ...fixedBy(() => statementWithCondition(statement, { Null: { [key]: "false" } }), {
        title: "Add a Null test, so that the request must have the key",
        effect: "narrows",
        argument,
      }),
    };
  }
  return {
    suggestion: `Write \`${plain}\`, or require the key with \`Null\` \`false\` in the same condition.`,
    ...fixedBy(() => withoutSuffix(entry, plain, statement), {
      title: "Remove IfExists, so that the request must have the key",
      effect: "narrows",
      argument,
    }),
  };
}

function withoutSuffix(entry: ConditionEntry, plain: string, statement: Statement) {
  const value = entry.values.map(({ raw }) => raw);
  const added = { [plain]: { [entry.key]: value.length === 1 ? value[0] : value } };
  return statementWithCondition(statement, added, {}, [entry]);
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
