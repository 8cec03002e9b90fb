import { type Pattern, patternOf } from "../../src/access/patterns.ts";
import { arnPattern, readTokens, Variables } from "../../src/access/read-pattern.ts";
import type { Token } from "../../src/access/tokens.ts";

/** Shared, so that a name has one number in all patterns of a test file. */
const variables = new Variables();

/** Tokens of a text of a policy, with wildcards and variables. */
export function tokensOf(written: string, ignoreCase = false): readonly Token[] {
  return readTokens(written, { wildcards: true, variables: true, ignoreCase }, variables) ?? [];
}

export function text(written: string): Pattern {
  return patternOf(tokensOf(written));
}

export function ignoringCase(written: string): Pattern {
  return patternOf(tokensOf(written, true));
}

/** The pattern of an ARN, by field. */
export function arn(written: string): Pattern {
  const pattern = arnPattern(tokensOf(written));
  if (!pattern) throw new Error(`"${written}" does not have six fields.`);
  return pattern;
}
