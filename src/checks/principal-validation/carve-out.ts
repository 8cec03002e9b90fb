import type { Report } from "../../engine/check.ts";
import type { ConditionValue, Statement } from "../../policy/model.ts";
import { isCallerKey } from "../shared/caller-keys.ts";
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
/** Looks at a Deny that exempts callers by condition: is somebody left whom it stops? */
export function* carveOutReports(statement: Statement): Generator<Report> {
  for (const { operator, operatorText, key, keyLower, values } of statement.conditions) {
    const base = operator?.base.name ?? "";
    const isPattern = patternOperators.has(base);
    if (!isPattern && !literalOperators.has(base)) continue;
    if (!isCallerKey(keyLower)) continue;
    const star = values.find(({ text }) => text.trim() === "*");
    if (!star) continue;
    const where = `The exemption ${quote(operatorText)} ${quote(key)} with the value \`*\``;
    yield isPattern ? everybodyExempt(where, star) : nobodyExempt(where, star);
    return;
  }
}

function everybodyExempt(where: string, { node }: ConditionValue): Report {
  return {
    issue_type: "ineffective_deny_carve_out",
    node,
    field_name: "condition",
    message: `${where} fits every caller, so this Deny stops nobody.`,
    suggestion:
      "Name the callers that are exempt, such as `arn:aws:iam::111122223333:role/break-glass`.",
  };
}

function nobodyExempt(where: string, { node }: ConditionValue): Report {
  return {
    issue_type: "literal_wildcard_deny_carve_out",
    node,
    field_name: "condition",
    message: `${where} is compared as plain text under this operator, so nobody is exempt from this Deny.`,
    suggestion:
      "Give the exact value, or take an operator that knows wildcards, such as `StringNotLike` or `ArnNotLike`, with a pattern narrower than `*`.",
  };
}
