import type { OutlineBlock } from "../../containers/hcl/outline.ts";
import type { Span, TextNode } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { commonEntries } from "../difference.ts";
import { isSameJson } from "../json.ts";
import { indentOf, isFirstInLine, lineEndAt, lineStart, nextLine, type Splice } from "../layout.ts";
import { argumentNames, blockTexts, statementText } from "./block-text.ts";
import { editsOf } from "./edit-value.ts";
import type { WrittenText } from "./written-text.ts";

type Members = Readonly<Record<string, unknown>>;
type Edits = Splice[] | null;

/**
 * @param block The data source `aws_iam_policy_document`.
 * @param root Where the parts of the policy that it renders are written.
 * @returns what to replace so that it renders the other policy; null if it cannot be written there.
 */
export function editsOfBlocks(
  written: WrittenText,
  block: OutlineBlock,
  root: TextNode,
  before: unknown,
  after: unknown,
): Edits {
  if (!isRecord(before) || !isRecord(after)) return null;
  const edits: Edits[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSameJson(before[name], after[name])) continue;
    const node = root.members?.get(name)?.value;
    if (!node || !Object.hasOwn(after, name)) return null;
    edits.push(
      name === "Statement"
        ? ofStatements(written, block, node, before[name], after[name])
        : editsOf(written, node, before[name], after[name]),
    );
  }
  return joined(edits);
}

function ofStatements(
  written: WrittenText,
  { blocks }: OutlineBlock,
  { items }: TextNode,
  before: unknown,
  after: unknown,
): Edits {
  const statements = blocks.filter(({ type }) => type === "statement");
  if (!Array.isArray(before) || !Array.isArray(after) || !items) return null;
  // A `dynamic` block gives statements, too.
  if (statements.length !== before.length || after.length === 0) return null;
  const edits: Edits[] = [];
  let [start, newStart] = [0, 0];
  const kept = commonEntries(before, after) ?? [];
  for (const [end, newEnd] of [...kept, [before.length, after.length] as const]) {
    const pairs = Math.min(end - start, newEnd - newStart);
    for (let pair = 0; pair < pairs; pair++) {
      const [block, node] = [statements[start + pair], items[start + pair]];
      const [old, next]: unknown[] = [before[start + pair], after[newStart + pair]];
      const isEditable = block && node && isRecord(old) && isRecord(next);
      edits.push(isEditable ? ofStatement(written, block, node, old, next) : null);
    }
    for (const block of statements.slice(start + pairs, end)) {
      edits.push(withoutLines(written, block.span));
    }
    const previous = statements[end - 1];
    for (const value of after.slice(newStart + pairs, newEnd) as unknown[]) {
      const indent = previous ? indentOf(written.file, previous.span.start) : "";
      const text = isRecord(value) ? statementText(written, value, indent) : null;
      if (!previous || text === null) return null;
      const { end: at } = previous.span;
      const { lineEnd } = written.layout;
      edits.push([{ start: at, end: at, text: `${lineEnd}${lineEnd}${indent}${text}` }]);
    }
    [start, newStart] = [end + 1, newEnd + 1];
  }
  return joined(edits);
}

function ofStatement(
  written: WrittenText,
  block: OutlineBlock,
  node: TextNode,
  before: Members,
  after: Members,
): Edits {
  const edits: Edits[] = [];
  const fresh = new Set(Object.keys(after).filter((name) => !Object.hasOwn(before, name)));
  for (const [name, old] of Object.entries(before)) {
    if (Object.hasOwn(after, name)) {
      edits.push(ofElement(written, block, { name, node, before: old, after: after[name] }));
      continue;
    }
    const renamed = fresh.values().find((other) => isSameJson(old, after[other]));
    const [argument, other] = [argumentNames.get(name), argumentNames.get(renamed ?? "")];
    const attribute = argument === undefined ? undefined : block.attributes.get(argument);
    if (renamed !== undefined && attribute && other !== undefined) {
      fresh.delete(renamed);
      edits.push([{ ...attribute.key, text: other }]);
    } else if (attribute) {
      edits.push(withoutLines(written, { start: attribute.key.start, end: attribute.value.end }));
    } else {
      const gone = blocksOf(block, name);
      edits.push(gone && joined(gone.map(({ span }) => withoutLines(written, span))));
    }
  }
  for (const name of fresh) edits.push(added(written, block, { [name]: after[name] }));
  return apart(written, joined(edits));
}

