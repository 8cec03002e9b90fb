import { RE2JS } from "re2js";
import { Expression as ExpressionText } from "../../spec/expression.ts";

/** A compiled expression of the config. Matching takes time linear in the text (RE2). */
export interface CompiledExpression {
  /** @returns whether it matches from the first character; it need not reach the end. */
  matchesStart(text: string): boolean;
  /** @returns whether it matches anywhere. */
  matchesAnywhere(text: string): boolean;
}

/**
 * Expressions come from the operator, the text they are tried on from callers: a backtracking engine
 * would let a caller's policy hang the server, so RE2 it is.
 * @param text RE2 syntax; Python's `\Z` is understood as the end of the text.
 * @throws {Error} When it does not compile.
 */
export function compileExpression(text: string): CompiledExpression {
  const translated = text.replaceAll(/(?<!\\)((?:\\\\)*)\\Z/g, "$1\\z");
  const anywhere = RE2JS.compile(translated, RE2JS.CASE_INSENSITIVE);
  const start = RE2JS.compile(`^(?:${translated})`, RE2JS.CASE_INSENSITIVE);
  return {
    matchesStart: (value) => start.test(value),
    matchesAnywhere: (value) => anywhere.test(value),
  };
}

/** @returns whether the expression compiles. */
export function isExpression(text: string): boolean {
  try {
    compileExpression(text);
    return true;
  } catch {
    return false;
  }
}

/** An expression in an options schema: a config in which it does not compile is refused. */
export const Expression = ExpressionText.refine(isExpression, {
  error: "not a regular expression in RE2 syntax",
});
