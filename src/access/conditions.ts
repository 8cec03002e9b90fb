import { type Operator, parseOperator } from "../policy/condition-operator.ts";
import { readAddresses } from "./addresses.ts";
import type { Condition } from "./document.ts";
import {
  type Comparison,
  compared,
  complement,
  type Ranges,
  readEpoch,
  readInstant,
  readNumber,
  union,
} from "./intervals.ts";
import { familyOf, type QuestionKey } from "./keys.ts";
import type { Quantifier } from "./literals.ts";
import { type Pattern, patternOf } from "./patterns.ts";
import { arnPattern, readTokens, type Variables } from "./read-pattern.ts";
import { isVariable } from "./tokens.ts";

/** A condition entry as a test of one key, or why it cannot be read. */
export type Test =
  | {
      readonly kind: "texts";
      readonly absentOk: boolean;
      readonly quantifier: Quantifier;
      readonly negated: boolean;
      readonly patterns: readonly Pattern[];
    }
  | {
      readonly kind: "ranges";
      readonly absentOk: boolean;
      readonly quantifier: Quantifier;
      readonly ranges: Ranges;
    }
  /** `Null`: nothing about values. */
  | { readonly kind: "presence"; readonly whenAbsent: boolean; readonly whenPresent: boolean }
  | { readonly kind: "opaque"; readonly construct: string };

function opaque(construct: string): Test {
  return { kind: "opaque", construct };
}

/** Reads one entry. @param hasVariables Whether the document's version knows policy variables. */
export function readTest(
  { operator: text, values }: Condition,
  key: QuestionKey,
  isMultivalued: boolean,
  hasVariables: boolean,
  variables: Variables,
): Test {
  const operator = parseOperator(text);
  if (!operator) return opaque("unknown_operator");
  const { base, setPrefix, ifExists } = operator;
  if (base.type === null) {
    if (setPrefix !== null || ifExists) return opaque("unknown_operator");
    const folded = values.map((value) => value.toLowerCase());
    return {
      kind: "presence",
      whenAbsent: folded.includes("true"),
      whenPresent: folded.includes("false"),
    };
  }
  const isEpoch = base.type === "Numeric" && takesNumbers(key);
  if (familyOf(base.type) !== key.family && !isEpoch) return opaque("mixed_operators");
  const absentOk = ifExists || setPrefix === "ForAllValues" || (base.negated && setPrefix === null);
  const quantifier = quantifierOf(operator, isMultivalued);
  if (key.family === "text") {
    const patterns = readTexts(base.name, values, hasVariables, variables);
    if (typeof patterns === "string") return opaque(patterns);
    return { kind: "texts", absentOk, quantifier, negated: base.negated, patterns };
  }
  const ranges = readRanges(base.name, values, isEpoch);
  if (typeof ranges === "string") return opaque(ranges);
  const positive = union(ranges);
  return {
    kind: "ranges",
    absentOk,
    quantifier,
    ranges: base.negated ? complement(positive) : positive,
  };
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html (aws:EpochTime) */
function takesNumbers({ name, family }: QuestionKey): boolean {
  return name === "aws:epochtime" && family === "instant";
}

function quantifierOf({ setPrefix }: Operator, isMultivalued: boolean): Quantifier {
  if (!isMultivalued) return "one";
  if (setPrefix === null) return "plain";
  return setPrefix === "ForAllValues" ? "every" : "some";
}

/** @returns the patterns of the values, or the construct that cannot be read. */
function readTexts(
  base: string,
  values: readonly string[],
  hasVariables: boolean,
  variables: Variables,
): readonly Pattern[] | string {
  const patterns: Pattern[] = [];
  for (const value of values) {
    const pattern = readText(base, value, hasVariables, variables);
    if (typeof pattern === "string") return pattern;
    patterns.push(pattern);
  }
  return patterns;
}

function readText(
  base: string,
  value: string,
  hasVariables: boolean,
  variables: Variables,
): Pattern | string {
  if (base === "BinaryEquals") return readBinary(value, variables);
  const isArn = base.startsWith("Arn");
  const tokens = readTokens(
    value,
    {
      wildcards: isArn || base.endsWith("Like"),
      variables: hasVariables && base !== "Bool",
      ignoreCase: base === "Bool" || base.endsWith("IgnoreCase"),
    },
    variables,
  );
  if (!tokens) return "budget";
  if (!isArn) return patternOf(tokens);
  const pattern = arnPattern(tokens);
  if (pattern) return pattern;
  // The fields that are missing may be in the text of a placeholder: `${TopicArn}`, `${FunctionArn}:*`.
  const [first] = tokens;
  const isFilled = first !== undefined && isVariable(first);
  return isFilled && variables.of(first).kind === "placeholder" ? patternOf(tokens) : "arn_pattern";
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function readBinary(value: string, variables: Variables): Pattern | string {
  if (!base64.test(value)) return "invalid_value";
  const bytes = Buffer.from(value, "base64").toString("base64");
  const tokens = readTokens(bytes, { wildcards: false, variables: false }, variables);
  return tokens ? patternOf(tokens) : "budget";
}

const comparisons: readonly (readonly [ending: string, Comparison])[] = [
  ["LessThanEquals", "upTo"],
  ["GreaterThanEquals", "from"],
  ["LessThan", "below"],
  ["GreaterThan", "above"],
  ["Equals", "equals"],
];

/** A placeholder of a template; a policy variable is plain text for these operators. */
const placeholder = /\{\{|\$\{(?![^{}:]+:(?!:))/;

/** @returns what each value lets through, before negation, or the construct that cannot be read. */
function readRanges(
  base: string,
  values: readonly string[],
  isEpoch: boolean,
): readonly Ranges[] | string {
  const ranges: Ranges[] = [];
  for (const value of values) {
    const range = readRange(base, value, isEpoch);
    if (!range) return placeholder.test(value) ? "placeholder" : "invalid_value";
    ranges.push(range);
  }
  return ranges;
}

function readRange(base: string, value: string, isEpoch: boolean): Ranges | null {
  if (base.endsWith("IpAddress")) return readAddresses(value);
  const how = comparisons.find(([ending]) => base.endsWith(ending))?.[1] ?? "equals";
  const readValue = isEpoch ? readEpoch : base.startsWith("Date") ? readInstant : readNumber;
  const read = readValue(value);
  return read === null ? null : compared(how, read);
}
