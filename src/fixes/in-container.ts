import type { Fix, PatchOperation } from "../../spec/finding.ts";
import type { Opened } from "../containers/open.ts";
import type { Rendered } from "../containers/render.ts";
import { SampleTexts } from "../containers/sample-texts.ts";
import type { Alternative, Container, Place } from "../containers/types.ts";
import { escapedStep } from "../json/node.ts";
import { tryParseJson } from "../json/parse.ts";
import { isRecord } from "../record.ts";
import { editText } from "./edit-text.ts";
import { isSameJson } from "./json.ts";
import { fixWithin } from "./make.ts";
import { applyPatch, PatchFailure, stepsIn, valueAt } from "./patch.ts";
import { Restorer } from "./restored.ts";
import { fixInSource } from "./terraform/source-fixes.ts";
import { isInSource, sourcePolicy } from "./terraform/source-policy.ts";
import { isLiteral, partOf, samplesIn, type Written, writtenParent } from "./written.ts";

/** A policy of a container, as it was validated. */
export interface ValidatedForm {
  readonly opened: Pick<Opened, "source" | "container" | "unknowns">;
  readonly place: Place;
  readonly alternative: Alternative;
  readonly rendered: Rendered;
  /** A sample that is not in the policy: the name of what it is attached to. Null: there is none. */
  readonly attachedSample: string | null;
}

/** What Terraform computes is not written by a person, so an edit of it changes nothing. */
const computed: ReadonlySet<string> = new Set(["terraform_plan", "terraform_state"]);

/** In these, `${` in any text is a reference and not a policy variable. */
const withReferences: ReadonlySet<string> = new Set([
  "terraform",
  "serverless",
  "kubernetes",
  "pulumi",
  "amplify",
  "template_text",
]);

/** For a policy that the container has as text: the fix of that text. */
const innerFixes = new WeakMap<Fix, { readonly pointer: string; readonly fix: Fix }>();

/** @returns for the fix of a policy in a text, the place of the text and the fix of the policy in it. */
export function innerFixOf(fix: Fix): { readonly pointer: string; readonly fix: Fix } | null {
  return innerFixes.get(fix) ?? null;
}

/** Whether the container has the policy in a place that can be edited. */
export function isFixable(place: Place, opened: Pick<Opened, "source" | "container">): boolean {
  return isInSource(opened) || isAtPath(place, opened.container);
}

function isAtPath({ path, form }: Place, { kind }: Pick<Container, "kind">): boolean {
  return path !== null && form !== "blocks" && !computed.has(kind);
}

/** Turns fixes of a policy, which has samples for unknown values, into fixes of its container. */
export class ContainerFixes {
  readonly #form: ValidatedForm;
  readonly #base: Base | null;
  #restorer: Restorer | undefined;
  #sampleTexts: SampleTexts | undefined;

  constructor(form: ValidatedForm) {
    this.#form = form;
    this.#base = baseOf(form);
  }

  /**
   * @param path JSON Pointer into the policy of what the finding names.
   * @returns null if the place is not literal text of the container, or the edit would write a sample.
   */
  async fix(fix: Fix, path: string): Promise<Fix | null> {
    const base = this.#base;
    if (!base) return null;
    const operations: PatchOperation[] = [];
    for (const operation of fix.patch) {
      if (operation.op === "test") continue;
      const moved = this.#moved(operation, base, fix.patch);
      if (!moved) return null;
      operations.push(moved);
    }
    // A fix of white space: no quota counts that of a template.
    if (operations.length === 0) return null;
    const { opened, place, alternative } = this.#form;
    const { source, unknowns } = opened;
    if (isInSource(opened)) {
      const policy = await sourcePolicy(opened, place, alternative);
      return policy && fixInSource(fix, operations, path, { alternative, policy, unknowns });
    }
    if (base.text === null) {
      return fixWithin(fix, operations, source.value, base.pathOf(path));
    }
    const text = await editText(base.text, operations, true);
    if (text === null || !says(text, base.document.raw, operations)) return null;
    const value = base.encode(text);
    const replace = { op: "replace", path: base.pointer, value } as const;
    const outer = fixWithin(fix, [replace], source.value, base.pointer);
    const inner = fixWithin(fix, operations, base.document.raw, path);
    if (outer && inner && value === text)
      innerFixes.set(outer, { pointer: base.pointer, fix: inner });
    return outer;
  }

