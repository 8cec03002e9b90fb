import { asciiLower } from "../ascii.ts";

/** Letters and digits of any script: tag keys are not limited to ASCII. */
const tagKey = /^[\p{L}\p{N} +\-=._:/@]{1,128}$/u;
/** Neither form holds its own opening bracket, so that each character is read once. */
const placeholder = /\$\{[^{}]*\}|<[^<>]*>/g;

/** A compiled condition key of the reference data, to be compared with keys of policies. */
export interface ConditionKeyPattern {
  /** Lower case. */
  readonly literal: string;
  readonly hasPlaceholder: boolean;
  /** @param lower The key of the policy, lower-cased by `asciiLower`. */
  matches(lower: string): boolean;
}

/** Compiles a name such as `s3:prefix`, `aws:ResourceTag/${TagKey}` or `ssm:resourceTag/tag-key`. */
export function compileConditionKey(name: string): ConditionKeyPattern {
  const literal = asciiLower(name);
  const parts = literalParts(literal);
  if (parts.length === 1) {
    return { literal, hasPlaceholder: false, matches: (lower) => lower === literal };
  }
  return {
    literal,
    hasPlaceholder: true,
    matches: (lower) => lower === literal || fits(parts, lower),
  };
}

/** By name: as many as the reference data has names. */
const compiled = new Map<string, ConditionKeyPattern>();

/**
 * @param name As the reference data has it: each is compiled once.
 * @returns whether a policy's key is the one of that name. Linear in the key.
 */
export function matchesConditionKey(name: string, key: string): boolean {
  let pattern = compiled.get(name);
  if (!pattern) {
    pattern = compileConditionKey(name);
    compiled.set(name, pattern);
  }
  return pattern.matches(asciiLower(key));
}

/** The literal parts around the placeholders; the last part is empty if the name ends in a placeholder. */
function literalParts(lower: string): readonly string[] {
  // Older data writes a trailing tag key as the word `tag-key`, or leaves it out.
  if (lower.endsWith("/tag-key")) return [lower.slice(0, -"tag-key".length), ""];
  if (lower.endsWith("/")) return [lower, ""];
  return lower.split(placeholder);
}

function fits(parts: readonly string[], key: string): boolean {
  const first = parts[0] ?? "";
  if (!key.startsWith(first)) return false;
  let at = first.length;
  let before = first;
  for (let index = 1; index < parts.length; index++) {
    const part = parts[index] ?? "";
    const isLast = index === parts.length - 1;
    if (isLast && part === "") {
      const tail = key.slice(at);
      return before.endsWith("/") ? tagKey.test(tail) : tail !== "";
    }
    // The earliest match suffices: a placeholder matches no colon, so what a later match would leave
    // for the following parts is a suffix of what the earliest one leaves.
    const found = isLast ? lastPlace(key, part) : key.indexOf(part, at + 1);
    if (found <= at || key.slice(at, found).includes(":")) return false;
    at = found + part.length;
    before = part;
  }
  return true;
}

function lastPlace(key: string, part: string): number {
  return key.endsWith(part) ? key.length - part.length : -1;
}
