import type { ConditionType } from "./condition-operator.ts";

/** Value type and cardinality of a condition key type of the service reference. */
export interface KeyType {
  readonly type: ConditionType;
  readonly multivalued: boolean;
}

const names: Readonly<Record<ConditionType, readonly string[]>> = {
  String: ["String"],
  Numeric: ["Numeric", "Number", "Long"],
  Date: ["Date"],
  Bool: ["Bool", "Boolean"],
  Binary: ["Binary"],
  IPAddress: ["IPAddress", "Ip"],
  ARN: ["ARN", "Arn"],
};

const byName = new Map<string, KeyType>();
for (const [type, spellings] of Object.entries(names) as [ConditionType, readonly string[]][]) {
  for (const spelling of spellings) {
    byName.set(spelling.toLowerCase(), { type, multivalued: false });
    byName.set(`arrayof${spelling.toLowerCase()}`, { type, multivalued: true });
  }
}

/**
 * @param name As the service reference spells it: `String`, `ArrayOfARN`, `Boolean`, `Long`, …
 * @returns undefined for a type this version does not know.
 */
export function keyType(name: string): KeyType | undefined {
  return byName.get(name.toLowerCase());
}
