import type { Span, TextMember, TextNode } from "../json/text-tree.ts";

/** A JSON value with the spans of its parts. Strings can have tokens of unknown values. */
export interface Located {
  readonly value: unknown;
  readonly node: TextNode;
}

/** @returns A string, number, boolean or null at a span. */
export function locatedLeaf(value: unknown, { start, end }: Span): Located {
  return { value, node: { start, end, members: null, items: null } };
}

/** @returns An array at a span. */
export function locatedList(items: readonly Located[], { start, end }: Span): Located {
  return {
    value: items.map(({ value }) => value),
    node: { start, end, members: null, items: items.map(({ node }) => node) },
  };
}

export interface LocatedMember {
  readonly name: string;
  readonly key: Span;
  readonly located: Located;
}

/** @returns An object at a span; of repeated names the last counts. */
export function locatedObject(
  members: Iterable<LocatedMember>,
  { start, end }: Span,
): Located & { readonly value: Readonly<Record<string, unknown>> } {
  const nodes = new Map<string, TextMember>();
  const value: Record<string, unknown> = {};
  for (const { name, key, located } of members) {
    nodes.set(name, { key, value: located.node });
    // An assignment to `__proto__` would change the prototype.
    Object.defineProperty(value, name, {
      value: located.value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { value, node: { start, end, members: nodes, items: null } };
}

/** @returns A copy of a value in which every part has one span: the value is not written there itself. */
export function locatedAt(value: unknown, span: Span): Located {
  if (Array.isArray(value)) {
    return locatedList(
      value.map((item) => locatedAt(item, span)),
      span,
    );
  }
  if (typeof value !== "object" || value === null) return locatedLeaf(value, span);
  const members = Object.entries(value).map(([name, member]) => ({
    name,
    key: span,
    located: locatedAt(member, span),
  }));
  return locatedObject(members, span);
}

/** @returns The items of a list; anything else as the only item. */
export function entriesOf({ value, node }: Located): Located[] {
  if (!Array.isArray(value) || !node.items) return [{ value, node }];
  return node.items.map((item, index) => ({ value: value[index] as unknown, node: item }));
}
