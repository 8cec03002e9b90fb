import { replaceClosed } from "../../closed-braces.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues } from "../types.ts";

/** Keys in which a wildcard or a variable opens a boundary. */
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
export function likeValues({ conditions }: Statement): Iterable<Issue> {
  return conditions.some(mayBeLoose) ? looseValues(conditions.filter(isLike)) : noIssues;
}

const isLike = ({ operator }: ConditionEntry) => operator !== null && like.has(operator.base.name);

/** Whether the key is one of which values are examined, or a value is `*`. */
function mayBeLoose(entry: ConditionEntry): boolean {
  const { key, keyLower, values } = entry;
  if (!isLike(entry)) return false;
  const isBounded =
    boundaryKeys.has(keyLower) || keyLower === "aws:userid" || identityProviderKey(key) !== null;
  return isBounded || values.some(({ text }) => text === "*");
}

function* looseValues(entries: readonly ConditionEntry[]): Generator<Issue> {
  for (const entry of entries) {
    yield* loneStar(entry);
    for (const value of entry.values) yield* looseUse(entry, value);
  }
}

function* loneStar(entry: ConditionEntry): Generator<Issue> {
  const { operator, operatorText, key, values, keyNode } = entry;
  const value = values.find(({ text }) => text === "*");
  if (!operator || !value) return;
  const { name, negated } = operator.base;
  const isPlain = !operator.setPrefix && !operator.ifExists;
  // Beside other values no answer of AWS is on record.
  if (isPlain && name.startsWith("String") && values.length === 1) {
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
  } else if (negated && !operator.ifExists && operator.setPrefix !== "ForAllValues") {
    yield {
      code: "REDUNDANT_STATEMENT_DUE_TO_WILDCARD_IN_CONDITION",
      details: `${quoted(operatorText)} with \`*\` matches no value of ${quoted(key)}, so ${isPlain ? "the statement applies at most to requests without the key" : "the statement has no effect"}. Name values.`,
      nodes: [keyNode],
    };
  }
}

/** A policy variable, as one character. */
const variableMark = "\ue000";
const openPart = /[*?\ue000]/;

/** The text with each variable as {@link variableMark}, and each escape as a plain character. */
function marked(text: string): string {
  return replaceClosed(text.replaceAll(/\$\{[*?$]\}/g, "x"), /\$\{[^}]*\}/g, variableMark);
}

/**
 * Wildcards and variables that open too much.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html#access-analyzer-reference-policy-checks-error-wildcard-usage-too-permissive
 */
function* looseUse({ key, keyLower }: ConditionEntry, value: ConditionValue): Generator<Issue> {
  const text = marked(value.text);
  if (!openPart.test(text)) return;
  if (boundaryKeys.has(keyLower)) {
    yield tooPermissive(/[*?]/.test(text) ? "WILDCARD" : "VARIABLE", key, value);
  } else if (keyLower === "aws:userid") {
    // Left of the colon an open part may stand alone: `*:alice`, `${aws:userid}:*`.
    const [left = "", ...rest] = text.split(":");
    if (rest.length > 0 && left.length === 1) return;
    if (/[*?]/.test(left)) yield tooPermissive("WILDCARD", key, value);
    else if (left.includes(variableMark)) yield tooPermissive("VARIABLE", key, value);
  } else if (identityProviderKey(key)) {
    yield* shortBefore(text, key, value);
  }
}

/** Too few characters before a wildcard or variable, in a claim of an identity provider. */
function* shortBefore(text: string, key: string, value: ConditionValue): Generator<Issue> {
  // Past the last one, the pattern would read the rest of the text again from each character.
  const last = Math.max(...["*", "?", variableMark].map((open) => text.lastIndexOf(open)));
  const open = text.slice(0, last + 1);
  const short = [...open.matchAll(/([^*?\ue000]*)([*?]+|\ue000)/g)].filter(
    ([, literals = ""]) => literals.length < fewestLiterals,
  );
  const named = short.find(([, , part]) => part !== variableMark) ?? short[0];
  if (!named) return;
  const [, , part = ""] = named;
  const before = named.index > 0 ? text[named.index - 1] : undefined;
  yield {
    code: part === variableMark ? "VARIABLE_USAGE_TOO_PERMISSIVE" : "WILDCARD_USAGE_TOO_PERMISSIVE",
    details: `${quoted(value.text)} of ${quoted(key)} has fewer than ${fewestLiterals} characters ${placeOf(part, before)}, so strangers may match. Write more of the value.`,
    nodes: [value.node],
  };
}

const nameOf = (part: string) => (part === variableMark ? "policy variable" : "wildcard");

/** Where the characters are that end at an open part, and begin behind another or at the start. */
function placeOf(part: string, before: string | undefined): string {
  const name = nameOf(part);
  if (before === undefined) return `before a ${name}`;
  const other = nameOf(before);
  return name === other ? `between two ${name}s` : `between a ${other} and a ${name}`;
}

function tooPermissive(
  what: "WILDCARD" | "VARIABLE",
  key: string,
  { text, node }: ConditionValue,
): Issue {
  return {
    code: `${what}_USAGE_TOO_PERMISSIVE`,
    details: `${quoted(text)} of ${quoted(key)} holds a ${what.toLowerCase()}, so it may match more than you mean. Name the value.`,
    nodes: [node],
  };
}
