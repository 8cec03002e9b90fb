import { isMap, isScalar, isSeq, type Pair, type ParsedNode } from "yaml";
import { spanOfNode } from "../policy/yaml-text.ts";
import { isSameJson } from "./json.ts";
import { isFirstInLine, lineStart, nextLine, type Splice } from "./layout.ts";
import { type Collection, holdsAnchor, type Item, nameOf } from "./yaml-items.ts";

/**
 * The splice for a member's value, with the earlier members of the same name removed; what is between them
 * stays.
 * @param replace Makes the splice for the last of them, which counts.
 */
export function withoutRepeats(
  text: string,
  parent: Collection,
  items: readonly Item[],
  last: number,
  value: unknown,
  replace: () => Splice | null,
): Splice | null {
  const item = items[last];
  const name = item && nameOf(item.key);
  const earlier = isMap(parent) ? indexesOf(items, name, last) : [];
  if (earlier.length === 0 || !item) return replace();
  if (earlier.some((index) => holdsAnchor(items[index]?.value ?? null))) return null;
  const splice = isSameJson(plainValue(item.value), value) ? kept(text, item) : replace();
  if (!splice) return null;
  let piece = "";
  let from: number | null = null;
  for (const index of earlier) {
    const { start, end } = rangeOf(text, parent, items, index, from);
    if (from !== null) piece += text.slice(from, start);
    from = end;
  }
  const [first = last] = earlier;
  const { start } = rangeOf(text, parent, items, first, null);
  return { ...splice, start, text: piece + text.slice(from ?? start, splice.start) + splice.text };
}

function indexesOf(items: readonly Item[], name: string | null | undefined, last: number) {
  return items.flatMap(({ key }, index) => (index < last && nameOf(key) === name ? [index] : []));
}

function kept(text: string, { value, end }: Item): Splice {
  const start = value ? spanOfNode(value).start : end;
  return { start, end, text: text.slice(start, end) };
}

/** An earlier member up to what follows it. */
function rangeOf(
  text: string,
  { flow }: Collection,
  items: readonly Item[],
  index: number,
  removedUpTo: number | null,
) {
  const { start, end } = items[index] ?? { start: 0, end: 0 };
  const next = items[index + 1]?.start ?? end;
  // In lines that nothing else is in: they go with the remark behind the member.
  return !flow && isFirstInLine(text, start) && removedUpTo !== start
    ? { start: lineStart(text, start), end: nextLine(text, end) }
    : { start, end: next };
}

/** A value without aliases; undefined for one with some. */
function plainValue(node: ParsedNode | null): unknown {
  if (node === null) return null;
  if (isScalar(node)) return node.value;
  if (isSeq<ParsedNode>(node)) return node.items.map(plainValue);
  if (!isMap(node)) return undefined;
  return Object.fromEntries(
    node.items.map(({ key, value }: Pair<ParsedNode, ParsedNode | null>) => [
      nameOf(key),
      plainValue(value),
    ]),
  );
}
