import type { Found } from "./feasible.ts";
import { patternOf, unitsOf } from "./patterns.ts";
import { colon, isRun, isSingle, type Token } from "./tokens.ts";

/** Accounts whose digits fill what a pattern leaves open: usual ones, then each digit alone. */
const seeds: readonly string[] = [
  "111122223333",
  "444455556666",
  "777788889999",
  "222233334444",
  "555566667777",
  "123456789012",
  ...["9", "8", "7", "6", "5", "4", "3", "2", "1", "0"].map((one) => one.repeat(12)),
];
const length = 12;

/**
 * A found ARN of a caller with the open part of its account settled: an account has twelve digits,
 * wherever the wildcards are.
 * @param first The account to try first where the whole field is open.
 */
export function* withAccounts(found: Found, first: string): Generator<Found> {
  const field = fieldAt(found.pattern.tokens);
  const text = fieldAt(found.text);
  const tokens = field && found.pattern.tokens.slice(...field);
  if (
    !field ||
    !text ||
    !tokens?.some(isOpen) ||
    !tokens.every((one) => isOpen(one) || one < 128)
  ) {
    yield found;
    return;
  }
  const splice = (whole: readonly Token[], [from, to]: Field, account: readonly Token[]) => [
    ...whole.slice(0, from),
    ...account,
    ...whole.slice(to),
  ];
  for (const account of new Set(fills(tokens, first))) {
    const units = unitsOf(account);
    yield {
      pattern: patternOf(splice(found.pattern.tokens, field, units)),
      text: splice(found.text, text, units),
    };
  }
}

type Field = readonly [from: number, to: number];

/** Where the fifth field of an ARN stands; null: there are not so many. */
function fieldAt(tokens: readonly Token[]): Field | null {
  const colons = tokens.flatMap((token, at) => (token === colon ? [at] : []));
  const [, , , before, after] = colons;
  return before === undefined || after === undefined ? null : [before + 1, after];
}

function isOpen(token: Token): boolean {
  return isRun(token) || isSingle(token);
}

/** Accounts that the tokens of the field take, each `*` in turn taking what is left of the twelve. */
function* fills(tokens: readonly Token[], first: string): Generator<string> {
  const runs = tokens.flatMap((token, at) => (isRun(token) ? [at] : []));
  const left = length - (tokens.length - runs.length);
  if (left < 0 || (runs.length === 0 && left > 0)) return;
  const shares = runs.length < 2 ? [left] : [left, left - 1];
  for (const seed of [first, ...seeds]) {
    for (const share of shares.filter((one) => one >= 0)) {
      for (const long of runs.length === 0 ? [-1] : runs) {
        for (const short of share === left ? [-1] : runs.filter((at) => at !== long)) {
          yield filled(tokens, seed, (at) =>
            at === long ? share : at === short ? left - share : 0,
          );
        }
      }
    }
  }
}

/** @param take How many digits the `*` at a place takes. */
function filled(tokens: readonly Token[], seed: string, take: (at: number) => number): string {
  let account = "";
  for (const [at, token] of tokens.entries()) {
    const count = isRun(token) ? take(at) : 1;
    account += isOpen(token)
      ? seed.slice(account.length, account.length + count)
      : String.fromCharCode(token);
  }
  return account;
}