  /** The operation in the container; null if it has no place there. */
  #moved(
    operation: Exclude<PatchOperation, { op: "test" }>,
    base: Base,
    patch: readonly PatchOperation[],
  ): Exclude<PatchOperation, { op: "test" }> | null {
    const { document } = base;
    const from = originOf(operation, patch);
    const parent = writtenParent(document, from);
    const step = stepsIn(from).at(-1);
    if (!parent || step === undefined || !base.holds(from)) return null;
    const path = base.pathOf(operation.path);
    switch (operation.op) {
      case "remove":
        return partOf(parent, step) && { op: "remove", path };
      case "move":
        return partOf(parent, step) && { op: "move", from: base.pathOf(from), path };
      case "add": {
        if (isRecord(parent.raw) && Object.hasOwn(parent.raw, step)) return null;
        const value = this.#restored(operation.value, operation.path, document);
        return value && { op: "add", path, value: value.restored };
      }
      case "replace": {
        const old = partOf(parent, step);
        const edit =
          old &&
          this.#restorerOf(document).edited(old, operation.value, stepsIn(operation.path)[1]);
        if (edit) {
          const within = edit.within.map((one) => `/${escapedStep(one)}`).join("");
          return { op: "replace", path: `${path}${within}`, value: edit.value };
        }
        const value = this.#restored(operation.value, operation.path, document);
        if (!old || !value) return null;
        // The value of a function is not the author's text; it may only move into a list.
        if (!isLiteral(old) && !contains(value.restored, old.raw)) return null;
        return { op: "replace", path, value: value.restored };
      }
    }
  }

  /** The value with what the container has in place of each sample; null if a sample is left. */
  #restored(value: unknown, path: string, document: Written): { restored: unknown } | null {
    return this.#restorerOf(document).restored(value, stepsIn(path)[1]);
  }

  #restorerOf(document: Written): Restorer {
    this.#restorer ??= new Restorer(samplesIn(document, this.#form.opened.unknowns), (text) =>
      this.#hasSample(text),
    );
    return this.#restorer;
  }

  /** Whether a text has a sample, or what the container reads as a reference. */
  #hasSample(text: string): boolean {
    const { rendered, opened, attachedSample } = this.#form;
    this.#sampleTexts ??= new SampleTexts(rendered.shown.keys());
    return (
      (attachedSample !== null && text.includes(attachedSample)) ||
      this.#sampleTexts.isIn(text) ||
      (text.includes("${") && withReferences.has(opened.container.kind) && !isInSource(opened))
    );
  }
}

/** Where the operation's value is before the patch, which may have renamed a member around it. */
function originOf(
  operation: Exclude<PatchOperation, { op: "test" }>,
  patch: readonly PatchOperation[],
): string {
  const before = patch.slice(0, patch.indexOf(operation)).reverse();
  return before.reduce(
    (path, one) =>
      one.op === "move" && path.startsWith(`${one.path}/`)
        ? one.from + path.slice(one.path.length)
        : path,
    operation.op === "move" ? operation.from : operation.path,
  );
}

/** Where the policy is in its container, and how its paths are paths of it. */
interface Base {
  /** Of the policy, or of the text that holds it. */
  readonly pointer: string;
  readonly document: Written;
  /** The JSON text of the policy; null: its members are those of the container. */
  readonly text: string | null;
  /** The text as the container has it. */
  encode(text: string): string;
  /** Whether a path of the policy is within its place. */
  holds(path: string): boolean;
  /** The path in what is edited: the container, or the text. */
  pathOf(path: string): string;
}

function baseOf({ opened, place, alternative, rendered }: ValidatedForm): Base | null {
  const { source, container } = opened;
  if (isInSource(opened)) return sourceBase(alternative, rendered);
  if (place.path === null || !isAtPath(place, container)) return null;
  const pointer = place.path.map((step) => `/${escapedStep(String(step))}`).join("");
  const raw = foundAt(source.value, pointer);
  const forms = { resolved: alternative.value, rendered: rendered.value };
  const whole = {
    pointer,
    text: null,
    encode: (text: string) => text,
    holds: () => true,
    pathOf: (path: string) => pointer + path,
  };
  switch (place.form) {
    case "object":
      return { ...whole, document: { raw, ...forms } };
    case "statements":
    case "statement": {
      // The container has the statements alone.
      const holds = (path: string) =>
        path.startsWith("/Statement/") || (path === "/Statement" && place.form === "statements");
      const pathOf = (path: string) => pointer + path.replace(/^\/Statement(?=\/|$)/, "");
      return { ...whole, document: { raw: { Statement: raw }, ...forms }, holds, pathOf };
    }
    case "text":
    case "url_encoded": {
      if (typeof raw !== "string") return null;
      const isEncoded = place.form === "url_encoded";
      const text = isEncoded ? decoded(raw) : raw;
      if (text === null) return null;
      const value = tryParseJson(text);
      if (value === undefined) return null;
      const encode = isEncoded ? encodeURIComponent : whole.encode;
      const document = { raw: value, ...forms };
      return { ...whole, text, encode, document, pathOf: (path: string) => path };
    }
    case "blocks":
      return null;
  }
}

/** The paths of a policy in Terraform's own language are its own. */
function sourceBase({ value }: Alternative, { value: rendered }: Rendered): Base {
  return {
    pointer: "",
    document: { raw: value, resolved: value, rendered },
    text: null,
    encode: (text) => text,
    holds: () => true,
    pathOf: (path) => path,
  };
}

function foundAt(value: unknown, pointer: string): unknown {
  try {
    return valueAt(value, stepsIn(pointer));
  } catch (error) {
    if (error instanceof PatchFailure) return undefined;
    throw error;
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Whether an edited text holds the document with the operations. */
function says(text: string, before: unknown, operations: readonly PatchOperation[]): boolean {
  const value = tryParseJson(text);
  return value !== undefined && isSameJson(value, applyPatch(before, operations));
}

function contains(value: unknown, part: unknown): boolean {
  if (isSameJson(value, part)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((one: unknown) => contains(one, part));
}
