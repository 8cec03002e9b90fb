import { isRecord } from "../../record.ts";
import { documentAt, type Fill } from "../document-at.ts";
import { fill, type Placeholder } from "../placeholders.ts";
import { notRead } from "../places.ts";
import type { Place, PlaceFacts, Reading, Source } from "../types.ts";
import { type Path, spanAt, valueAt } from "../values.ts";

/** A patch of a Crossplane composition, which writes a value into a resource. */
export interface Patch {
  /** Path in the resource, as people write it: `spec.forProvider.policy`. */
  readonly to: string;
  /** Steps from the root of the source to the patch. */
  readonly path: Path;
  /** Steps from the patch to its format text; null: it has none, so the value is not known. */
  readonly format: Path | null;
  /** Paths of the values that go into the text, in order. */
  readonly from: readonly string[];
}

/** @param at Path of the list of patches. */
export function patchesIn(patches: unknown, at: Path): Patch[] {
  return (Array.isArray(patches) ? patches : []).flatMap((patch, index): Patch[] => {
    if (!isRecord(patch)) return [];
    const to = patch.toFieldPath ?? patch.fromFieldPath;
    if (typeof to !== "string") return [];
    return [{ to, path: [...at, index], ...formatOf(patch) }];
  });
}

/** https://docs.crossplane.io/latest/guides/function-patch-and-transform/ */
function formatOf(patch: Readonly<Record<string, unknown>>): Pick<Patch, "format" | "from"> {
  const combined: Path = ["combine", "string", "fmt"];
  if (typeof valueAt(patch, combined) === "string") {
    const variables = valueAt(patch, ["combine", "variables"]);
    const from = (Array.isArray(variables) ? variables : []).map((one) =>
      isRecord(one) ? String(one.fromFieldPath) : "",
    );
    return { format: combined, from };
  }
  const { transforms, fromFieldPath } = patch;
  const last = Array.isArray(transforms) ? transforms.length - 1 : -1;
  const format: Path = ["transforms", last, "string", "fmt"];
  const isText = typeof valueAt(patch, format) === "string";
  return { format: isText ? format : null, from: [String(fromFieldPath)] };
}

/** @returns Whether a patch writes the member at a path, in which `[]` is a list or one object. */
export function isPatchOf({ to }: Patch, member: readonly string[]): boolean {
  const steps = to.replaceAll(/\[([^[\]]*)\]/g, ".$1").split(".");
  let at = 0;
  for (const step of member) {
    const given = steps[at];
    if (step === "[]") {
      if (given !== undefined && /^\d+$/.test(given)) at++;
    } else if (given !== undefined && (step === "*" || step === given)) at++;
    else return false;
  }
  return at === steps.length;
}

/** The policy that a patch writes: its format text, in which the values of the composite are unknown. */
export function patchedPlace(
  source: Source,
  { path, format, from }: Patch,
  facts: Omit<PlaceFacts, "path">,
  reading: Reading,
): Place {
  const reason = "A patch of the composition sets the policy, and its text is not in this file.";
  const nothing = () => notRead({ ...facts, path }, reason, { span: spanAt(source.root, path) });
  if (!format) return nothing();
  const filled: Fill = (text, offsets) =>
    fill({ text, offsets }, [...verbsIn(text, from)], reading.unknowns);
  return documentAt(source, [...path, ...format], facts, reading, filled) ?? nothing();
}

/** `%s`, `%d`, `%[1]s` and the like of Go, in the order of the text. */
function* verbsIn(text: string, from: readonly string[]): Generator<Placeholder> {
  let used = 0;
  for (const { 0: whole, 1: index, index: start } of text.matchAll(/%(?:\[(\d+)\])?[a-z]/g)) {
    const at = index === undefined ? used++ : Number(index) - 1;
    yield { source: from[at] ?? whole, start, end: start + whole.length };
  }
}
