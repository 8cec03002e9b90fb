import type { Condition } from "./document.ts";
import {
  expand,
  fieldsTake,
  foldPieces,
  isFilledIn,
  lower,
  sixFields,
  takes,
  UnknownPlaceholder,
  type Values,
} from "./evaluate-text.ts";
import {
  compareInstants,
  compareNumbers,
  compareSeconds,
  isInBlock,
  sameBytes,
} from "./evaluate-values.ts";

/** Three values: `maybe` where the document holds something that cannot be read. */
export type Outcome = "yes" | "no" | "maybe";

/** An outcome, and the construct that left it open. */
export interface Doubtful {
  readonly outcome: Outcome;
  readonly construct: string | null;
}

const yes: Doubtful = { outcome: "yes", construct: null };
const no: Doubtful = { outcome: "no", construct: null };
function maybe(construct: string): Doubtful {
  return { outcome: "maybe", construct };
}

export interface ConditionRules {
  readonly hasVariables: boolean;
  /** Values of the key in the request; empty: absent. */
  readonly values: readonly string[];
  readonly family: "text" | "number" | "instant" | "address";
  readonly request: Values;
}

interface Operator {
  readonly set: "all" | "any" | null;
  readonly base: string;
  readonly negated: boolean;
  readonly ifExists: boolean;
}

const plainBases = new Set([
  "stringequals",
  "stringequalsignorecase",
  "stringlike",
  "arnequals",
  "arnlike",
  "numericequals",
  "numericlessthan",
  "numericlessthanequals",
  "numericgreaterthan",
  "numericgreaterthanequals",
  "dateequals",
  "datelessthan",
  "datelessthanequals",
  "dategreaterthan",
  "dategreaterthanequals",
  "bool",
  "binaryequals",
  "ipaddress",
]);

const negatedBases = new Map([
  ["stringnotequals", "stringequals"],
  ["stringnotequalsignorecase", "stringequalsignorecase"],
  ["stringnotlike", "stringlike"],
  ["arnnotequals", "arnequals"],
  ["arnnotlike", "arnlike"],
  ["numericnotequals", "numericequals"],
  ["datenotequals", "dateequals"],
  ["notipaddress", "ipaddress"],
]);

function readOperator(text: string): Operator | null {
  let name = lower(text);
  let set: Operator["set"] = null;
  if (name.startsWith("forallvalues:")) set = "all";
  if (name.startsWith("foranyvalue:")) set = "any";
  if (set !== null) name = name.slice(name.indexOf(":") + 1);
  const ifExists = name.endsWith("ifexists");
  if (ifExists) name = name.slice(0, -"ifexists".length);
  const positive = negatedBases.get(name);
  if (positive !== undefined) return { set, base: positive, negated: true, ifExists };
  return plainBases.has(name) ? { set, base: name, negated: false, ifExists } : null;
}

/** Whether one entry of a condition holds. */
export function conditionHolds(condition: Condition, rules: ConditionRules): Doubtful {
  if (lower(condition.operator) === "null") return nullHolds(condition, rules);
  const operator = readOperator(condition.operator);
  if (!operator) return maybe("unknown_operator");
  if (!isFamilyOf(operator.base, condition, rules)) return maybe("mixed_operators");
  const fault = faultOf(operator.base, condition.values, rules);
  if (fault) return maybe(fault);
  if (rules.values.length === 0) {
    if (operator.ifExists || operator.set === "all") return yes;
    return operator.negated && operator.set === null ? yes : no;
  }
  if (operator.set === null && rules.values.length > 1) return maybe("set_operator_missing");
  try {
    const holds = (value: string) =>
      condition.values.some((wanted) => isMatch(operator.base, wanted, value, rules)) !==
      operator.negated;
    const all = operator.set === "any" ? rules.values.some(holds) : rules.values.every(holds);
    return all ? yes : no;
  } catch (error) {
    if (error instanceof UnknownPlaceholder) return maybe("placeholder");
    throw error;
  }
}

function nullHolds({ values }: Condition, rules: ConditionRules): Doubtful {
  const wanted = rules.values.length === 0 ? "true" : "false";
  return values.some((value) => lower(value) === wanted) ? yes : no;
}

/** `aws:EpochTime` takes numbers beside dates: seconds since 1970. */
function isFamilyOf(base: string, { keyLower }: Condition, { family }: ConditionRules): boolean {
  const own = familyOf(base);
  return (
    own === family || (own === "number" && family === "instant" && keyLower === "aws:epochtime")
  );
}

function familyOf(base: string): ConditionRules["family"] {
  if (base.startsWith("numeric")) return "number";
  if (base.startsWith("date")) return "instant";
  return base === "ipaddress" ? "address" : "text";
}

/** A placeholder of a template; a policy variable is plain text for these operators. */
const insertion = /\{\{|\$\{(?![^{}:]+:(?!:))/;

/** What keeps the values from being read, whatever the request says. */
function faultOf(
  base: string,
  values: readonly string[],
  { family }: ConditionRules,
): string | null {
  for (const value of values) {
    const isFaulty = (reads: boolean) =>
      reads ? null : insertion.test(value) ? "placeholder" : "invalid_value";
    let fault: string | null = null;
    if (base.startsWith("numeric")) {
      const compare = family === "instant" ? compareSeconds : compareNumbers;
      fault = isFaulty(compare("0", value) !== null);
    } else if (base.startsWith("date")) fault = isFaulty(compareInstants(value, "0") !== null);
    else if (base === "ipaddress") fault = isFaulty(isInBlock("0.0.0.0", value) !== null);
    else if (base === "binaryequals")
      fault = sameBytes(value, value) === null ? "invalid_value" : null;
    else if (base.startsWith("arn") && !/^\*+$/.test(value)) {
      fault = sixFields(value) || isFilledIn(value) ? null : "arn_pattern";
    }
    if (fault) return fault;
  }
  return null;
}

function isMatch(base: string, wanted: string, value: string, rules: ConditionRules): boolean {
  if (base.startsWith("numeric")) {
    const compare = rules.family === "instant" ? compareSeconds : compareNumbers;
    return ordered(base.slice(7), compare(value, wanted));
  }
  if (base.startsWith("date")) return ordered(base.slice(4), compareInstants(value, wanted));
  if (base === "ipaddress") return isInBlock(value, wanted) === true;
  if (base === "binaryequals") return sameBytes(value, wanted) === true;
  if (base.startsWith("arn")) return isArnMatch(wanted, value, rules);
  const text = {
    wildcards: base === "stringlike",
    variables: rules.hasVariables && base !== "bool",
  };
  const pieces = expand(wanted, text, rules.request);
  if (!pieces) return false;
  const folds = base === "bool" || base === "stringequalsignorecase";
  return folds ? takes(foldPieces(pieces), lower(value)) : takes(pieces, value);
}

function isArnMatch(wanted: string, value: string, rules: ConditionRules): boolean {
  if (/^\*+$/.test(wanted)) return true;
  const text = { wildcards: true, variables: rules.hasVariables };
  const fields = sixFields(wanted);
  if (fields) return fieldsTake(fields, value, text, rules.request);
  const pieces = expand(wanted, text, rules.request);
  return pieces !== null && takes(pieces, value);
}

function ordered(how: string, order: number | null): boolean {
  if (order === null) return false;
  if (how === "equals") return order === 0;
  if (how === "lessthan") return order < 0;
  if (how === "lessthanequals") return order <= 0;
  return how === "greaterthan" ? order > 0 : order >= 0;
}

export { maybe, no, yes };
