import type { CheckContext } from "../../engine/check.ts";
import type { ConditionEntry, Entry, Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";

/** Whether the condition of the statement keeps all of these entries from granting anything: none sends a key of it. */
export function areDead(
  entries: readonly Entry[],
  { conditions }: Statement,
  { match }: Pick<CheckContext, "match">,
): boolean {
  if (conditions.length === 0) return entries.length === 0;
  return entries.every(({ text }) => {
    const meaning = match(text);
    if (meaning.kind !== "action") return false;
    return conditions.some((entry) => isUnmet(entry, meaning.action, meaning.service));
  });
}

/** Whether some test is about a key that requests of none of these entries carry, so that it says nothing beside them. */
export function testsUnsentKey(
  entries: readonly Entry[],
  { conditions }: Statement,
  { match }: Pick<CheckContext, "match">,
): boolean {
  if (conditions.length === 0) return false;
  const meanings = entries.map(({ text }) => match(text));
  return conditions.some((entry) =>
    meanings.every(
      (meaning) => meaning.kind === "action" && isUnsent(entry, meaning.action, meaning.service),
    ),
  );
}

/** Whether a test asks for a key of the service that requests of the action do not carry. */
function isUnmet(entry: ConditionEntry, action: Action, service: Service): boolean {
  const { operator } = entry;
  if (!operator || operator.ifExists || operator.base.negated) return false;
  if (operator.base.type === null || operator.setPrefix === "ForAllValues") return false;
  return isUnsent(entry, action, service);
}

function isUnsent({ key }: ConditionEntry, action: Action, service: Service): boolean {
  const isTag = /^aws:resourcetag\//i.test(key) && action.resourceTypes.length === 0;
  return (isTag || service.conditionKey(key) !== undefined) && !action.supportsKey(key);
}
