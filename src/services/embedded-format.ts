import type { AccessLevel, ActionFacts, Descriptions, ServiceFacts } from "./model.ts";

/**
 * Format of the embedded data, three files in `data/`:
 * - `services.jsonl`: a line per service, a `ServiceLine`;
 * - `descriptions.jsonl`: a line per service, a `Descriptions` as `[actions, condition keys]`;
 * - `index.json`: a `DataIndex` with the length of each line, so that one service can be read alone.
 */
export interface DataIndex {
  /** Day of the data, `YYYY-MM-DD`. */
  readonly date: string;
  /** Name and version of the package that it was derived from. */
  readonly source: string;
  /** SHA-256 of `services.jsonl` followed by `descriptions.jsonl`. */
  readonly sha256: string;
  /** Bytes of each service's line in `services.jsonl` and in `descriptions.jsonl`, in file order. */
  readonly services: Readonly<Record<string, readonly [line: number, descriptions: number]>>;
}

/** Numbers are indexes into an earlier list of the same line. */
type ServiceLine = readonly [
  prefix: string,
  /** Condition keys; those without a type occur only at actions or resource types. */
  keys: readonly (readonly [name: string, type?: string])[],
  /** Resource types; those without formats occur only at actions. */
  types: readonly (readonly [
    name: string,
    formats?: readonly string[],
    keys?: readonly number[],
  ])[],
  /** Lists of condition keys, and of resource types, that actions share. */
  keyLists: readonly (readonly number[])[],
  typeLists: readonly (readonly number[])[],
  actions: readonly (readonly [
    name: string,
    level: keyof typeof levels,
    typeList: number,
    keyList: number,
  ])[],
];

const levels = {
  l: "list",
  p: "permissions-management",
  r: "read",
  t: "tagging",
  w: "write",
  u: "Unknown",
} as const satisfies Record<string, AccessLevel>;

const letters = new Map(
  Object.entries(levels).map(([letter, level]) => [level, letter as keyof typeof levels]),
);

/** @returns A line of `services.jsonl`, without its line end. */
export function encodeService(facts: Omit<ServiceFacts, "descriptions">): string {
  const keys = new Numbered<readonly [string, string?]>(([name]) => name);
  const types = new Numbered<ServiceLine[2][number]>(([name]) => name);
  const keyLists = new Numbered<readonly number[]>((list) => list.join());
  const typeLists = new Numbered<readonly number[]>((list) => list.join());
  for (const { name, types: keyTypes } of facts.conditionKeys) keys.add([name, keyTypes.join()]);
  for (const type of facts.resourceTypes) {
    const own = type.conditionKeys.map((key) => keys.add([key]));
    types.add([type.name, type.arnFormats, own]);
  }
  const actions = facts.actions.map(
    (action) =>
      [
        action.name,
        letters.get(action.accessLevel) ?? "u",
        typeLists.add(action.resourceTypes.map((type) => types.add([type]))),
        keyLists.add(action.conditionKeys.map((key) => keys.add([key]))),
      ] as const,
  );
  const line: ServiceLine = [
    facts.prefix,
    keys.items,
    types.items,
    keyLists.items,
    typeLists.items,
    actions,
  ];
  return JSON.stringify(line);
}

/** @param line Written by `encodeService` when the package was built, so it is not validated. */
export function decodeService(line: string, descriptions: () => Descriptions): ServiceFacts {
  const [prefix, keys, types, keyLists, typeLists, actions] = JSON.parse(line) as ServiceLine;
  const keyNames = keys.map(([name]) => name);
  const typeNames = types.map(([name]) => name);
  const namedKeys = keyLists.map((list) => pick(keyNames, list));
  const namedTypes = typeLists.map((list) => pick(typeNames, list));
  return {
    prefix,
    actions: actions.map(
      ([name, level, typeList, keyList]): ActionFacts => ({
        name,
        accessLevel: levels[level],
        resourceTypes: namedTypes[typeList] ?? [],
        conditionKeys: namedKeys[keyList] ?? [],
      }),
    ),
    resourceTypes: types.flatMap(([name, arnFormats, own]) =>
      arnFormats && own ? [{ name, arnFormats, conditionKeys: pick(keyNames, own) }] : [],
    ),
    conditionKeys: keys.flatMap(([name, type]) =>
      type === undefined ? [] : [{ name, types: type === "" ? [] : type.split(",") }],
    ),
    descriptions,
  };
}

/** @returns A line of `descriptions.jsonl`, without its line end. */
export function encodeDescriptions(descriptions: Descriptions): string {
  return JSON.stringify([descriptions.actions, descriptions.conditionKeys]);
}

/** @param line Written by `encodeDescriptions`. */
export function decodeDescriptions(line: string): Descriptions {
  const [actions, conditionKeys] = JSON.parse(line) as [
    Descriptions["actions"],
    Descriptions["conditionKeys"],
  ];
  return { actions, conditionKeys };
}

function pick(names: readonly string[], places: readonly number[]): readonly string[] {
  return places.map((place) => names[place] ?? "");
}

/** Gives equal items the same index. */
class Numbered<Item> {
  readonly items: Item[] = [];
  readonly #places = new Map<string, number>();
  readonly #identity: (item: Item) => string;

  constructor(identity: (item: Item) => string) {
    this.#identity = identity;
  }

  add(item: Item): number {
    const identity = this.#identity(item);
    const place = this.#places.get(identity);
    if (place !== undefined) return place;
    this.#places.set(identity, this.items.length);
    return this.items.push(item) - 1;
  }
}
