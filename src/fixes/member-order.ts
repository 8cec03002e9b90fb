import { policyElements, statementElements } from "../policy/statement.ts";

const orders: readonly (readonly string[])[] = [policyElements, statementElements];

/**
 * @param names Members that an object has, in order.
 * @returns where a new member goes: before the first element that people write after it, else at the end.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function placeOfMember(names: readonly (string | null)[], name: string): number {
  const later = orders.find((order) => order.includes(name));
  if (!later) return names.length;
  const rank = later.indexOf(name);
  const at = names.findIndex((one) => one !== null && later.indexOf(one) > rank);
  return at < 0 ? names.length : at;
}
