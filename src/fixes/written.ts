import { textOf } from "../containers/cloudformation/template.ts";
import type { Unknowns } from "../containers/unknowns.ts";
import { isRecord } from "../record.ts";
import { stepsIn } from "./patch.ts";

/** One policy in three forms: as its container has it, as it is read, and as it is validated. */
export interface Written {
  /** As the container has it, with its functions and references. */
  readonly raw: unknown;
  /** With a token for each unknown value. */
  readonly resolved: unknown;
  /** With a sample for each unknown value. */
  readonly rendered: unknown;
}

/**
 * Whether a container has the place of a path as it is read: every object and list around it is written
 * out, so that a step means the same in both.
 * @param path JSON Pointer; its last step may be that of a new member or entry.
 * @returns the forms of the object or list that the last step is in; null if a function decides them.
 */
export function writtenParent(whole: Written, path: string): Written | null {
  let at: Written | null = whole;
  for (const step of stepsIn(path).slice(0, -1)) at = at && partOf(at, step);
  return at && isWrittenOut(at) ? at : null;
}

/** @returns a part of an object or list that is written out; null if there is none. */
export function partOf(whole: Written, step: string): Written | null {
  if (!isWrittenOut(whole)) return null;
  const { raw, resolved, rendered } = whole;
  const [inRaw, inResolved, inRendered] = [raw, resolved, rendered].map((one) => own(one, step));
  return inRaw && inResolved && inRendered
    ? { raw: inRaw.value, resolved: inResolved.value, rendered: inRendered.value }
    : null;
}

function own(whole: unknown, step: string): { readonly value: unknown } | null {
  if (typeof whole !== "object" || whole === null || !Object.hasOwn(whole, step)) return null;
  return { value: (whole as Readonly<Record<string, unknown>>)[step] };
}

/** Whether an object or list has in the container the members or entries that are read. */
function isWrittenOut({ raw, resolved, rendered }: Written): boolean {
  if (Array.isArray(raw)) {
    return (
      Array.isArray(resolved) &&
      Array.isArray(rendered) &&
      raw.length === resolved.length &&
      raw.length === rendered.length
    );
  }
  return isRecord(raw) && isRecord(resolved) && isRecord(rendered) && !hasFunction(raw);
}

/** `{"Ref": …}`, and objects to which a function adds members. */
function hasFunction(value: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(value);
  return names.some((name) => name.startsWith("Fn::")) || (names.length === 1 && "Ref" in value);
}

/** Whether a value is in the container as it is read, without a function, reference or placeholder. */
export function isLiteral(written: Written): boolean {
  const { raw, resolved, rendered } = written;
  if (typeof raw !== "object" || raw === null) {
    if (typeof resolved === "string" && resolved !== rendered) return false;
    return raw === resolved || (typeof resolved === "string" && textOf(raw) === resolved);
  }
  if (!isWrittenOut(written)) return false;
  return Object.keys(raw).every((step) => {
    const part = partOf(written, step);
    return part !== null && isLiteral(part);
  });
}

/** Texts with unknown parts, with what the container has in their place. */
export interface Samples {
  /** By the text with samples. */
  readonly raw: ReadonlyMap<string, unknown>;
  /** The first characters of each text, up to the third of its first sample; and its statement. */
  readonly heads: readonly { readonly head: string; readonly statement: string | undefined }[];
}

/** Characters of a sample that a text does not share by chance. */
const sampleHead = 3;

/** @returns what the container has in place of the samples of a policy. */
export function samplesIn(whole: Written, unknowns: Unknowns): Samples {
  const raw = new Map<string, unknown>();
  const heads: { head: string; statement: string | undefined }[] = [];
  const visit = (written: Written, steps: readonly string[]): void => {
    const { resolved, rendered } = written;
    if (typeof rendered === "string") {
      if (isLiteral(written)) return;
      if (!raw.has(rendered)) raw.set(rendered, written.raw);
      if (typeof resolved !== "string" || !unknowns.isIn(resolved)) return;
      const [first] = unknowns.split(resolved);
      const known = typeof first === "string" ? first.length : 0;
      heads.push({ head: rendered.slice(0, known + sampleHead), statement: steps[1] });
      return;
    }
    if (typeof rendered !== "object" || rendered === null) return;
    for (const step of Object.keys(rendered)) {
      const part = partOf(written, step);
      if (part) visit(part, [...steps, step]);
    }
  };
  visit(whole, []);
  return { raw, heads };
}
