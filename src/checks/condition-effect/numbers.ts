import { quote } from "../shared/quote.ts";
import { type Effect, exceptWithoutKey, isOpen, type ReadableEntry } from "./effect.ts";

/** The numbers that a key can have. */
interface NumberRange {
  readonly least: number;
  /** Infinity: there is no greatest one. */
  readonly most: number;
  /** Ends the sentence "its values are …". */
  readonly words: string;
  readonly suggestion: string;
}

const seconds: NumberRange = {
  least: 0,
  most: Number.POSITIVE_INFINITY,
  words: "the seconds since the sign-in with MFA, from 0",
  suggestion: "Write the greatest age in seconds, such as `3600`.",
};

/**
 * Sources: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html for the age,
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html for the others.
 */
const ranges: ReadonlyMap<string, NumberRange> = new Map([
  ["aws:multifactorauthage", seconds],
  [
    "s3:tlsversion",
    {
      least: 1,
      most: 1.3,
      words: "TLS versions from `1.0` to `1.3`",
      suggestion: "Write the version as `1.2` or `1.3`.",
    },
  ],
  [
    "s3:max-keys",
    {
      least: 0,
      most: Number.POSITIVE_INFINITY,
      words: "numbers from 0",
      suggestion: "Write the greatest number of keys that a list may ask for, such as `100`.",
    },
  ],
  [
    "s3:signatureage",
    {
      least: 0,
      most: Number.POSITIVE_INFINITY,
      words: "milliseconds from 0",
      suggestion: "Write the greatest age of the signature in milliseconds, such as `600000`.",
    },
  ],
]);

/** A numeric test that no number the key can have meets, or that all of them do. */
export function effectOfNumbers(entry: ReadableEntry): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (operator.base.type !== "Numeric" || operator.setPrefix !== null) return null;
  const range = ranges.get(keyLower);
  if (!range || values.length === 0 || values.some(({ text }) => isOpen(text))) return null;
  const numbers = values.map(({ text }) => Number(text));
  if (numbers.some((number) => !Number.isFinite(number))) return null;
  const kind = effectOf(operator.base.name, numbers, range);
  if (!kind) return null;
  const [first] = values;
  const isNever = kind === "never";
  return {
    kind,
    entry,
    ...(first ? { node: first.node } : {}),
    reason: `${isNever ? "No" : "Every"} value of ${quote(key)} meets ${quote(operatorText)} ${quote(first?.text ?? "")}: its values are ${range.words}.`,
    suggestion: range.suggestion,
    ...(isNever ? exceptWithoutKey(entry) : {}),
  };
}

/** One value that a request may have is enough, so of several the widest decides. */
function effectOf(
  operator: string,
  numbers: readonly number[],
  { least, most }: NumberRange,
): "never" | "always" | null {
  // Not as arguments of one call, which takes some 100,000 at most.
  const highest = numbers.reduce((one, other) => Math.max(one, other));
  const lowest = numbers.reduce((one, other) => Math.min(one, other));
  // Where there is no greatest number, a test that each one meets asks that the key is there.
  const isBounded = Number.isFinite(most);
  switch (operator) {
    case "NumericLessThan":
      return highest <= least ? "never" : highest > most ? "always" : null;
    case "NumericLessThanEquals":
      return highest < least ? "never" : highest >= most && isBounded ? "always" : null;
    case "NumericGreaterThan":
      return lowest >= most && isBounded ? "never" : lowest < least && isBounded ? "always" : null;
    case "NumericGreaterThanEquals":
      return lowest > most ? "never" : lowest <= least && isBounded ? "always" : null;
    case "NumericEquals":
      return numbers.every((number) => number < least || number > most) ? "never" : null;
    default:
      return null;
  }
}
