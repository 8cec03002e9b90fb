import {
  anyCase,
  barsOf,
  digit,
  isRun,
  isSingle,
  isVariable,
  noColon,
  noSlash,
  type Token,
  variableNumber,
} from "../../src/access/tokens.ts";

const barNames = [
  [noColon, ":"],
  [noSlash, "/"],
  [digit, "0"],
] as const;

const barsText = (bars: number) =>
  bars === 0 ? "" : `[${barNames.map(([bar, name]) => ((bars & bar) === 0 ? "" : name)).join("")}]`;

/**
 * Tokens as text: `*[:]` is a `*` that takes no colon, `?[0]` a `?` for digits, `<a>` a letter in either case, `{1}` the second
 * variable, `{1i}` where letter case does not count.
 */
export function tokenText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (isVariable(token)) {
        return `{${variableNumber(token)}${(token & 1) === 1 ? "i" : ""}}${barsText(barsOf(token))}`;
      }
      if (isRun(token)) return `*${barsText(token & 7)}`;
      if (isSingle(token)) return `?${barsText(token & 7)}`;
      return token >= anyCase
        ? `<${String.fromCharCode(token - anyCase)}>`
        : String.fromCharCode(token);
    })
    .join("");
}
