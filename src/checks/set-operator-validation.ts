import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Operator } from "../policy/condition-operator.ts";
import { globalConditionKey } from "../policy/global-condition-keys.ts";
import { identityProviderKey } from "../policy/identity-provider-key.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import type { ConditionKey } from "../services/model.ts";
import { nullCheckedKeys } from "./shared/null-checked.ts";
import { quote } from "./shared/quote.ts";
import { keyLookup } from "./shared/statement-keys.ts";

export const setOperatorValidation = defineCheck({
  check_id: "set_operator_validation",
  default_severity: "warning",
  description:
    "ForAllValues and ForAnyValue are used with multivalued keys and guarded against absent keys.",
  docstring: `The prefixes \`ForAllValues:\` and \`ForAnyValue:\` are for keys that carry several values in one request, such as
\`aws:TagKeys\`. Reported are:

- a prefix on a **key with a single value**. Multivalued are some global keys, \`amr\` claims of identity providers,
  and keys whose type in the service reference begins with \`ArrayOf\`;
- **\`ForAllValues\` in an Allow** without a check that the key is there: when a request does not carry the key, all
  of its no values match, and the Allow applies;
- **\`ForAnyValue\` in a Deny** without such a check: when a request does not carry the key, no value matches, and the
  Deny does not apply.

The check that counts is \`"Null": {"<key>": "false"}\` in the same condition.`,
  risk_explanation:
    "A set operator decides by the values a request carries, and a request that carries none passes it in an unexpected way: an Allow opens to everyone, a Deny lets the request through.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_multi-value-conditions.html",
  remediation_steps: [
    "Remove the prefix from operators on keys with a single value.",
    'Add `"Null": {"<key>": "false"}` to the condition so that the key must be there.',
  ],
  options: z.strictObject({}),
  issue_types: {
    set_operator_on_single_valued_key: {
      severity: "check",
      when: "A set operator stands on a key with a single value.",
    },
    forallvalues_allow_without_null_check: {
      severity: "warning",
      when: "ForAllValues in an Allow, and the condition does not demand the key.",
    },
    foranyvalue_deny_without_null_check: {
      severity: "warning",
      when: "ForAnyValue in a Deny, and the condition does not demand the key.",
    },
  },
  examples: {
    bad: [
      {
        title: "A role without any tag passes the condition, too.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "iam:TagRole",
              Resource: "arn:aws:iam::123456789012:role/*",
              Condition: {
                "ForAllValues:StringEquals": { "aws:TagKeys": ["team", "cost-center"] },
              },
            },
          ],
        },
      },
      {
        title: "A request comes from one organization only.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: {
                "ForAnyValue:StringEquals": { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
              },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The key is multivalued and must be there.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "iam:TagRole",
              Resource: "arn:aws:iam::123456789012:role/*",
              Condition: {
                "ForAllValues:StringEquals": { "aws:TagKeys": ["team", "cost-center"] },
                Null: { "aws:TagKeys": "false" },
              },
            },
          ],
        },
      },
    ],
  },

  *runStatement(statement, context) {
    for (const entry of statement.conditions) {
      if (!entry.operator?.setPrefix) continue;
      for (const report of judge(entry, entry.operator, statement, context)) {
        yield {
          field_name: "condition",
          condition_key: entry.key,
          node: entry.keyNode,
          ...report,
        };
      }
    }
  },
});

function* judge(
  entry: ConditionEntry,
  { base, setPrefix, ifExists }: Operator,
  statement: Statement,
  context: CheckContext,
): Iterable<Report> {
  const { key, keyLower, operatorText } = entry;
  if (!isMultivalued(entry, statement, context)) {
    yield {
      issue_type: "set_operator_on_single_valued_key",
      message: `${quote(operatorText)} is for keys with several values, but ${quote(key)} has one at most.${
        setPrefix === "ForAllValues"
          ? " Without the key in the request, `ForAllValues` is true."
          : ""
      }`,
      suggestion: `Remove the prefix: write \`${base.name}${ifExists ? "IfExists" : ""}\`.`,
      aws_issue_code: setPrefix === "ForAllValues" ? "FORALLVALUES_WITH_SINGLE_VALUED_KEY" : null,
    };
  }
  if (nullCheckedKeys(statement).has(keyLower)) return;
  if (setPrefix === "ForAllValues" && statement.effect === "Allow") {
    const both = ifExists ? "`ForAllValues` and `IfExists` both are" : "`ForAllValues` is";
    yield {
      issue_type: "forallvalues_allow_without_null_check",
      severity: "warning",
      message: `${both} true when the request does not carry ${quote(key)}, so this Allow also applies to requests without it.`,
      ...nullCheck(key),
    };
  } else if (setPrefix === "ForAnyValue" && statement.effect === "Deny") {
    yield {
      issue_type: "foranyvalue_deny_without_null_check",
      severity: "warning",
      message: `\`ForAnyValue\` is false when the request does not carry ${quote(key)}, so this Deny can miss requests without it.`,
      suggestion: `Deny requests without the key in a statement of their own, with \`"Null": {${JSON.stringify(key)}: "true"}\`; or, if only requests with the key are meant, say so with \`"Null": {${JSON.stringify(key)}: "false"}\`.`,
    };
  }
}

function nullCheck(key: string): Pick<Report, "suggestion" | "example"> {
  return {
    suggestion: "Demand the key: add a `Null` check with the value `false` to the condition.",
    example: JSON.stringify({ Null: { [key]: "false" } }, null, 2),
  };
}

function isMultivalued(
  { key, keyLower }: ConditionEntry,
  statement: Statement,
  context: CheckContext,
): boolean {
  if (globalConditionKey(key)?.multivalued) return true;
  if (identityProviderKey(key)?.claim === "amr") return true;
  const prefix = keyLower.slice(0, Math.max(0, keyLower.indexOf(":")));
  const own = prefix === "aws" ? undefined : context.services.get(prefix)?.conditionKey(key);
  return isArray(own) || isArray(keyLookup(statement, context)(key));
}

function isArray(key: ConditionKey | undefined): boolean {
  return key?.types.some((type) => /^ArrayOf/i.test(type)) ?? false;
}
