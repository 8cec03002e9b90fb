import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy } from "../../policy/model.ts";

/** A person corrects a few typing errors; a thousand wrong names are not typing errors. */
const mostPerPolicy = 200;

const spent = new FactSlot<Policy, number>();

/**
 * Looking for near names costs far more than finding the name wrong, so one policy gets it for so
 * many names and no more.
 * @returns what `look` finds; an empty list once the policy has had its share.
 */
export function withinBudget(policy: Policy, look: () => readonly string[]): readonly string[] {
  const count = spent.get(policy) ?? 0;
  if (count >= mostPerPolicy) return [];
  spent.set(policy, count + 1);
  return look();
}
