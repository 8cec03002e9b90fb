import { quote } from "./quote.ts";

/** @returns the values in back-ticks, at most `most` of them and the number of the rest. */
export function listed(values: readonly string[], most = 10): string {
  return joined(
    values.slice(0, most).map((value) => quote(value)),
    values.length,
  );
}

/** The same without back-ticks, for texts of the operator's own. */
export function listedPlain(values: readonly string[], most = 10): string {
  return joined(values.slice(0, most), values.length);
}

function joined(shown: readonly string[], total: number): string {
  const list = shown.join(", ");
  return total > shown.length ? `${list} and ${total - shown.length} more` : list;
}

/** @returns the values once each, in code-point order. */
export function sortedOnce(values: Iterable<string>): string[] {
  const list = [...values];
  // Authors sort most lists, and then nothing is left to do.
  if (isSortedOnce(list)) return list;
  return [...new Set(list)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function isSortedOnce(list: readonly string[]): boolean {
  for (let at = 1; at < list.length; at++) {
    if (!((list[at - 1] ?? "") < (list[at] ?? ""))) return false;
  }
  return true;
}

const placeholder = /\{(action|service|actions|statements)\}/g;
/** Controls, invisible and line-breaking characters: a policy shall not lay out an operator's text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

type Placeholder = "action" | "service" | "actions" | "statements";

/**
 * Puts the values for `{name}`. Values are plain text, whatever they hold; so are other braces, and a
 * placeholder that has no value here.
 */
export function fillIn(
  template: string,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): string {
  return template.replace(
    placeholder,
    (whole, name: Placeholder) => values[name]?.replace(unprintable, " ") ?? whole,
  );
}

/** @returns `1 statement`, `2 statements`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
