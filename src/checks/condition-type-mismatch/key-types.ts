import { asciiLower } from "../../ascii.ts";
import type { CheckContext } from "../../engine/check.ts";
import { keyType } from "../../policy/condition-key-type.ts";
import type { ConditionType } from "../../policy/condition-operator.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { keyLookup } from "../shared/statement-keys.ts";

export interface KeyTypes {
  /** At least one; the key fits an operator or a value when any of them does. */
  readonly types: readonly ConditionType[];
  /** The values are whatever people put there: tags, encryption context. */
  readonly freeText: boolean;
}

const principalTag: KeyTypes = { types: ["String"], freeText: true };

/**
 * Types of a condition key: from the table of global keys, else from the service reference of the
 * actions of the statement.
 * @returns null when the type is unknown; `unconfirmed` for a key whose type AWS does not tell.
 */
export function typesOfKey(
  { key, keyLower, operator }: ConditionEntry,
  statement: Statement,
  context: Pick<CheckContext, "match">,
): KeyTypes | "unconfirmed" | null {
  const global = globalConditionKey(key);
  if (global) {
    if (keyLower.startsWith("aws:principaltag/")) return principalTag;
    // AWS documents it with IP operators and, for comparison with a variable, with String ones.
    if (keyLower === "aws:ec2instancesourceprivateipv4" && operator?.base.type === "String") {
      return { types: ["String"], freeText: false };
    }
    return global.type === null ? "unconfirmed" : { types: [global.type], freeText: false };
  }
  const found = keyLookup(statement, context)(key);
  if (!found) return null;
  const types = found.types.flatMap((name) => keyType(name)?.type ?? []);
  // The reference says String, AWS's own policies compare it as a number:
  // https://docs.aws.amazon.com/amazonglacier/latest/dev/vault-lock-policy.html
  if (keyLower === "glacier:archiveageindays") types.push("Numeric");
  if (types.length === 0) return null;
  // Anything but an exact match came through a placeholder of the name.
  return { types, freeText: asciiLower(found.name) !== asciiLower(key) };
}
