/** Value types of condition operators and keys. */
export type ConditionType = "String" | "Numeric" | "Date" | "Bool" | "Binary" | "IPAddress" | "ARN";

/** A base operator as AWS spells it; `type` is null for `Null`, which takes keys of any type. */
export interface BaseOperator {
  readonly name: string;
  readonly type: ConditionType | null;
  readonly negated: boolean;
}

/** `[ForAllValues:|ForAnyValue:]Base[IfExists]`, every part in any letter case. */
export interface Operator {
  readonly base: BaseOperator;
  readonly setPrefix: "ForAllValues" | "ForAnyValue" | null;
  readonly ifExists: boolean;
}

const types: Record<ConditionType, readonly string[]> = {
  String: [
    "StringEquals",
    "StringNotEquals",
    "StringEqualsIgnoreCase",
    "StringNotEqualsIgnoreCase",
    "StringLike",
    "StringNotLike",
  ],
  Numeric: [
    "NumericEquals",
    "NumericNotEquals",
    "NumericLessThan",
    "NumericLessThanEquals",
    "NumericGreaterThan",
    "NumericGreaterThanEquals",
  ],
  Date: [
    "DateEquals",
    "DateNotEquals",
    "DateLessThan",
    "DateLessThanEquals",
    "DateGreaterThan",
    "DateGreaterThanEquals",
  ],
  Bool: ["Bool"],
  Binary: ["BinaryEquals"],
  IPAddress: ["IpAddress", "NotIpAddress"],
  ARN: ["ArnEquals", "ArnNotEquals", "ArnLike", "ArnNotLike"],
};

const bases = new Map<string, BaseOperator>();
for (const [type, names] of Object.entries(types) as [ConditionType, readonly string[]][]) {
  for (const name of names) {
    bases.set(name.toLowerCase(), { name, type, negated: name.includes("Not") });
  }
}
bases.set("null", { name: "Null", type: null, negated: false });

/** All base operators, in AWS's spelling. */
export const baseOperators: readonly BaseOperator[] = [...bases.values()];

const ascii = /^[\0-\x7f]*$/;
const prefixes = { forallvalues: "ForAllValues", foranyvalue: "ForAnyValue" } as const;

/**
 * Parses the name of an operator. Also parses `NullIfExists`, which does not exist and which
 * `condition_type_mismatch` reports.
 * @returns null for an unknown prefix or base.
 */
export function parseOperator(text: string): Operator | null {
  // No operator has non-ASCII characters, but lower-casing turns the Kelvin sign into `k`.
  if (!ascii.test(text)) return null;
  let rest = text.toLowerCase();
  let setPrefix: Operator["setPrefix"] = null;
  const colon = rest.indexOf(":");
  if (colon >= 0) {
    const prefix = rest.slice(0, colon);
    if (prefix !== "forallvalues" && prefix !== "foranyvalue") return null;
    setPrefix = prefixes[prefix];
    rest = rest.slice(colon + 1);
  }
  const ifExists = rest.endsWith("ifexists");
  const base = bases.get(ifExists ? rest.slice(0, -"ifexists".length) : rest);
  return base ? { base, setPrefix, ifExists } : null;
}
