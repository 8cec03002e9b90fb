import type { CheckContext } from "../../engine/check.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import type { ConditionKey } from "../../services/model.ts";
import { keyLookup } from "../shared/statement-keys.ts";

/** AWS lists it as String, but treats it as multivalued: its own managed policies use a set operator. */
const alsoMultivalued: ReadonlySet<string> = new Set(["codestar-connections:provideraction"]);

/** Whether a request may have several values of the key. */
export function isMultivalued(
  { key, keyLower }: ConditionEntry,
  statement: Statement,
  context: CheckContext,
): boolean {
  if (globalConditionKey(key)?.multivalued || alsoMultivalued.has(keyLower)) return true;
  if (identityProviderKey(key)?.claim === "amr") return true;
  return definitionsOf(key, statement, context).some(({ types }) =>
    types.some((type) => /^ArrayOf/i.test(type)),
  );
}

/**
 * Whether a request has one value of the key at most. Nothing is known of a key that does not exist, which is for
 * condition_key_validation.
 */
export function isSingleValued(entry: ConditionEntry, statement: Statement, context: CheckContext) {
  if (isMultivalued(entry, statement, context)) return false;
  const { key } = entry;
  return (
    globalConditionKey(key) !== undefined ||
    identityProviderKey(key) !== null ||
    definitionsOf(key, statement, context).length > 0 ||
    !context.peer("condition_key_validation")
  );
}

function definitionsOf(
  key: string,
  statement: Statement,
  context: CheckContext,
): readonly ConditionKey[] {
  const prefix = key.slice(0, Math.max(0, key.indexOf(":"))).toLowerCase();
  const own = prefix === "aws" ? undefined : context.services.get(prefix)?.conditionKey(key);
  return [own, keyLookup(statement, context)(key)].filter((one) => one !== undefined);
}
