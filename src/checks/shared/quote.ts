import { escapeInvisible } from "../../policy/escape-invisible.ts";

const defaultMaxLength = 120;
/** Visible ASCII without back-ticks, no space at either end: it needs no escape, fence or pad. */
const plain = /^[!-_a-~](?:[ -_a-~]*[!-_a-~])?$/;

/** Cuts at a character, never inside a surrogate pair. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}…`;
}

/**
 * A value of the policy as a Markdown code span, whatever it holds: the fence is longer than any run
 * of back-ticks inside, controls are escaped.
 * @param maxLength Characters (UTF-16 units) kept before the text is cut with an ellipsis.
 */
export function quote(value: string, maxLength = defaultMaxLength): string {
  if (value === "") return '`""`';
  if (value.length <= maxLength && plain.test(value)) return `\`${value}\``;
  const shown = escapeInvisible(cut(value, maxLength));
  let longest = 0;
  for (const [run] of shown.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  // A code span loses one space at each end when both ends have one, and needs one beside a back-tick.
  const pad = /^[` ]|[` ]$/.test(shown) && shown.trim() !== "" ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** `a`, `b` and `c`; a list longer than `most` says how many are left out. */
export function quoteList(values: readonly string[], most = 10): string {
  return joinWords(
    values.slice(0, most).map((value) => quote(value)),
    Math.max(0, values.length - most),
  );
}

/** `a, b and c`; with `more`, `a, b, c and 4 more`. */
export function joinWords(words: readonly string[], more = 0, conjunction = "and"): string {
  const all = more > 0 ? [...words, `${thousands(more)} more`] : words;
  if (all.length < 2) return all.join("");
  return `${all.slice(0, -1).join(", ")} ${conjunction} ${all.at(-1)}`;
}

/** Asks whether one of these was meant. */
export function didYouMean(values: readonly string[]): string {
  return `Did you mean ${joinWords(
    values.map((value) => quote(value)),
    0,
    "or",
  )}?`;
}

/** A value of any JSON type: scalars as they are, others by their kind. */
export function quoteValue(value: unknown): string {
  if (typeof value === "string") return quote(JSON.stringify(value));
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return quote(String(value));
}

/** `1234567` as `1,234,567`. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
