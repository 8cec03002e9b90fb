/**
 * A pattern is a list of tokens, each one number: a UTF-16 unit, a letter in any case, `?`, `*`, a
 * digit, or a variable. `?`, `*` and variables may be barred from characters that separate parts of an ARN
 * or of an organisation path.
 */
export type Token = number;

/** A letter in either case; the unit of its lower case is added. */
export const anyCase = 0x1_0000;
/** `?`, plus the bars below. */
export const single = 0x2_0000;
/** `*`, plus the bars below. */
export const run = 0x3_0000;
/**
 * A variable; eight times its number is added, 1 where its value counts in any letter case, and twice the bars
 * below of characters that its value does not have there: in a field of an ARN it has no colon.
 */
export const variable = 0x4_0000;

/** Bars of `?`, `*` and variables. */
export const noColon = 1;
export const noSlash = 2;
/** Digits only; for `?`. */
export const digit = 4;

/** A character that no policy holds: the first private-use unit. */
export const foreign = 0xe000;
/** The same where it may be a slash too: a wildcard that is barred from slashes does not take it. */
export const foreignOrSlash = 0xe001;

export const colon = 58;
export const slash = 47;
const star = 42;
const questionMark = 63;

/** `*`, with any bars. */
export function isRun(token: Token): boolean {
  return token >= run && token < variable;
}

/** `?`, with any bars. */
export function isSingle(token: Token): boolean {
  return token >= single && token < run;
}

/** A policy variable, with any bars. */
export function isVariable(token: Token): boolean {
  return token >= variable;
}

/** The token of a unit where `*` and `?` are wildcards. */
export function wildcardToken(unit: number): Token {
  if (unit === star) return run;
  return unit === questionMark ? single : unit;
}

/** Of equal `*` that follow each other, one stays. */
export function withoutRepeatedRuns(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter((token, at) => !(isRun(token) && tokens[at - 1] === token));
}

/** A plain unit or a letter in either case. */
export function isUnit(token: Token): boolean {
  return token < single;
}

/** The number that tells variables of a question apart. */
export function variableNumber(token: Token): number {
  return (token - variable) >> 3;
}

/** The variable without letter case and bars. */
export function plainVariable(token: Token): Token {
  return token & ~7;
}

/** Characters that the value of a variable does not have. */
export function barsOf(token: Token): number {
  return (token & 6) >> 1;
}

/** A wildcard or a variable with more bars. */
export function withBars(token: Token, bars: number): Token {
  return isVariable(token) ? token | ((bars & (noColon | noSlash)) << 1) : token | bars;
}

/** A unit that means any character that no policy holds. */
export function isForeign(unit: number): boolean {
  return unit === foreign || unit === foreignOrSlash;
}

/** A to Z in either case. */
export function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

/** ASCII only: IAM does not fold other letters. */
export function foldUnit(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

/** Whether a wildcard with these bars takes the unit. */
export function takesUnit(bars: number, unit: number): boolean {
  if (bars === 0) return true;
  if ((bars & noColon) !== 0 && unit === colon) return false;
  if ((bars & noSlash) !== 0 && (unit === slash || unit === foreignOrSlash)) return false;
  return (bars & digit) === 0 || (unit >= 48 && unit <= 57) || isForeign(unit);
}

/** Whether a wildcard with these bars takes every text that the token can be. */
export function takesToken(bars: number, token: Token): boolean {
  if (token < anyCase) return takesUnit(bars, token);
  if (token < single) return takesUnit(bars, token - anyCase);
  if (isVariable(token)) return (bars & (noColon | noSlash) & ~barsOf(token)) === 0;
  return (bars & ~(token & 7)) === 0;
}

/**
 * Whether the token of a pattern takes the token of a text, which is a unit, a letter in any case or
 * a variable. `*` is not handled here.
 */
export function tokenMatches(pattern: Token, text: Token): boolean {
  if (pattern === text) return true;
  if (isSingle(pattern)) return isUnit(text) && takesToken(pattern & 7, text);
  if (pattern < anyCase) return false;
  if (pattern < single) return pattern - anyCase === foldUnit(text);
  if (!isVariable(pattern) || plainVariable(pattern) !== plainVariable(text)) return false;
  if ((text & 1) === 1 && (pattern & 1) === 0) return false;
  return (barsOf(pattern) & ~barsOf(text)) === 0;
}
