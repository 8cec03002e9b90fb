import type { Location } from "../../spec/finding.ts";
import type { NodeRef } from "../json/node.ts";
import { type Lines, type Span, spanOf } from "../json/text-tree.ts";
import type { PolicyDocument, TextFault } from "../policy/model.ts";
import type { Alternative } from "./types.ts";

/** A policy of a container, as the checks read it: positions are those of the container's text. */
export class PlaceDocument implements PolicyDocument {
  readonly raw: unknown;
  /** AWS receives the document and not the text of the container. */
  readonly text = null;
  readonly isJsonText = false;
  readonly faults: readonly TextFault[];
  readonly #alternative: Alternative;
  readonly #lines: Lines | null;
  #compactBytes: number | undefined;

  /** @param value The value of the alternative, with its unknown parts filled in. */
  constructor(value: unknown, alternative: Alternative, lines: Lines | null) {
    this.raw = value;
    this.#alternative = alternative;
    this.#lines = lines;
    this.faults = alternative.faults.map(({ span, ...fault }) => ({
      ...fault,
      location: this.at(span),
    }));
  }

  get compactBytes(): number {
    this.#compactBytes ??= this.raw === undefined ? 0 : Buffer.byteLength(JSON.stringify(this.raw));
    return this.#compactBytes;
  }

  locate(node: NodeRef): Location | null {
    const { root } = this.#alternative;
    return root ? this.at(spanOf(root, node)) : (this.faults[0]?.location ?? null);
  }

  /** @returns the place of a span of the container; null without text. */
  at(span: Span | null): Location | null {
    return span && (this.#lines?.location(span) ?? null);
  }
}
