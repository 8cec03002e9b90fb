import { Fix, NeededInput, type PatchOperation } from "../../spec/finding.ts";
import { escapedStep } from "../json/node.ts";
import { isRecord } from "../record.ts";
import { operationsOf } from "./compile.ts";
import { jsonLength } from "./json.ts";
import { applyOperations, type NodeOperation, patchOf, stepsIn } from "./patch.ts";
import type { FixProposal } from "./proposal.ts";
import { withRepetitions } from "./repeated-texts.ts";

/** Longer fixes are left out, not cut, in UTF-16 code units of compact JSON. */
const maxFixLength = 8192;
/** More edits than this cannot be written within that length: the shortest operation takes 28. */
const maxEdits = Math.floor(maxFixLength / 28);
/** Of the value in the first `test`. */
const maxTestLength = 2048;
/** Entries of one list or object that are considered for the first `test`. */
const maxTestCandidates = 50;

/** A proposal that breaks the rules of proposals, or does not apply to its own document. */
export class FixDefect extends Error {
  override readonly name = "FixDefect";
}

/** A fix whose effect is still the aim of its rule, and the document with it. */
export interface MadeFix {
  readonly fix: Fix;
  /** As compact JSON in UTF-16 code units, or a few more. */
  readonly length: number;
  readonly after: unknown;
}

/**
 * Turns a proposal into a fix of the document and tries it.
 * @param document The document as submitted, parsed.
 * @param path JSON Pointer of the node that the finding names.
 * @returns null if there is none: nothing would change, a list would be left empty, or the fix is too long.
 * @throws {FixDefect} If the proposal is wrong. @throws {PatchFailure} If it does not apply.
 */
export function makeFix(proposal: FixProposal, document: unknown, path: string): MadeFix | null {
  const { title, effect, needs_input = [], text, compacts } = proposal;
  const operations = text || compacts ? [] : editsOf(proposal, document);
  if (!operations) return null;
  const patch = text ? replacedText(text) : [testOf(document, path), ...patchOf(operations)];
  const fix: Fix = { title, effect, needs_input: [...needs_input], patch };
  const length = lengthOf(fix);
  if (length > maxFixLength) return null;
  requireShape(fix);
  return { fix, length, after: text ? text.after : applyOperations(document, operations) };
}

/** A text that does not parse is itself the document. */
function replacedText({ before, after }: NonNullable<FixProposal["text"]>): PatchOperation[] {
  return [
    { op: "test", path: "", value: before },
    { op: "replace", path: "", value: after },
  ];
}

/** @returns null if there is no fix. */
function editsOf({ edits }: FixProposal, document: unknown): readonly NodeOperation[] | null {
  if (edits.length > maxEdits) return null;
  const all = withRepetitions(edits, document);
  if (all.length > maxEdits) return null;
  const operations = operationsOf(all, document);
  return operations?.length ? operations : null;
}

/**
 * The same fix with other operations, for the document that has the first one's document as a part.
 * @param path JSON Pointer of the node that the finding names.
 * @returns null if it is too long.
 */
export function fixWithin(
  { title, effect, needs_input }: Fix,
  operations: readonly PatchOperation[],
  document: unknown,
  path: string,
): Fix | null {
  const patch = [testOf(document, path), ...operations];
  const fix: Fix = { title, effect, needs_input: [...needs_input], patch };
  return lengthOf(fix) > maxFixLength ? null : fix;
}

/** @returns the length of the fix as compact JSON, or a few more; more than the limit as soon as that is certain. */
function lengthOf({ title, effect, needs_input, patch }: Fix): number {
  let length = jsonLength({ title, effect }, maxFixLength);
  for (const one of needs_input) length += rightInputs.get(one) ?? inputLength(one);
  for (const operation of patch) {
    if (length > maxFixLength) return length;
    length += operationLength(operation, maxFixLength - length);
  }
  return length + '"needs_input":[],"patch":[],'.length;
}

function inputLength(one: NeededInput): number {
  return jsonLength(one, maxFixLength) + 1;
}

/** By its members, since a fix may remove hundreds of entries. */
function operationLength(operation: PatchOperation, limit: number): number {
  const { op, path } = operation;
  let length = '{"op":"","path":},'.length + op.length + jsonLength(path, limit);
  if ("from" in operation) length += ',"from":'.length + jsonLength(operation.from, limit);
  if ("value" in operation) length += ',"value":'.length + jsonLength(operation.value, limit);
  return length;
}

/** What a proposal gives as it is. The patch is written here, operation by operation. */
const Proposed = Fix.pick({ title: true, effect: true });

/** Titles that have the right shape, by effect. The built-in checks have about a hundred. */
const rightTitles = new Map<Fix["effect"], Set<string>>();
/** Of each effect: custom checks may give any number. */
const mostTitles = 1_000;

