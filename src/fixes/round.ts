import type { Fix, FixEffect, PatchOperation } from "../../spec/finding.ts";
import type { Fixable } from "./fixable.ts";
import { isSameJson } from "./json.ts";
import { applyPatch, PatchFailure } from "./patch.ts";
import { TextEditor } from "./text-editor.ts";

/** A document with some fixes applied. */
export interface Round<Document extends Fixable> {
  readonly document: Document;
  readonly applied: readonly Fix[];
}

/** What {@link applyFixes} does for one kind of document. */
export interface Applying<Document extends Fixable> {
  /** Reads a text or a value. */
  readonly parse: (input: unknown) => Promise<Document>;
  /** Called between fixes, to hand back control. */
  readonly pause: () => Promise<void>;
  /** Called with a fix whose edit of the text does not say what its patch says: a defect, and it is left out. */
  readonly onLostEdit: (fix: Fix) => void;
}

/** @returns the fixes that may be applied: of these effects, without input that only the author has. */
export function applicable(
  fixes: Iterable<Fix | null>,
  effects: ReadonlySet<FixEffect>,
): readonly Fix[] {
  const found = new Map<string, Fix>();
  for (const fix of fixes) {
    if (!fix || !isApplicable(fix, effects)) continue;
    found.set(JSON.stringify(fix.patch), fix);
  }
  return inOrder(found);
}

/** @returns Whether the fix has one of the effects and needs no value from the author. */
export function isApplicable(
  { effect, needs_input }: Fix,
  effects: ReadonlySet<FixEffect>,
): boolean {
  return effects.has(effect) && needs_input.length === 0;
}

/** The order of the findings does not matter: the order is that of the document, then of the patches. */
function inOrder(byPatch: Iterable<readonly [string, Fix]>): readonly Fix[] {
  return [...byPatch]
    .map(([key, fix]) => ({ key, fix, steps: stepsOfTest(fix) }))
    .sort((a, b) => compareSteps(a.steps, b.steps) || (a.key < b.key ? -1 : 1))
    .map(({ fix }) => fix);
}

/** @returns the fixes in the order of the document. */
export function inDocumentOrder(fixes: readonly Fix[]): readonly Fix[] {
  return inOrder(fixes.map((fix) => [JSON.stringify(fix.patch), fix]));
}

/**
 * Applies fixes of one validation to its document. One whose paths or test an earlier one touches is left
 * out: the next validation proposes it again if it is still right.
 * @returns null if none could be applied.
 */
export async function applyFixes<Document extends Fixable>(
  document: Document,
  fixes: readonly Fix[],
  applying: Applying<Document>,
): Promise<Round<Document> | null> {
  const { parse, pause, onLostEdit } = applying;
  if (document.raw === undefined && document.text !== null) {
    return repaired(document.text, fixes, parse);
  }
  const chosen: { readonly fix: Fix; readonly reach: Reach }[] = [];
  for (const fix of fixes.slice(0, mostFixes)) {
    const reach = reachOf(fix.patch);
    if (chosen.every((earlier) => areApart(earlier.reach, reach))) chosen.push({ fix, reach });
    await pause();
  }
  // The last one first, so that the indexes of those before it stay the same.
  const state = await edited(document, chosen.map(({ fix }) => fix).reverse(), pause);
  const applied = state.applied.reverse();
  if (applied.length === 0) return null;
  const fixed = await parse(state.text ?? state.raw);
  if (isSameJson(fixed.raw, state.raw)) return { document: fixed, applied };
  const [only] = applied;
  if (only && applied.length === 1) {
    onLostEdit(only);
    return null;
  }
  // One of the edits of the text does not say what its patch says: find it and leave it out.
  const half = Math.ceil(applied.length / 2);
  const left = await applyFixes(document, applied.slice(0, half), applying);
  return left ?? applyFixes(document, applied.slice(half), applying);
}

