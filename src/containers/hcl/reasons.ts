import type { Span } from "../../json/text-tree.ts";
import { locatedLeaf } from "../located.ts";
import { notRead } from "../places.ts";
import type { Place, PlaceFacts } from "../types.ts";
import type { Attribute } from "./blocks.ts";

/** Whether an argument of a data source adds the statements of other documents. */
export const isMerged = ({ name }: Attribute) =>
  /^(?:source|override)_(?:policy_documents|json)$/.test(name);

/** @returns why a document whose statements come from other documents is not whole. */
export function mergedReason(merged: readonly Attribute[]): string {
  const names = merged.map(({ name }) => `\`${name}\``).join(" and ");
  const verb = merged.length > 1 ? "add" : "adds";
  return `${names} ${verb} statements that are not in this file`;
}

/** @returns a place whose text has `%{ … }` directives, as far as it was read. */
export function withDirectives(place: Place, facts: PlaceFacts): Place {
  const reason = "`%{ … }` directives decide parts of the text; one outcome of each was read.";
  const isReadable = place.alternatives.some(({ value }) => value !== undefined);
  if (isReadable) return { ...place, state: "partly_read", reason };
  const { form, span } = place;
  return notRead(facts, "The text is not JSON until its `%{ … }` directives are applied.", {
    form,
    span,
  });
}

/** @returns why a document that an expression gives is not read. */
export function reasonFor(written: string): string {
  const [, call, path] = /^(file|templatefile)\s*\(\s*"([^"]{1,200})"/.exec(written) ?? [];
  if (call && path) return `The document is in the file \`${path}\`.`;
  const short = written.replaceAll(/\s+/g, " ");
  const shown = short.length > 100 ? `${short.slice(0, 97)}...` : short;
  return `The value of \`${shown}\` is not in this file.`;
}

/** @returns reasons as one sentence. */
export function sentence(parts: readonly string[]): string {
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A document in another file of the folder has the position of the name that refers to it. */
export function placedAt(place: Place, span: Span): Place {
  const root = locatedLeaf(null, span).node;
  return {
    ...place,
    span,
    alternatives: place.alternatives.map((one) => ({
      ...one,
      root,
      faults: one.faults.map((fault) => ({ ...fault, span })),
    })),
  };
}
