import { asciiLower, byCodePoint } from "../../ascii.ts";
import {
  type ConditionKeyPattern,
  compileConditionKey,
} from "../../services/condition-key-pattern.ts";
import type { Action, Service } from "../../services/model.ts";

/** Names of condition keys, ready to be asked for one in any letter case. */
export interface KeyNames {
  readonly exact: ReadonlySet<string>;
  readonly open: readonly ConditionKeyPattern[];
}

/** @returns whether one of the names is that of the key. */
export function hasKey({ exact, open }: KeyNames, key: string): boolean {
  const lower = asciiLower(key);
  return exact.has(lower) || open.some((pattern) => pattern.matches(lower));
}

const known = new WeakMap<Service, KeyNames>();

/** Names that the actions and resource types of a service list; its own list is another matter. */
export function listedKeys(service: Service): KeyNames {
  let listed = known.get(service);
  if (!listed) {
    listed = keyNames([...service.actions, ...service.resourceTypes]);
    known.set(service, listed);
  }
  return listed;
}

/** Names that any of the services has, in whichever list. */
export function allKeys(services: Iterable<Service>): KeyNames {
  const exact = new Set<string>();
  const open = new Map<string, ConditionKeyPattern>();
  for (const service of services) {
    const listed = listedKeys(service);
    for (const literal of listed.exact) exact.add(literal);
    for (const pattern of listed.open) open.set(pattern.literal, pattern);
    for (const { name } of service.conditionKeys) {
      const pattern = compileConditionKey(name);
      exact.add(pattern.literal);
      if (pattern.hasPlaceholder) open.set(pattern.literal, pattern);
    }
  }
  return { exact, open: [...open.values()] };
}

function keyNames(lists: readonly { readonly conditionKeys: readonly string[] }[]): KeyNames {
  const names = new Set(lists.flatMap(({ conditionKeys }) => conditionKeys));
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
