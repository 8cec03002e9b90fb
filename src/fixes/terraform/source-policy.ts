import { type OutlineBlock, outlinesOf } from "../../containers/hcl/outline.ts";
import type { Opened } from "../../containers/open.ts";
import { isTerraform } from "../../containers/source.ts";
import type { Alternative, Place, Source } from "../../containers/types.ts";
import type { TextNode } from "../../json/text-tree.ts";
import { layoutOf, type Splice } from "../layout.ts";
import { editsOfBlocks } from "./edit-blocks.ts";
import { editsOf } from "./edit-value.ts";
import { type Notation, WrittenText } from "./written-text.ts";

/** A policy in a Terraform file, whose text can be edited. */
export interface SourcePolicy {
  /** @returns what to replace in the file so that it gives another policy; null if an expression decides it. */
  editsTo(after: unknown): Splice[] | null;
}

const outlines = new WeakMap<Source, Promise<ReadonlyMap<number, OutlineBlock>>>();
const policies = new WeakMap<Alternative, Promise<SourcePolicy | null>>();

/** Whether the policy is in a file of Terraform's own language. */
export function isInSource({ source }: Pick<Opened, "source">): boolean {
  return isTerraform(source.name) && source.text !== null;
}

/** @returns null for a policy that is not written in this file. */
export function sourcePolicy(
  opened: Pick<Opened, "source" | "unknowns">,
  place: Place,
  alternative: Alternative,
): Promise<SourcePolicy | null> {
  const known = policies.get(alternative);
  if (known) return known;
  const read = readPolicy(opened, place, alternative);
  policies.set(alternative, read);
  return read;
}

async function readPolicy(
  { source, unknowns }: Pick<Opened, "source" | "unknowns">,
  { form, span }: Place,
  { root, value }: Alternative,
): Promise<SourcePolicy | null> {
  const { text } = source;
  if (text === null || !root || !span || root.end > text.length) return null;
  const notation = notationOf(form, text.slice(span.start, span.end));
  if (!notation) return null;
  const isUnknown = (one: string) => unknowns.isIn(one);
  const layout = layoutOf(text);
  const written = new WrittenText(text, { notation, layout, root, value, isUnknown });
  if (notation !== "arguments") return { editsTo: (after) => editsOf(written, root, value, after) };
  const block = await blockOf(source, text, root);
  return block && { editsTo: (after) => editsOfBlocks(written, block, root, value, after) };
}

function notationOf(form: Place["form"], written: string): Notation | null {
  if (form === "blocks") return "arguments";
  if (form === "object") return "expression";
  if (form !== "text") return null;
  return written.startsWith("<<") ? "heredoc" : "quoted";
}

/** One reading of the file serves all its data sources. */
async function blockOf(source: Source, text: string, { start }: TextNode) {
  const read = outlines.get(source) ?? outlinesOf(text);
  outlines.set(source, read);
  return (await read).get(start) ?? null;
}
