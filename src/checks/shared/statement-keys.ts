import { asciiLower } from "../../ascii.ts";
import type { CheckContext } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Statement } from "../../policy/model.ts";
import { compileConditionKey } from "../../services/condition-key-pattern.ts";
import type { ConditionKey, Service } from "../../services/model.ts";
import { countingActions, servicesOf } from "./counting-actions.ts";

type KeyLookup = (key: string) => ConditionKey | undefined;

/** Look-ups (keys times services) above which one merged table is cheaper than asking each service. */
const manyLookups = 2000;

const known = new FactSlot<Statement, KeyLookup>();

/**
 * Condition keys of the services whose actions a statement names.
 * @returns a look-up in any letter case, placeholders understood; the first service, in order of the
 * actions, that knows the key answers.
 */
export function keyLookup(statement: Statement, context: Pick<CheckContext, "match">): KeyLookup {
  let lookup = known.get(statement);
  if (!lookup) {
    const services = servicesOf(countingActions(statement, context));
    lookup = once(
      services.length * statement.conditions.length > manyLookups
        ? mergedLookup(services)
        : askEach(services),
    );
    known.set(statement, lookup);
  }
  return lookup;
}

/** Several checks ask about the keys of one statement. */
function once(lookup: KeyLookup): KeyLookup {
  const found = new Map<string, ConditionKey | undefined>();
  return (key) => {
    const before = found.get(key);
    if (before || found.has(key)) return before;
    const now = lookup(key);
    found.set(key, now);
    return now;
  };
}

function askEach(services: readonly Service[]): KeyLookup {
  return (key) => {
    for (const service of services) {
      const found = service.conditionKey(key);
      if (found) return found;
    }
    return undefined;
  };
}

function mergedLookup(services: readonly Service[]): KeyLookup {
  const exact = new Map<string, ConditionKey>();
  for (const { conditionKeys } of services) {
    for (const key of conditionKeys) {
      const lower = asciiLower(key.name);
      if (!exact.has(lower)) exact.set(lower, key);
    }
  }
  const open = [...exact.values()]
    .map((key) => ({ key, pattern: compileConditionKey(key.name) }))
    .filter(({ pattern }) => pattern.hasPlaceholder);
  return (name) => {
    const lower = asciiLower(name);
    return exact.get(lower) ?? open.find(({ pattern }) => pattern.matches(lower))?.key;
  };
}
