import type { Span, TextNode } from "../json/text-tree.ts";
import { isRecord } from "../record.ts";
import { type Located, locatedLeaf, locatedList, locatedObject } from "./located.ts";
import type { Read } from "./places.ts";

/** What a tool fills in before AWS gets a document. */
export interface Filling {
  /** @returns the text with a token in place of each part that is filled in. */
  readonly text: (text: string) => string;
  /** @returns the token of an object that is a function of the tool; null: it is a plain object. */
  readonly call?: (value: Readonly<Record<string, unknown>>, at: Span) => string | null;
  /** @returns the name of a member in the document. Default: its text, filled in. */
  readonly name?: (name: string) => string;
}

/** Policies are smaller; an anchor that is used often makes more. */
const maxValues = 200_000;
const maxLevels = 60;
/** Why a document is not read that has more. */
export const tooManyValues = "It has more values than one policy can have.";

/** @returns A copy of a document of the file with tokens in place of what a tool fills in; null: it is too large. */
export function filledValue({ value, root }: Read, filling: Filling): Located | null {
  const left = { values: maxValues };
  const located = copy({ value, root }, filling, left, 0);
  return left.values < 0 ? null : located;
}

function copy(
  { value, root }: { readonly value: unknown; readonly root: TextNode | null },
  filling: Filling,
  left: { values: number },
  level: number,
): Located {
  const at = root ?? { start: 0, end: 0, members: null, items: null };
  if (level > maxLevels) left.values = -1;
  if (--left.values < 0) return locatedLeaf(null, at);
  if (typeof value === "string") return locatedLeaf(filling.text(value), at);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) =>
      copy({ value: item, root: at.items?.[index] ?? at }, filling, left, level + 1),
    );
    return locatedList(items, at);
  }
  if (!isRecord(value)) return locatedLeaf(value, at);
  const call = filling.call?.(value, at) ?? null;
  if (call !== null) return locatedLeaf(call, at);
  const members = Object.entries(value).map(([name, member]) => {
    const node = at.members?.get(name);
    const located = copy({ value: member, root: node?.value ?? at }, filling, left, level + 1);
    return { name: (filling.name ?? filling.text)(name), key: node?.key ?? at, located };
  });
  return locatedObject(members, at);
}
