import { parseOperator } from "../policy/condition-operator.ts";
import { readTest } from "./conditions.ts";
import { readBlock } from "./document.ts";
import { familyOf } from "./keys.ts";
import { Variables } from "./read-pattern.ts";

/**
 * What is wrong with a condition block of the config, which has to be readable whatever policy it is
 * asked about.
 * @returns one clause; null: nothing.
 */
export function faultOfBlock(block: unknown): string | null {
  const conditions = readBlock(block);
  if (!conditions)
    return "a condition block is operator, then key, then a value or a list of values";
  if (conditions.length === 0) return "a condition block has at least one operator with a key";
  for (const condition of conditions) {
    const operator = parseOperator(condition.operator);
    if (!operator) return `${condition.operator} is not a condition operator`;
    const type = operator.base.type ?? "String";
    const key = {
      name: condition.keyLower,
      spelling: condition.key,
      type,
      family: familyOf(type),
      isMultivalued: false,
    };
    const test = readTest(condition, key, key.isMultivalued, true, new Variables());
    if (test.kind === "opaque") {
      return `${condition.operator} cannot read a value of ${condition.key} (${test.construct})`;
    }
  }
  return null;
}
