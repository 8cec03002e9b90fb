import { RE2JS } from "re2js";
import { Expression as ExpressionText } from "../../spec/expression.ts";

/** A compiled expression of the config. Matching takes time linear in the text (RE2). */
export interface CompiledExpression {
  /** @returns Whether it matches a prefix of the text. */
  matchesStart(text: string): boolean;
  /** @returns whether it matches anywhere. */
  matchesAnywhere(text: string): boolean;
}

/**
 * Uses RE2, because expressions come from the operator but texts from callers: with a backtracking
 * engine, a policy could block the server.
 * @param text RE2 syntax; Python's `\Z` means the end of the text.
 * @throws {Error} If it does not compile.
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

/** Compiled expressions of the config and the checks; there are no others, so they stay few. */
const known = new Map<string, CompiledExpression>();

/** {@link compileExpression}, once for each text. Never for a text of a caller. */
export function expressionOf(text: string): CompiledExpression {
  let found = known.get(text);
  if (!found) {
    found = compileExpression(text);
    known.set(text, found);
  }
  return found;
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

/** What the operator reads about an expression that does not compile; often it is copied from a Python config. */
export const badExpression =
  "must be a regular expression in RE2 syntax, which has no look-around and no back-references";

/** An expression in an options schema; a config is rejected if it does not compile. */
export const Expression = ExpressionText.refine(isExpression, { error: badExpression });