/** A text that does not parse has one fix: another text. */
async function repaired<Document extends Fixable>(
  text: string,
  fixes: readonly Fix[],
  parse: Applying<Document>["parse"],
): Promise<Round<Document> | null> {
  for (const fix of fixes) {
    const after = applyPatch(text, fix.patch);
    const document = typeof after === "string" ? await parse(after) : null;
    if (document && document.raw !== undefined) return { document, applied: [fix] };
  }
  return null;
}

/** Fixes of one round; the next rounds have the others. */
const mostFixes = 1000;

/** A value and its text after those of the fixes that apply to both. */
interface Edited {
  readonly raw: unknown;
  readonly text: string | null;
  readonly applied: Fix[];
}

async function edited(
  { raw, text, isJsonText }: Fixable,
  fixes: readonly Fix[],
  pause: () => Promise<void>,
): Promise<Edited> {
  const applied = fixes.filter((fix) => patched(raw, fix) !== null);
  const editor = text === null ? null : await TextEditor.of(text, isJsonText);
  const result = await editor?.edit(
    applied.map(({ patch }) => patch),
    pause,
  );
  const kept = applied.filter((_, index) => !result?.failed.has(index));
  let value = raw;
  for (const fix of kept) {
    value = patched(value, fix)?.value ?? value;
    await pause();
  }
  return { raw: value, text: result?.text ?? null, applied: kept };
}

/** @returns null for a fix that was made for another document. */
function patched(raw: unknown, { patch }: Fix): { readonly value: unknown } | null {
  try {
    return { value: applyPatch(raw, patch) };
  } catch (error) {
    if (error instanceof PatchFailure) return null;
    throw error;
  }
}

function stepsOfTest({ patch }: Fix): string[] {
  return (patch[0]?.path ?? "").split("/");
}

/** Indexes by their size. */
function compareSteps(left: readonly string[], right: readonly string[]): number {
  for (const [index, step] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (step === other) continue;
    if (/^\d+$/.test(step) && /^\d+$/.test(other)) return Number(step) - Number(other);
    return step < other ? -1 : 1;
  }
  return left.length - right.length;
}

type Path = readonly string[];

/** The places that a patch depends on. */
interface Reach {
  /** What the test expects to be as it was. */
  readonly test: Path;
  readonly changed: readonly Path[];
  /** Entries that are added to lists or removed, which moves those behind them. Members of objects may be among them. */
  readonly moving: readonly Path[];
}

function reachOf(patch: readonly PatchOperation[]): Reach {
  const test = (patch[0]?.path ?? "").split("/");
  const changed: Path[] = [];
  const moving: Path[] = [];
  for (const operation of patch.slice(1)) {
    const path = operation.path.split("/");
    changed.push(path);
    if (operation.op === "move") changed.push(operation.from.split("/"));
    const isEntry = /^\d+$/.test(path.at(-1) ?? "");
    if (isEntry && operation.op !== "replace" && operation.op !== "test") moving.push(path);
  }
  return { test, changed, moving };
}

/** Whether both patches may be applied, the later one in the document first. */
function areApart(earlier: Reach, later: Reach): boolean {
  return (
    later.changed.every((path) => !overlapsAny(path, [earlier.test, ...earlier.changed])) &&
    earlier.changed.every((path) => !overlaps(path, later.test)) &&
    later.moving.every((path) =>
      [earlier.test, ...earlier.changed].every((other) => isBefore(other, path)),
    )
  );
}

function overlapsAny(path: Path, others: readonly Path[]): boolean {
  return others.some((other) => overlaps(path, other));
}

/** Whether one of the places contains the other. */
function overlaps(left: Path, right: Path): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((step, index) => step === right[index]);
}

/** Whether a place does not move when an entry of a list is added or removed. */
function isBefore(place: Path, entry: Path): boolean {
  const list = entry.slice(0, -1);
  const step = place[list.length];
  if (step === undefined || !list.every((one, index) => one === place[index])) return true;
  return step === "-" ? false : Number(step) < Number(entry.at(-1));
}
