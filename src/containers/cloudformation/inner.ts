import type { Span, TextNode } from "../../json/text-tree.ts";
import { moved, type Offsets, offsetsOf } from "../offsets.ts";
import { notRead } from "../places.ts";
import { readSource } from "../source.ts";
import type { Place, PlaceFacts, Reading, Source } from "../types.ts";
import { isTemplate } from "./template.ts";

/** Templates inside templates are read to this depth. */
const maxTemplates = 3;

/** A template that is the text of a property or argument. */
export interface InnerText {
  readonly facts: PlaceFacts;
  /** Null: not known. */
  readonly text: string | null;
  /** Of the text in the outer file. */
  readonly root: Span | null;
  /** Text of the outer file; null without text. */
  readonly file: string | null;
  /** For each character of the text, its offset in the file. Absent: worked out from the file. */
  readonly offsets?: Offsets | null;
}

/** Reads the places of a template, which is nested to a depth. */
export type ReadTemplate = (source: Source, reading: Reading, depth: number) => Promise<Place[]>;

/** @returns The places of an inner template; their positions are those of the outer file. */
export async function innerPlaces(
  { facts, text, root, file, offsets: known }: InnerText,
  reading: Reading,
  { depth, read }: { readonly depth: number; readonly read: ReadTemplate },
): Promise<Place[]> {
  if (text === null) {
    return [notRead(facts, "The inner template is not text that is known here.", { span: root })];
  }
  if (depth >= maxTemplates) {
    return [notRead(facts, "Templates are nested too deep.", { span: root })];
  }
  const inner = await readSource({ text });
  if (!isTemplate(inner)) return [];
  const whole = root && leafOf(root);
  const offsets = known ?? (file !== null && whole ? offsetsOf(file, whole, text) : null);
  const { address: outer } = facts;
  const places = await read(inner, reading, depth + 1);
  return places.map((place) => ({
    ...place,
    address: `${outer} ${place.address}`,
    label: `${outer} ${place.label}`,
    path: null,
    span: root,
    alternatives: place.alternatives.map((one) => ({
      ...one,
      root: one.root && (offsets ? moved(one.root, offsets) : whole),
      faults: one.faults.map((fault) => ({ ...fault, span: root })),
      problems: one.problems.map((problem) => ({ ...problem, span: root })),
    })),
  }));
}

function leafOf({ start, end }: Span): TextNode {
  return { start, end, members: null, items: null };
}