/** Inputs that have the right shape, with their lengths: checks give the same ones again and again. */
const rightInputs = new WeakMap<NeededInput, number>();

function requireShape({ title, effect, needs_input, patch }: Fix): void {
  if (!rightTitles.get(effect)?.has(title)) requireProposed({ title, effect });
  for (const one of needs_input) {
    if (!rightInputs.has(one)) requireInput(one);
    if (!patch.some((operation, index) => index > 0 && asksFor(operation, one.placeholder))) {
      throw new FixDefect(`The patch of a fix does not have its placeholder ${one.placeholder}.`);
    }
  }
}

function asksFor(operation: PatchOperation, placeholder: string): boolean {
  return (
    operation.path.includes(placeholder) ||
    ("value" in operation && hasText(operation.value, placeholder))
  );
}

/** Whether a text or name in the value has a part. */
function hasText(value: unknown, part: string): boolean {
  if (typeof value === "string") return value.includes(part);
  if (Array.isArray(value)) return value.some((item) => hasText(item, part));
  if (!isRecord(value)) return false;
  for (const name in value) {
    if (name.includes(part) || hasText(value[name], part)) return true;
  }
  return false;
}

function requireProposed(proposed: Pick<Fix, "title" | "effect">): void {
  const parsed = Proposed.safeParse(proposed);
  const at = parsed.error?.issues[0]?.path.join(".");
  if (at !== undefined) throw new FixDefect(`The member ${at} of a fix is wrong.`);
  const { effect, title } = proposed;
  const titles = rightTitles.get(effect) ?? new Set();
  rightTitles.set(effect, titles);
  if (titles.size < mostTitles) titles.add(title);
}

function requireInput(input: NeededInput): void {
  if (!NeededInput.safeParse(input).success) {
    throw new FixDefect("The member needs_input of a fix is wrong.");
  }
  rightInputs.set(input, inputLength(input));
}

/**
 * The operation that keeps a patch off other documents: it expects the value of the node, or of its
 * nearest ancestor that exists. Of a value above 2 KiB it expects the largest part that is not.
 */
function testOf(document: unknown, path: string): PatchOperation {
  const { value, at } = nearest(document, path);
  const test = (found: Found): PatchOperation => ({
    op: "test",
    path: found.at,
    value: found.value,
  });
  if (jsonLength(value, maxTestLength) <= maxTestLength) return test({ value, at });
  let best: Sized | undefined;
  let large: Found | undefined = { value, at };
  while (large) {
    const { fitting, tooLarge } = sizedParts(large);
    best = largest(best, fitting);
    large = tooLarge;
  }
  // A long text has no parts: the largest member beside it tells the document as well.
  let above = at;
  while (!best && above !== "") {
    above = above.slice(0, above.lastIndexOf("/"));
    best = sizedParts(nearest(document, above)).fitting;
  }
  return test(best ?? { value, at });
}

interface Found {
  readonly value: unknown;
  readonly at: string;
}

interface Sized extends Found {
  readonly length: number;
}

/** The largest part that a test may have, and the first that is too large for one. */
function sizedParts(whole: Found): { fitting: Sized | undefined; tooLarge: Found | undefined } {
  let fitting: Sized | undefined;
  let tooLarge: Found | undefined;
  for (const part of partsOf(whole)) {
    const length = jsonLength(part.value, maxTestLength);
    if (length > maxTestLength) tooLarge ??= part;
    else fitting = largest(fitting, { ...part, length });
  }
  return { fitting, tooLarge };
}

function largest(left: Sized | undefined, right: Sized | undefined): Sized | undefined {
  return !right || (left && left.length >= right.length) ? left : right;
}

function nearest(document: unknown, path: string): Found {
  let value = document;
  let end = 0;
  for (const step of stepsIn(path)) {
    const part = partAt(value, step);
    if (!part) break;
    value = part.value;
    const next = path.indexOf("/", end + 1);
    end = next < 0 ? path.length : next;
  }
  return { value, at: path.slice(0, end) };
}

function partAt(value: unknown, step: string): { value: unknown } | null {
  if (Array.isArray(value)) {
    const index = Number(step);
    return index < value.length ? { value: value[index] } : null;
  }
  return isRecord(value) && Object.hasOwn(value, step) ? { value: value[step] } : null;
}

function partsOf(whole: Found): Found[] {
  const { value, at } = whole;
  if (Array.isArray(value)) {
    return value
      .slice(0, maxTestCandidates)
      .map((item, index) => ({ value: item, at: `${at}/${index}` }));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value)
    .slice(0, maxTestCandidates)
    .map(([name, member]) => ({ value: member, at: `${at}/${escapedStep(name)}` }));
}
