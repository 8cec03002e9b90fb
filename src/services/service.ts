import { asciiLower, byCodePoint } from "../ascii.ts";
import { type ConditionKeyPattern, compileConditionKey } from "./condition-key-pattern.ts";
import { lowerNamesOf } from "./lower-names.ts";
import type {
  AccessLevel,
  Action,
  ActionFacts,
  ConditionKey,
  Descriptions,
  ResourceType,
  Service,
  ServiceFacts,
} from "./model.ts";

/**
 * Compiles a service for look-ups. The key matchers of an action and all descriptions are created on
 * first use.
 */
export function compileService(facts: ServiceFacts): Service {
  const shared = new SharedParts(facts);
  const actions = facts.actions
    .map((action, index): Action => new CompiledAction(shared, action, index))
    .sort((left, right) => byCodePoint(left.name, right.name));
  const actionsByName = new Map(actions.map((action) => [action.name, action]));
  // Policies nearly always use AWS's spelling, so the others are not needed for most services.
  const byLower = onFirstUse(() => {
    const lower = lowerNamesOf(service);
    return new Map(actions.map((action, at) => [lower[at], action]));
  });
  const conditionKeys = facts.conditionKeys.map(
    (key, index): ConditionKey => new CompiledConditionKey(shared, key, index),
  );
  const exactKeys = onFirstUse(
    () => new Map(conditionKeys.map((key) => [asciiLower(key.name), key])),
  );
  const openKeys = onFirstUse(() =>
    conditionKeys
      .flatMap((key) => {
        const pattern = shared.keyPattern(key.name);
        return pattern.hasPlaceholder ? [{ key, pattern }] : [];
      })
      // The longer name says more of the key: `events:Metadata/${MetadataKey}/Matcher`.
      .sort((a, b) => b.pattern.literal.length - a.pattern.literal.length),
  );
  const service: Service = {
    prefix: facts.prefix,
    actions,
    action: (name) => actionsByName.get(name) ?? byLower().get(asciiLower(name)),
    resourceTypes: facts.resourceTypes,
    resourceType: (name) => shared.resourceType(name),
    conditionKeys,
    conditionKey: (name) => {
      const lower = asciiLower(name);
      return (
        exactKeys().get(lower) ?? openKeys().find(({ pattern }) => pattern.matches(lower))?.key
      );
    },
  };
  return service;
}

function onFirstUse<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/** Data shared by the actions and keys of one service. */
class SharedParts {
  readonly prefix: string;
  readonly #patterns = new Map<string, ConditionKeyPattern>();
  readonly #keySets = new Map<string, KeySet>();
  readonly #resourceTypes: ReadonlyMap<string, ResourceType>;
  readonly #readDescriptions: () => Descriptions;
  #descriptions: Descriptions | undefined;

  constructor({ prefix, resourceTypes, descriptions }: ServiceFacts) {
    this.prefix = prefix;
    this.#resourceTypes = new Map(resourceTypes.map((type) => [asciiLower(type.name), type]));
    // Without the other facts, of which each action would keep 50 bytes in memory.
    this.#readDescriptions = descriptions;
  }

  get descriptions(): Descriptions {
    this.#descriptions ??= this.#readDescriptions();
    return this.#descriptions;
  }

  resourceType(name: string): ResourceType | undefined {
    return this.#resourceTypes.get(asciiLower(name));
  }

  /** The keys of an action or of one of its types. Most actions of a service share theirs. */
  keySetOf({ conditionKeys, resourceTypes }: ActionFacts): KeySet {
    const id = `${resourceTypes.join()} ${conditionKeys.join()}`;
    let keys = this.#keySets.get(id);
    if (!keys) {
      const names = new Set(conditionKeys);
      for (const type of resourceTypes) {
        for (const key of this.resourceType(type)?.conditionKeys ?? []) names.add(key);
      }
      keys = new KeySet(Array.from(names, (name) => this.keyPattern(name)));
      this.#keySets.set(id, keys);
    }
    return keys;
  }

  keyPattern(name: string): ConditionKeyPattern {
    let pattern = this.#patterns.get(name);
    if (!pattern) {
      pattern = compileConditionKey(name);
      this.#patterns.set(name, pattern);
    }
    return pattern;
  }
}

/** Longer keys of policies are not kept. */
const longestAsked = 128;

/** Condition keys that actions support. */
class KeySet {
  readonly #exact: ReadonlySet<string>;
  readonly #open: readonly ConditionKeyPattern[];
  /** The last question: a key is asked of many actions in a row, and most of them share their set. */
  #asked = "";
  #answer = false;

  constructor(patterns: readonly ConditionKeyPattern[]) {
    this.#exact = new Set(patterns.map((pattern) => pattern.literal));
    this.#open = patterns.filter((pattern) => pattern.hasPlaceholder);
  }

  has(key: string): boolean {
    if (key === this.#asked) return this.#answer;
    const lower = asciiLower(key);
    const answer = this.#exact.has(lower) || this.#open.some((one) => one.matches(lower));
    if (key.length > longestAsked) return answer;
    this.#asked = key;
    this.#answer = answer;
    return answer;
  }
}

// A class, because a set of closures for each of 22,000 actions would need several megabytes more.
class CompiledAction implements Action {
  readonly name: string;
  readonly accessLevel: AccessLevel;
  readonly resourceTypes: readonly string[];
  readonly conditionKeys: readonly string[];
  readonly #shared: SharedParts;
  readonly #index: number;
  #keys: KeySet | undefined;
  #qualified: string | undefined;

  constructor(shared: SharedParts, facts: ActionFacts, index: number) {
    this.name = facts.name;
    this.accessLevel = facts.accessLevel;
    this.resourceTypes = facts.resourceTypes;
    this.conditionKeys = facts.conditionKeys;
    this.#shared = shared;
    this.#index = index;
  }

  get service(): string {
    return this.#shared.prefix;
  }

  get qualified(): string {
    // Kept, because checks look it up in sets, and a text keeps its hash.
    this.#qualified ??= `${this.#shared.prefix}:${this.name}`;
    return this.#qualified;
  }

  get description(): string | null {
    return this.#shared.descriptions.actions[this.#index] ?? null;
  }

  supportsKey(key: string): boolean {
    this.#keys ??= this.#shared.keySetOf(this);
    return this.#keys.has(key);
  }
}

class CompiledConditionKey implements ConditionKey {
  readonly name: string;
  readonly types: readonly string[];
  readonly #shared: SharedParts;
  readonly #index: number;

  constructor(shared: SharedParts, key: Omit<ConditionKey, "description">, index: number) {
    this.name = key.name;
    this.types = key.types;
    this.#shared = shared;
    this.#index = index;
  }

  get description(): string | null {
    return this.#shared.descriptions.conditionKeys[this.#index] ?? null;
  }
}
