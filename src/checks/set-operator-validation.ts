import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Operator } from "../policy/condition-operator.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import { isLackedByOrdinaryCalls } from "./condition-effect/key-facts.ts";
import { isMultivalued, isSingleValued } from "./set-operator-validation/values-of-key.ts";
import { withoutKey } from "./shared/callers-without-key.ts";
import { statementWithCondition } from "./shared/corrected.ts";
import { correctedEntry } from "./shared/corrected-entry.ts";
import { fixedBy } from "./shared/fixed-by.ts";
import { nullCheckedKeys } from "./shared/null-checked.ts";
import { quote } from "./shared/quote.ts";
import { switchValue } from "./shared/switch-value.ts";

export const setOperatorValidation = defineCheck({
  check_id: "set_operator_validation",
  default_severity: "warning",
  description:
    "ForAllValues and ForAnyValue are used with multivalued keys and guarded against absent keys.",
  docstring: `The prefixes \`ForAllValues:\` and \`ForAnyValue:\` are for keys that carry several values in one request, such as
\`aws:TagKeys\`. Reported are:

- a **key with several values without a prefix**: high for global keys, a warning for keys of services;
- a prefix on a **key with a single value**. Multivalued are some global keys, \`amr\` claims of identity providers,
  and keys whose type in the service reference begins with \`ArrayOf\`;
- **\`ForAllValues\` in an Allow** without a check that the key is there: when a request does not carry the key, all
  of its no values match, and the Allow applies. Severity \`high\` for \`sts:ExternalId\`, for MFA that is required, and
  for the organization or account of a principal \`*\`;
- **\`ForAnyValue\` in a Deny** without such a check: when a request does not carry the key, no value matches, and the
  Deny does not apply. With \`IfExists\` it does, and nothing is reported.

The check that counts is \`"Null": {"<key>": "false"}\` in the same condition; for \`aws:TagKeys\` also a test on a
tag of the request that a request without tags does not pass.`,
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
      when: "A set operator is used with a key that has a single value.",
    },
    missing_set_operator: {
      severity: ["high", "warning"],
      when: "A key with several values has no set operator: high for global keys, a warning for keys of services.",
    },
    forallvalues_allow_without_null_check: {
      severity: ["high", "warning"],
      when: "ForAllValues in an Allow, and the condition does not demand the key: high for an external id, required MFA, and the organization or account of a principal `*`.",
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

  element: "Condition",
  concerns: (statement, context) =>
    statement.conditions.some(
      (entry) => entry.operator && !isSound(entry, entry.operator, statement, context),
    ),
  *runStatement(statement, context) {
    for (const entry of statement.conditions) {
      const { operator } = entry;
      if (!operator || isSound(entry, operator, statement, context)) continue;
      for (const report of reportsOf(entry, operator, statement, context)) {
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

/** Most entries compare a single value and have no set prefix, so this is looked at first. */
function isSound(
  entry: ConditionEntry,
  { base, setPrefix }: Operator,
  statement: Statement,
  context: CheckContext,
): boolean {
  return setPrefix === null && (base.type === null || !isMultivalued(entry, statement, context));
}

function* reportsOf(
  entry: ConditionEntry,
  operator: Operator,
  statement: Statement,
  context: CheckContext,
): Iterable<Report> {
  const { base, setPrefix, ifExists } = operator;
  const { key, keyLower, operatorText } = entry;
  if (setPrefix === null) {
    yield missingOperator(entry, operator, statement);
    return;
  }
  const isSingle = isSingleValued(entry, statement, context);
  if (isSingle) {
    const plain = `${base.name}${ifExists ? "IfExists" : ""}`;
    yield {
      issue_type: "set_operator_on_single_valued_key",
      message: `${quote(operatorText)} is for keys with several values, but ${quote(key)} has one at most.${
        setPrefix === "ForAllValues"
          ? " Without the key in the request, `ForAllValues` is true."
          : ""
      }`,
      suggestion: `Remove the prefix: write \`${plain}\`.`,
      aws_issue_code: setPrefix === "ForAllValues" ? "FORALLVALUES_WITH_SINGLE_VALUED_KEY" : null,
      ...withoutPrefix(entry, operator, statement),
    };
  }
  if (nullCheckedKeys(statement).has(keyLower)) return;
  if (setPrefix === "ForAllValues" && statement.effect === "Allow") {
    // Where a tag must be in the request, there are tag keys too.
    if (keyLower === "aws:tagkeys" && demandsRequestTag(statement)) return;
    // `condition_effect` reports keys that ordinary calls lack.
    if (isLackedByOrdinaryCalls(keyLower) && context.peer("condition_effect")) return;
    const callers = withoutKey(entry, operator, statement);
    // The request that gets past the condition is shown by the other finding.
    const isPublic = context.decisions("no_public_access").violated.has(statement.index);
    const both = ifExists ? "`ForAllValues` and `IfExists` both are" : "`ForAllValues` is";
    yield {
      issue_type: "forallvalues_allow_without_null_check",
      severity: callers !== null && !isPublic ? "high" : "warning",
      message: `${both} true when the request does not carry ${quote(key)}, so this Allow also applies to requests without it${callers ?? ""}.`,
      // Of a single value, the plain operator asks for the key as well.
      ...(isSingle && !ifExists && !base.negated
        ? {
            suggestion: `Write \`${base.name}\`, which asks for the key as well.`,
            ...withoutPrefix(entry, operator, statement),
          }
        : {
            suggestion: `Add \`"Null": {${JSON.stringify(key)}: "false"}\` to the condition, so that the key must be there.`,
            ...fixedBy(() => statementWithCondition(statement, { Null: { [key]: "false" } }), {
              title: "Add a Null test, so that the request must have the key",
              effect: "narrows",
              argument: "One more test in an Allow lets no further request in.",
            }),
          }),
    };
  } else if (setPrefix === "ForAnyValue" && statement.effect === "Deny" && !ifExists) {
    const isAboutTags = keyLower === "aws:tagkeys";
    yield {
      issue_type: "foranyvalue_deny_without_null_check",
      severity: "warning",
      message: `\`ForAnyValue\` is false when the request does not carry ${quote(key)}, so this Deny does not stop requests without it.`,
      // A request without tag keys sets no tag: a Deny of those would stop every untagged call.
      // https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html
      suggestion: isAboutTags
        ? `Add \`"Null": {${JSON.stringify(key)}: "false"}\` to state that this Deny is about requests with tag keys. To demand a tag, use \`"Null": {"aws:RequestTag/<tag>": "true"}\` in a Deny of the actions that create the resource.`
        : `Where requests without the key are meant too, deny them in another statement with \`"Null": {${JSON.stringify(key)}: "true"}\`; else add \`"Null": {${JSON.stringify(key)}: "false"}\`.`,
      // For other keys both repairs are equally good.
      ...(isAboutTags
        ? fixedBy(() => statementWithCondition(statement, { Null: { [key]: "false" } }), {
            title: "Say that the Deny is about requests with tag keys",
            effect: "equivalent",
            argument: "ForAnyValue is false without the key, so the test changes no answer.",
          })
        : {}),
    };
  }
}

/** The entry without the set prefix, of a key that has one value at most. */
function withoutPrefix(
  entry: ConditionEntry,
  { base, setPrefix, ifExists }: Operator,
  statement: Statement,
): Pick<Report, "correction" | "fix"> {
  const operator = `${base.name}${ifExists ? "IfExists" : ""}`;
  const isAll = setPrefix === "ForAllValues";
  // Without the key ForAnyValue is false, and so is an operator that is not negated.
  const isSame = !isAll && !base.negated && !ifExists;
  return fixedBy(() => correctedEntry(statement, entry, { operator }), {
    title: "Remove the set prefix, because the key has one value at most",
    effect: isSame ? "equivalent" : isAll && statement.allows ? "narrows" : "changes",
    argument:
      "With one value at most, the plain test holds only where the test of all values does.",
  });
}

/** A key with several values under an operator that compares one. */
function missingOperator(
  entry: ConditionEntry,
  { base, ifExists }: Operator,
  statement: Statement,
): Report {
  const { key, keyLower, operatorText } = entry;
  const isGlobal = keyLower.startsWith("aws:");
  const suffix = `${base.name}${ifExists ? "IfExists" : ""}`;
  // "None of the values" needs ForAllValues under a negated operator; "one of them" ForAnyValue.
  const wanted = `${base.negated ? "ForAllValues" : "ForAnyValue"}:${suffix}`;
  return {
    issue_type: "missing_set_operator",
    severity: isGlobal ? "high" : "warning",
    message: `${quote(key)} can have several values in one request, and ${quote(operatorText)} compares one. AWS requires \`ForAnyValue:\` or \`ForAllValues:\` for such keys.`,
    suggestion: `Write ${quote(wanted)}, which holds when ${base.negated ? "no value of the request is listed" : "one value of the request is listed"}.`,
    aws_issue_code: "MISSING_QUALIFIER",
    ...fixedBy(
      () =>
        base.negated && statement.allows && !nullCheckedKeys(statement).has(keyLower)
          ? withNullTest(statement, entry, wanted)
          : correctedEntry(statement, entry, { operator: wanted }),
      { title: "Add the set prefix that the key needs", effect: "changes" },
    ),
  };
}

/** Under ForAllValues a request without the key passes, so an Allow must ask for the key as well. */
function withNullTest(statement: Statement, entry: ConditionEntry, operator: string) {
  const value = entry.values.map(({ raw }) => raw);
  const added = {
    [operator]: { [entry.key]: value.length === 1 ? value[0] : value },
    Null: { [entry.key]: "false" },
  };
  return statementWithCondition(statement, added, {}, [entry]);
}

/** A tag of the request has a value, or is demanded to be there. */
function demandsRequestTag({ conditions }: Statement): boolean {
  return conditions.some(({ operator, keyLower, values }) => {
    if (!operator || !keyLower.startsWith("aws:requesttag/") || values.length === 0) return false;
    if (operator.base.type === null) {
      return switchValue(values) === false;
    }
    return !operator.base.negated && !operator.ifExists && operator.setPrefix !== "ForAllValues";
  });
}