interface Element {
  readonly name: string;
  readonly node: TextNode;
  readonly before: unknown;
  readonly after: unknown;
}

function ofElement(written: WrittenText, block: OutlineBlock, element: Element): Edits {
  const { name, node, before } = element;
  const after = inList(before, element.after);
  if (isSameJson(before, after)) return [];
  const value = node.members?.get(name)?.value;
  if (!value) return null;
  if (name === "Condition") return ofCondition(written, block, value, before, after);
  if (name.endsWith("Principal")) {
    return ofPrincipal(written, block, { name, node: value, before, after });
  }
  return editsOf(written, value, before, after);
}

/** Arguments are lists where a policy may have one text. */
function inList(before: unknown, after: unknown): unknown {
  return Array.isArray(before) && !Array.isArray(after) ? [after] : after;
}

/** A block of a test, with its three arguments. */
function ofCondition(
  written: WrittenText,
  block: OutlineBlock,
  node: TextNode,
  before: unknown,
  after: unknown,
): Edits {
  const [old, next] = [testsOf(before), testsOf(after)];
  const gone = old.filter((one) => !next.some((other) => isSameJson(one, other)));
  const fresh = next.filter((one) => !old.some((other) => isSameJson(one, other)));
  const edits: Edits[] = [];
  for (const test of gone) {
    const inner = conditionBlock(written, block, test);
    if (!inner) return null;
    const at = fresh.findIndex((other) => {
      const same = [0, 1, 2].filter((index) => isSameJson(test[index], other[index]));
      return same.length === 2;
    });
    const [changed] = at < 0 ? [] : fresh.splice(at, 1);
    if (!changed) {
      edits.push(withoutLines(written, inner.span));
      continue;
    }
    const [operator, key] = test;
    const list = node.members?.get(operator)?.value.members?.get(key)?.value;
    for (const [index, name] of ["test", "variable", "values"].entries()) {
      const span = inner.attributes.get(name)?.value;
      if (isSameJson(test[index], changed[index])) continue;
      if (!span) return null;
      edits.push(ofArgument(written, span, list, test[index], changed[index]));
    }
  }
  for (const [operator, key, values] of fresh) {
    edits.push(added(written, block, { Condition: { [operator]: { [key]: values } } }));
  }
  return joined(edits);
}

/** @param list Where the entries of a list are; they can be those of several blocks. */
function ofArgument(
  written: WrittenText,
  span: Span,
  list: TextNode | undefined,
  before: unknown,
  after: unknown,
): Edits {
  const items = Array.isArray(before) ? (list?.items ?? []) : null;
  return editsOf(written, { ...span, members: null, items }, before, after);
}

type Test = readonly [operator: string, key: string, values: readonly unknown[]];

function testsOf(condition: unknown): Test[] {
  if (!isRecord(condition)) return [];
  return Object.entries(condition).flatMap(([operator, keys]) =>
    isRecord(keys)
      ? Object.entries(keys).map(([key, values]): Test => [operator, key, [values].flat()])
      : [],
  );
}

/** @returns null if none or several have the test. */
function conditionBlock(
  written: WrittenText,
  { blocks }: OutlineBlock,
  [operator, key]: Test,
): OutlineBlock | null {
  const found = blocks.filter(
    ({ type, attributes }) =>
      type === "condition" &&
      isText(written, attributes.get("test")?.value, operator) &&
      isText(written, attributes.get("variable")?.value, key),
  );
  const [only] = found;
  return only && found.length === 1 ? only : null;
}

function isText(written: WrittenText, span: Span | undefined, text: string): boolean {
  return span !== undefined && written.literalsOf(text).includes(written.at(span));
}

