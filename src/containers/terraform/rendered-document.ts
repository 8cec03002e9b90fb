import type { TextNode } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import {
  entriesOf,
  type Located,
  type LocatedMember,
  locatedLeaf,
  locatedList,
  locatedObject,
} from "../located.ts";
import type { Unknowns } from "../unknowns.ts";

/** The arguments of a data source `aws_iam_policy_document` in a plan. */
export interface PlannedDocument {
  readonly address: string;
  readonly after: unknown;
  /** Has the shape of `after`, with `true` for each unknown value. */
  readonly unknown: unknown;
  /** Of `after`; null without text. */
  readonly root: TextNode | null;
  /** What decides the unknown values: the expressions of the source. Absent: there are none. */
  readonly expression?: string;
}

const nowhere: TextNode = { start: 0, end: 0, members: null, items: null };

/** One value of the arguments, with what is unknown in it. */
interface Part {
  readonly value: unknown;
  readonly unknown: unknown;
  readonly node: TextNode;
  /** Names the value in messages: equal names are equal values, so each has the address of its place. */
  readonly address: string;
}

/**
 * Terraform does not render a document that has unknown values, however many others it has. This
 * renders it from the arguments of the data source.
 */
export class DocumentRenderer {
  readonly #unknowns: Unknowns;
  #expression: string | undefined;

  constructor(unknowns: Unknowns) {
    this.#unknowns = unknowns;
  }

  /** @returns null if the statements themselves are unknown. */
  render({ address, after, unknown, root, expression }: PlannedDocument): Located | null {
    this.#expression = expression;
    const whole: Part = { value: after, unknown, node: root ?? nowhere, address };
    const statements = listOf(member(whole, "statement"));
    if (!statements) return null;
    const version = this.#located(member(whole, "version"));
    const members: LocatedMember[] = [
      memberAt("Version", whole, "version", version ?? locatedLeaf("2012-10-17", whole.node)),
    ];
    const id = this.#located(member(whole, "policy_id"));
    if (id) members.push(memberAt("Id", whole, "policy_id", id));
    const items = statements.map((part) => this.#statement(part));
    const list = locatedList(items, member(whole, "statement").node);
    members.push(memberAt("Statement", whole, "statement", list));
    return locatedObject(members, whole.node);
  }

  #statement(part: Part): Located {
    if (part.unknown === true) return this.#token(part);
    const members: LocatedMember[] = [];
    const add = (element: string, argument: string, located: Located | null) => {
      if (located) members.push(memberAt(element, part, argument, located));
    };
    add(
      "Effect",
      "effect",
      this.#located(member(part, "effect")) ?? locatedLeaf("Allow", part.node),
    );
    add("Sid", "sid", this.#located(member(part, "sid")));
    for (const [argument, element] of [
      ["actions", "Action"],
      ["not_actions", "NotAction"],
      ["resources", "Resource"],
      ["not_resources", "NotResource"],
    ] as const) {
      add(element, argument, this.#located(member(part, argument)));
    }
    add("Principal", "principals", this.#principals(member(part, "principals")));
    add("NotPrincipal", "not_principals", this.#principals(member(part, "not_principals")));
    add("Condition", "condition", this.#condition(member(part, "condition")));
    return locatedObject(members, part.node);
  }

  #principals(part: Part): Located | null {
    if (part.unknown === true) return this.#token(part);
    const blocks = listOf(part) ?? [];
    if (blocks.length === 0) return null;
    const byType = new Map<string, { key: TextNode; values: Located[] }>();
    for (const block of blocks) {
      const type = member(block, "type");
      const identifiers = this.#located(member(block, "identifiers"));
      if (!identifiers) continue;
      const entry = byType.get(this.#name(type)) ?? { key: type.node, values: [] };
      byType.set(this.#name(type), entry);
      entry.values.push(...entriesOf(identifiers));
    }
    const everyone = byType.get("*")?.values ?? [];
    const [only] = everyone;
    if (byType.size === 1 && everyone.length === 1 && only?.value === "*") return only;
    const members = [...byType].map(([name, { key, values }]) => ({
      name,
      key,
      located: locatedList(values, values[0]?.node ?? key),
    }));
    return locatedObject(members, part.node);
  }

  #condition(part: Part): Located | null {
    if (part.unknown === true) return this.#token(part);
    const blocks = listOf(part) ?? [];
    if (blocks.length === 0) return null;
    const byTest = new Map<string, { key: TextNode; keys: Map<string, LocatedMember> }>();
    for (const block of blocks) {
      const test = member(block, "test");
      const variable = member(block, "variable");
      const values = this.#located(member(block, "values"));
      if (!values) continue;
      const entry = byTest.get(this.#name(test)) ?? { key: test.node, keys: new Map() };
      byTest.set(this.#name(test), entry);
      const name = this.#name(variable);
      const known = entry.keys.get(name);
      const located = known
        ? locatedList([...entriesOf(known.located), ...entriesOf(values)], known.located.node)
        : values;
      entry.keys.set(name, { name, key: variable.node, located });
    }
    const members = [...byTest].map(([name, { key, keys }]) => ({
      name,
      key,
      located: locatedObject(keys.values(), key),
    }));
    return locatedObject(members, part.node);
  }

  #name(part: Part): string {
    return typeof part.value === "string" ? part.value : String(this.#token(part).value);
  }

  /** @returns null for a value that is absent or empty. */
  #located(part: Part): Located | null {
    const { value, unknown, node } = part;
    if (unknown === true) return this.#token(part);
    if (typeof value === "string" && value !== "") return locatedLeaf(value, node);
    const items = listOf(part);
    if (!items || items.length === 0) return null;
    return locatedList(
      items.map((item) => this.#located(item) ?? locatedLeaf("", item.node)),
      node,
    );
  }

  #token({ address, node }: Part): Located {
    const expression = this.#expression;
    const about = { source: address, like: "text", span: node, expression } as const;
    return locatedLeaf(this.#unknowns.token(about), node);
  }
}

function member({ value, unknown, node, address }: Part, name: string): Part {
  return {
    value: isRecord(value) ? value[name] : undefined,
    unknown: isRecord(unknown) ? unknown[name] : undefined,
    node: node.members?.get(name)?.value ?? node,
    address: `${address}.${name}`,
  };
}

/** The items of a list; unknown ones may be missing from the value. */
function listOf({ value, unknown, node, address }: Part): Part[] | null {
  // In a file of JSON syntax one block is an object.
  if (isRecord(value)) return [{ value, unknown, node, address }];
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  const marks: readonly unknown[] = Array.isArray(unknown) ? unknown : [];
  if (!Array.isArray(value) && !Array.isArray(unknown)) return null;
  return Array.from({ length: Math.max(values.length, marks.length) }, (_, index) => ({
    value: values[index],
    unknown: marks[index],
    node: node.items?.[index] ?? node,
    address: `${address}[${index}]`,
  }));
}

function memberAt(name: string, { node }: Part, argument: string, located: Located): LocatedMember {
  return { name, key: node.members?.get(argument)?.key ?? node, located };
}
