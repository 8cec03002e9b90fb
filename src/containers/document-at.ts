import { isRecord } from "../record.ts";
import { filledValue, tooManyValues } from "./filled-value.ts";
import { type Offsets, offsetsOf } from "./offsets.ts";
import { notRead, objectPlace, textPlace } from "./places.ts";
import type { Place, PlaceFacts, Reading, Source } from "./types.ts";
import { nodeAt, type Path, spanAt, valueAt } from "./values.ts";

/** Fills in the placeholders of a text; the default leaves it as it is. */
export type Fill = (text: string, offsets: Offsets | null) => Filled;

export interface Filled {
  readonly text: string;
  readonly offsets: Offsets | null;
}

const asIs: Fill = (text, offsets) => ({ text, offsets });

/**
 * The place of a document that is a member of a JSON or YAML file, as an object or as text.
 * @returns null if there is nothing, or a text that is empty.
 */
export function documentAt(
  source: Source,
  path: Path,
  facts: Omit<PlaceFacts, "path">,
  { unknowns }: Reading,
  fill: Fill = asIs,
): Place | null {
  const value = valueAt(source.value, path);
  const root = nodeAt(source.root, path);
  const about = { ...facts, path };
  if (isRecord(value)) {
    if (Object.keys(value).length === 0) return null;
    if (fill === asIs) return objectPlace(about, { value, root });
    const filled = filledValue({ value, root }, { text: (text) => fill(text, null).text });
    if (!filled) return notRead(about, tooManyValues, { span: root });
    return objectPlace(about, { value: filled.value, root: root && filled.node });
  }
  if (value === undefined || value === null || value === "") return null;
  const span = spanAt(source.root, path);
  if (typeof value !== "string") {
    return notRead(about, "It is neither an object nor a text.", { span });
  }
  const offsets = root && source.text !== null ? offsetsOf(source.text, root, value) : null;
  return textPlace(about, { ...unescaped(fill(value, offsets)), span }, unknowns);
}

/** API Gateway answers with a text in which each quote has a backslash. */
function unescaped(filled: Filled): Filled {
  if (!/^\s*\{\s*\\"/.test(filled.text)) return filled;
  return { text: filled.text.replaceAll('\\"', '"'), offsets: null };
}

/** Whether a value can be a policy document: an object with statements, or their JSON text. */
export function isDocumentLike(value: unknown): boolean {
  if (typeof value === "string")
    return /^\s*(?:\{[\s\S]*Statement|%7B)/i.test(value.slice(0, 20_000));
  return isRecord(value) && Object.hasOwn(value, "Statement");
}

/** @returns A path as people write it: `Policies[0].PolicyDocument`. */
export function shownPath(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