function ofPrincipal(written: WrittenText, block: OutlineBlock, element: Element): Edits {
  const { name, node, before, after } = element;
  if (!isRecord(before) || !isRecord(after)) return null;
  const edits: Edits[] = [];
  const fresh = new Set(Object.keys(after).filter((type) => !Object.hasOwn(before, type)));
  for (const [type, old] of Object.entries(before)) {
    const next = after[type];
    if (isSameJson(old, next)) continue;
    const blocks = blocksOf(block, name)?.filter(({ attributes }) =>
      isText(written, attributes.get("type")?.value, type),
    );
    const [only] = blocks ?? [];
    if (!only || blocks?.length !== 1) return null;
    const renamed = fresh.values().find((other) => isSameJson([old].flat(), [after[other]].flat()));
    const [own, values] = ["type", "identifiers"].map((one) => only.attributes.get(one)?.value);
    const list = node.members?.get(type)?.value;
    if (next !== undefined && values) {
      edits.push(ofArgument(written, values, list, old, inList(old, next)));
    } else if (renamed !== undefined && own) {
      fresh.delete(renamed);
      edits.push(ofArgument(written, own, undefined, type, renamed));
    } else edits.push(withoutLines(written, only.span));
  }
  for (const type of fresh) edits.push(added(written, block, { [name]: { [type]: after[type] } }));
  return joined(edits);
}

/** @returns null if a `dynamic` block gives some of them. */
function blocksOf({ blocks }: OutlineBlock, name: string): OutlineBlock[] | null {
  const type = { Condition: "condition", Principal: "principals", NotPrincipal: "not_principals" }[
    name
  ];
  const found = blocks.filter((one) => one.type === type);
  return found.length > 0 && !blocks.some((one) => one.type === "dynamic") ? found : null;
}

/** Adds arguments and blocks at the end of a statement. */
function added(
  written: WrittenText,
  { span, attributes, blocks }: OutlineBlock,
  members: Members,
): Edits {
  const { file, layout } = written;
  const parts = [
    ...[...attributes.values()].map(({ key, value }) => ({ start: key.start, end: value.end })),
    ...blocks.map((block) => block.span),
  ].sort((a, b) => a.start - b.start);
  const last = parts.at(-1);
  if (!last || lineEndAt(file, last.end) > span.end) return null;
  const indent = indentOf(file, last.start);
  const texts = blockTexts(written, members, indent);
  if (!texts) return null;
  const end = lineEndAt(file, last.end);
  const gap = texts.every(({ isBlock }) => isBlock) ? layout.lineEnd : "";
  const text = texts.map((one) => `${gap}${layout.lineEnd}${indent}${one.text}`).join("");
  return [{ start: end, end, text }];
}

/** Removes what has lines to itself, with an empty line before it if none is needed there any more. */
function withoutLines({ file }: WrittenText, { start, end }: Span): Edits {
  const rest = file.slice(end, lineEndAt(file, end)).trim();
  if (!isFirstInLine(file, start) || (rest !== "" && !/^(?:#|\/\/)/.test(rest))) return null;
  const to = nextLine(file, end);
  const isLast = /^[ \t]*(?:\}|\r?\n)/.test(file.slice(to, to + 200));
  const from = lineStart(file, start);
  const above = lineStart(file, Math.max(0, from - (file.startsWith("\r\n", from - 2) ? 2 : 1)));
  const isEmptyAbove = above < from && file.slice(above, from).trim() === "";
  return [{ start: isLast && isEmptyAbove ? above : from, end: to, text: "" }];
}

/** What follows a part that is removed with its lines goes behind the part before that one. */
function apart({ file }: WrittenText, edits: Edits): Edits {
  const removed = edits?.filter(({ start, end, text }) => text === "" && start < end) ?? [];
  return (
    edits?.map((edit) => {
      const over = removed.find(
        ({ start, end }) => edit.start === edit.end && start <= edit.start && edit.start < end,
      );
      if (!over) return edit;
      const at = over.start - (file.startsWith("\r\n", over.start - 2) ? 2 : 1);
      return { ...edit, start: at, end: at };
    }) ?? null
  );
}

function joined(edits: readonly Edits[]): Edits {
  return edits.every((one) => one !== null) ? edits.flat() : null;
}
