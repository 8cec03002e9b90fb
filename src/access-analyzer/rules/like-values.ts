import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { quoted } from "../text.ts";
import type { Issue } from "../types.ts";

/** Keys in which a wildcard or a variable opens a boundary; access-analyzer-codes 6.4. */
const boundaryKeys: ReadonlySet<string> = new Set([
  "aws:principalaccount",
  "aws:principalorgid",
  "aws:resourceaccount",
  "aws:resourceorgid",
  "aws:sourceaccount",
  "aws:sourceorgid",
  "aws:sourcevpc",
  "aws:sourcevpce",
  "aws:vpceaccount",
  "aws:vpceorgid",
]);

const like: ReadonlySet<string> = new Set(["StringLike", "StringNotLike", "ArnLike", "ArnNotLike"]);
/** Fewer literal characters than this before a wildcard are too few; observed on GitHub subjects. */
const fewestLiterals = 6;

/** Values under operators that match wildcards. */
export function* likeValues(statement: Statement): Generator<Issue> {
  for (const entry of statement.conditions) {
    if (!entry.operator || !like.has(entry.operator.base.name)) continue;
    yield* loneStar(entry);
    for (const value of entry.values) yield* looseUse(entry, value);
  }
}

function* loneStar(entry: ConditionEntry): Generator<Issue> {
  const { operator, operatorText, key, values, keyNode } = entry;
  const [value] = values;
  if (!operator || values.length !== 1 || value?.text !== "*") return;
  const { name, negated } = operator.base;
  if (!operator.setPrefix && !operator.ifExists && name.startsWith("String")) {
    yield {
      code: negated ? "EQUIVALENT_TO_NULL_TRUE" : "EQUIVALENT_TO_NULL_FALSE",
      details: `${quoted(operatorText)} with \`*\` tests only whether ${quoted(key)} ${negated ? "is absent" : "exists"}. Write \`Null\` with \`${negated}\`.`,
      nodes: [value.node],
    };
  } else if (!negated && (operator.ifExists || operator.setPrefix === "ForAllValues")) {
    yield {
      code: "REDUNDANT_KEY_DUE_TO_WILDCARD_IN_CONDITION",
      details: `${quoted(operatorText)} with \`*\` matches every request, so ${quoted(key)} limits nothing. Remove it or name values.`,
      nodes: [keyNode],
    };
  } else if (negated && operator.setPrefix === "ForAnyValue") {
    yield {
      code: "REDUNDANT_STATEMENT_DUE_TO_WILDCARD_IN_CONDITION",
      details: `${quoted(operatorText)} with \`*\` matches no request, so the statement has no effect. Name values.`,
      nodes: [keyNode],
    };
  }
}

function* looseUse({ key, keyLower }: ConditionEntry, value: ConditionValue): Generator<Issue> {
  const { text, node } = value;
  if (text === "*") {
    if (boundaryKeys.has(keyLower)) yield tooPermissive("WILDCARD", key, text, value);
    return;
  }
  const variable = text.includes("${");
  const wildcard = /[*?]/.test(text.replaceAll(/\$\{[*?$]\}/g, ""));
  if (boundaryKeys.has(keyLower)) {
    if (wildcard) yield tooPermissive("WILDCARD", key, text, value);
    else if (variable) yield tooPermissive("VARIABLE", key, text, value);
    return;
  }
  if (keyLower === "aws:userid") {
    const left = text.slice(0, Math.max(0, text.indexOf(":")));
    if (left !== "*" && /[*?]/.test(left)) yield tooPermissive("WILDCARD", key, text, value);
    else if (left.includes("${")) yield tooPermissive("VARIABLE", key, text, value);
    return;
  }
  if (!identityProviderKey(key) || !wildcard) return;
  const literals = text.split(/[*?]+/).slice(0, -1);
  if (literals.some((part) => part.length < fewestLiterals)) {
    yield {
      code: "WILDCARD_USAGE_TOO_PERMISSIVE",
      details: `${quoted(text)} of ${quoted(key)} has fewer than ${fewestLiterals} characters before a wildcard, so strangers may match. Write more of the value.`,
      nodes: [node],
    };
  }
}

function tooPermissive(
  what: "WILDCARD" | "VARIABLE",
  key: string,
  text: string,
  { node }: ConditionValue,
): Issue {
  return {
    code: `${what}_USAGE_TOO_PERMISSIVE`,
    details: `${quoted(text)} of ${quoted(key)} holds a ${what.toLowerCase()}, so it may match more than you mean. Name the value.`,
    nodes: [node],
  };
}
