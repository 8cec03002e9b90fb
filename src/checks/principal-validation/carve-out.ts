import type { Report } from "../../engine/check.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { quote } from "../shared/quote.ts";

/** Operators under which `*` means any text. */
const patternOperators: ReadonlySet<string> = new Set([
  "ArnNotEquals",
  "ArnNotLike",
  "StringNotLike",
]);
/** Operators under which `*` is just that character. */
const literalOperators: ReadonlySet<string> = new Set([
  "StringNotEquals",
  "StringNotEqualsIgnoreCase",
]);
/**
 * Keys that name the caller; true: every signed request carries the key.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 */
const callerKeys: ReadonlyMap<string, boolean> = new Map([
  ["aws:principalarn", true],
  ["aws:principalaccount", true],
  ["aws:principalorgid", false],
  ["aws:principalorgpaths", false],
  ["aws:principalservicename", false],
  ["aws:principaltype", true],
  ["aws:principalisawsservice", true],
  ["aws:userid", true],
  ["aws:username", false],
]);

/** Reports a Deny that exempts callers by `*`: either all of them, or none. */
export function* carveOutReports(statement: Statement): Generator<Report> {
  for (const entry of statement.conditions) {
    const { operator, keyLower, values } = entry;
    const base = operator?.base.name ?? "";
    const isPattern = patternOperators.has(base);
    if (!isPattern && !literalOperators.has(base)) continue;
    if (!callerKeys.has(keyLower) && !keyLower.startsWith("aws:principaltag/")) continue;
    const star = values.find(({ text }) => text.trim() === "*");
    if (!star) continue;
    yield {
      node: star.node,
      field_name: "condition",
      correction: () => withoutStar(entry, statement),
      ...(isPattern ? everyoneExempt(entry) : noPrincipalExempt(entry, statement)),
    };
    return;
  }
}

function everyoneExempt({ operatorText, key, keyLower }: ConditionEntry): Report {
  const none = callerKeys.get(keyLower)
    ? " Every signed request carries it, so the Deny applies to no signed-in caller."
    : "";
  return {
    issue_type: "ineffective_deny_carve_out",
    message: `The value \`*\` of ${quote(operatorText)} on ${quote(key)} exempts every caller that has the key.${none}`,
    suggestion:
      "Name the callers that are exempt, such as `arn:aws:iam::111122223333:role/break-glass`.",
  };
}

function noPrincipalExempt(entry: ConditionEntry, statement: Statement): Report {
  const { operatorText, key, operator, values } = entry;
  const applies =
    statement.principals.some(({ text, type }) => text === "*" && type === "AWS") &&
    values.every(({ text }) => text.trim() === "*") &&
    statement.conditions.length === 1 &&
    operator?.setPrefix !== "ForAnyValue";
  const everyone = applies ? " The Deny applies to every caller." : "";
  return {
    issue_type: "literal_wildcard_deny_carve_out",
    message: `${quote(operatorText)} compares the value of ${quote(key)} as text, so the \`*\` exempts no caller.${everyone}`,
    suggestion:
      "Give the exact value, or use an operator with wildcards, such as `StringNotLike` or `ArnNotLike`, with a pattern narrower than `*`.",
  };
}

/** The other values of the entry; null where `*` is the only one. */
function withoutStar({ values, operatorText, key }: ConditionEntry, statement: Statement) {
  const rest = values.filter(({ text }) => text.trim() !== "*").map(rawOf);
  if (rest.length === 0) return null;
  const value = rest.length === 1 ? rest[0] : rest;
  return statementWithCondition(statement, { [operatorText]: { [key]: value } });
}

function rawOf({ raw }: ConditionValue): unknown {
  return raw;
}
