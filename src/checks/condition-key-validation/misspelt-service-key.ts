import { asciiLower } from "../../ascii.ts";
import { editsBetween } from "../../edit-distance.ts";
import type { CheckContext } from "../../engine/check.ts";
import { suggestNames } from "../../services/suggest.ts";
import { withinBudget } from "../shared/suggestion-budget.ts";
import type { InvalidKey } from "./invalid-key.ts";
import { hasKey, listedKeys } from "./listed-keys.ts";

/** More edits make another name, which the service may have since the day of the reference data. */
const mostEdits = 2;

/**
 * A key of a service that the reference lacks and that is nearly one of its keys, such as `ec2:RoleDelivry`, in a
 * statement whose actions say nothing about its keys.
 */
export function* misspeltServiceKey(
  invalid: InvalidKey,
  { policy, services }: CheckContext,
): Iterable<InvalidKey> {
  const { key, keyLower } = invalid.entry;
  const service = services.get(keyLower.slice(0, Math.max(0, keyLower.indexOf(":"))));
  if (!service || service.conditionKey(key) || hasKey(listedKeys(service), key)) return;
  const names = service.conditionKeys.map(({ name }) => name);
  const near = withinBudget(policy, () => [...suggestNames(names, key)]).filter(
    (name) => editsBetween(asciiLower(name), keyLower) <= mostEdits,
  );
  if (near.length === 0) return;
  yield {
    ...invalid,
    why: `not a condition key of \`${service.prefix}\` in the reference data of ${services.date}`,
    near,
  };
}
