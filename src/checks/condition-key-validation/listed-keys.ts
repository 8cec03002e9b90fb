import { asciiLower, byCodePoint } from "../../services/ascii.ts";
import {
  type ConditionKeyPattern,
  compileConditionKey,
} from "../../services/condition-key-pattern.ts";
import type { Action, Service } from "../../services/model.ts";

interface Listed {
  readonly exact: ReadonlySet<string>;
  readonly open: readonly ConditionKeyPattern[];
}

const known = new WeakMap<Service, Listed>();

/** @returns whether any action or resource type of the service lists the key. */
export function listsKey(service: Service, key: string): boolean {
  let listed = known.get(service);
  if (!listed) {
    listed = read(service);
    known.set(service, listed);
  }
  const lower = asciiLower(key);
  return listed.exact.has(lower) || listed.open.some((pattern) => pattern.matches(lower));
}

function read(service: Service): Listed {
  const names = new Set<string>();
  for (const { conditionKeys } of [...service.actions, ...service.resourceTypes]) {
    for (const name of conditionKeys) names.add(name);
  }
  const patterns = Array.from(names, compileConditionKey);
  return {
    exact: new Set(patterns.map(({ literal }) => literal)),
    open: patterns.filter(({ hasPlaceholder }) => hasPlaceholder),
  };
}

const keysOfActions = new WeakMap<object, readonly string[]>();

/**
 * Names of the condition keys that these actions or their resource types list, sorted.
 * @param actions One action, or all that a pattern matches.
 */
export function keysOf(service: Service, actions: readonly Action[]): readonly string[] {
  // The list of a single action is made anew each time; the action itself stays.
  const [only] = actions;
  const holder = actions.length === 1 && only ? only : actions;
  let names = keysOfActions.get(holder);
  if (!names) {
    names = [...new Set(actions.flatMap((action) => keysOfAction(service, action)))].sort(
      byCodePoint,
    );
    keysOfActions.set(holder, names);
  }
  return names;
}

function keysOfAction(service: Service, action: Action): readonly string[] {
  return [
    ...action.conditionKeys,
    ...action.resourceTypes.flatMap((type) => service.resourceType(type)?.conditionKeys ?? []),
  ];
}
