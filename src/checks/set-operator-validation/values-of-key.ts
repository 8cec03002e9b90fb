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
  const { own, ofActions } = definitionsOf(key, statement, context);
  return isArray(own) || isArray(ofActions);
}

/**
 * Whether a request has one value of the key at most. Nothing is known of a key that does not exist, which is for
 * condition_key_validation.
 */
export function isSingleValued(entry: ConditionEntry, statement: Statement, context: CheckContext) {
  if (isMultivalued(entry, statement, context)) return false;
  const { key } = entry;
  const { own, ofActions } = definitionsOf(key, statement, context);
  return (
    globalConditionKey(key) !== undefined ||
    identityProviderKey(key) !== null ||
    own !== undefined ||
    ofActions !== undefined ||
    !context.peer("condition_key_validation")
  );
}

function isArray(key: ConditionKey | undefined): boolean {
  return key?.types.some((type) => /^ArrayOf/i.test(type)) === true;
}

interface Definitions {
  /** By the service that the key begins with. */
  readonly own: ConditionKey | undefined;
  /** By the services of the actions. */
  readonly ofActions: ConditionKey | undefined;
}

function definitionsOf(key: string, statement: Statement, context: CheckContext): Definitions {
  const colon = key.indexOf(":");
  const isGlobal = /^aws:/i.test(key);
  return {
    own: isGlobal
      ? undefined
      : context.services.get(key.slice(0, Math.max(0, colon)))?.conditionKey(key),
    ofActions: keyLookup(statement, context)(key),
  };
}
