import { setImmediate as nextTurn } from "node:timers/promises";
import type { Finding, Fix, Location, PatchOperation } from "../../spec/finding.ts";
import { type Fixable, readFixable } from "../fixes/fixable.ts";
import { applyPatch, PatchFailure } from "../fixes/patch.ts";
import { sourceEditsOf, withSplices } from "../fixes/terraform/source-fixes.ts";
import { TextEditor } from "../fixes/text-editor.ts";
import { Lines } from "../json/text-tree.ts";
import { parseDocument } from "../policy/document.ts";
import type { FixEdit, ReportInput, ReportPolicy } from "./types.ts";

/** Edits of one report: each costs a comparison of two texts. */
const mostEdits = 500;
/** Characters of a policy text; longer ones are shown without edits. */
const mostCharacters = 65_536;
/** Longest stretch of work before the event loop gets a turn, in milliseconds. */
const stretchMs = 5;

/** Adds what the fixes of the findings change in the texts of the policies. */
export async function withEdits(input: ReportInput): Promise<ReportInput> {
  let left = mostEdits;
  let started = performance.now();
  const policies: ReportPolicy[] = [];
  for (const policy of input.policies) {
    const edits = new Map<Finding, FixEdit>();
    const part = policy.part ?? (policy.text === null ? null : { text: policy.text, offset: 0 });
    const fixable = policy.result.findings.filter(({ fix }) => fix !== null);
    if (!part || policy.text === null || part.text.length > mostCharacters) {
      policies.push(policy);
      continue;
    }
    const lines = new Lines(policy.text);
    const document = fixable.length > 0 ? await readPart(part.text, policy.place ?? null) : null;
    const editor =
      document && document.raw !== undefined
        ? await TextEditor.of(part.text, document.isJsonText)
        : null;
    for (const finding of fixable.slice(0, left)) {
      left--;
      const edit = document && (await editOf(finding, part.text, document.raw, editor));
      if (edit) {
        const at = { start: part.offset + edit.start, end: part.offset + edit.end };
        edits.set(finding, editIn(policy.text, at, edit.text, lines));
      }
      if (performance.now() - started < stretchMs) continue;
      await nextTurn();
      started = performance.now();
    }
    policies.push({ ...policy, edits });
  }
  return { ...input, policies };
}

/** What the fixes of a policy edit: the policy, or the template that it is a place of. */
function readPart(text: string, place: string | null): Promise<Fixable> {
  return place === null ? parseDocument(text) : readFixable(text);
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @returns the smallest piece of the text that the fix replaces; null if it has no place in the text. */
async function editOf(
  { fix }: Finding,
  text: string,
  raw: unknown,
  editor: TextEditor | null,
): Promise<Change | null> {
  const edited = fix && (await editedBy(fix, text, raw, editor));
  if (typeof edited !== "string") return null;
  if (edited === text) return null;
  const start = commonStart(text, edited);
  const tail = commonEnd(text, edited, start);
  return { start, end: text.length - tail, text: edited.slice(start, edited.length - tail) };
}

async function editedBy(
  fix: Fix,
  text: string,
  raw: unknown,
  editor: TextEditor | null,
): Promise<unknown> {
  const splices = sourceEditsOf(fix);
  if (splices) return withSplices(text, splices);
  // A text that does not parse is itself the document.
  if (!applies(editor ? raw : text, fix.patch)) return null;
  return editor ? editWith(editor, fix) : applyPatch(text, fix.patch);
}

async function editWith(editor: TextEditor, { patch }: Fix): Promise<string | null> {
  const { text, failed } = await editor.edit([patch]);
  return failed.size > 0 ? null : text;
}

function applies(document: unknown, patch: readonly PatchOperation[]): boolean {
  try {
    applyPatch(document, patch);
    return true;
  } catch (error) {
    if (error instanceof PatchFailure) return false;
    throw error;
  }
}

function editIn(
  text: string,
  at: { readonly start: number; readonly end: number },
  replacement: string,
  lines: Lines,
): FixEdit {
  const location: Location = lines.location(at);
  const from = at.start - location.start.column;
  const rest = /^[^\r\n]*/.exec(text.slice(at.end))?.[0] ?? "";
  const whole = (middle: string) =>
    (text.slice(from, at.start) + middle + rest).split(/\r\n|\n|\r/);
  return {
    location,
    text: replacement,
    removed: whole(text.slice(at.start, at.end)),
    added: whole(replacement),
    // What is only added is in no line that a suggestion could replace.
    isWholeLines: at.start < at.end && location.start.column === 0 && rest === "",
  };
}

/** Lines of a diff that a report shows, characters of a line, and those that it keeps around the change in a longer one. */
const mostLines = 10;
const longestLine = 160;
const around = 40;

/** @returns the lines that an edit changes with `-` and `+`, at most ten; long lines lose the parts far from the change. */
export function diffLines({ removed, added }: FixEdit): string[] {
  const start = commonStart(removed, added);
  const tail = commonEnd(removed, added, start);
  const before = removed.slice(start, removed.length - tail);
  const after = added.slice(start, added.length - tail);
  const lines = [
    ...before.map((line, at) => ({ sign: "-", line, other: after[at] })),
    ...after.map((line, at) => ({ sign: "+", line, other: before[at] })),
  ];
  const shown = lines.length <= mostLines ? lines : lines.slice(0, mostLines - 1);
  const texts = shown.map(({ sign, line, other }) => sign + nearChange(line, other));
  return shown.length < lines.length ? [...texts, "…"] : texts;
}

/** @returns how many items two lists, or characters two texts, begin with. */
function commonStart(one: ArrayLike<string>, other: ArrayLike<string>): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** @returns how many they end with, without the `start` first ones. */
function commonEnd(one: ArrayLike<string>, other: ArrayLike<string>, start: number): number {
  const shorter = Math.min(one.length, other.length) - start;
  let length = 0;
  while (length < shorter && one[one.length - 1 - length] === other[other.length - 1 - length]) {
    length++;
  }
  return length;
}

/** The line, a long one around what differs from the line that it replaces or that replaces it. */
function nearChange(line: string, other = ""): string {
  if (line.length <= longestLine) return line;
  const start = commonStart(line, other);
  const from = Math.max(0, start - around);
  const changed = line.length - commonEnd(line, other, start);
  const to = Math.min(line.length, from + longestLine, changed + around);
  const shown = line.slice(from, to).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown}${to < line.length ? "…" : ""}`;
}
