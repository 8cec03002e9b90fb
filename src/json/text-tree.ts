import type { Location } from "../../spec/finding.ts";
import { type NodeRef, stepsOf } from "./node.ts";

/** UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Position of a value in its text, and the positions of its parts. */
export interface TextNode extends Span {
  /** By name; of repeated names, the last. Null if the value is not an object. */
  readonly members: ReadonlyMap<string, TextMember> | null;
  /** Null if the value is not an array. */
  readonly items: readonly TextNode[] | null;
}

export interface TextMember {
  readonly key: Span;
  readonly value: TextNode;
}

/** A repeated member name of an object. */
export interface Duplicate {
  /** JSON texts of the values that do not count, in order. */
  readonly earlier?: readonly string[];
  readonly name: string;
  /** The repeated key. */
  readonly node: NodeRef;
  /** Span of the last key of that name, which counts. */
  readonly span: Span;
}

/** @returns The span of a node, or of its nearest ancestor in the text if the node is not in it. */
export function spanOf(root: TextNode, node: NodeRef): Span {
  let at = root;
  const steps = stepsOf(node);
  for (const [index, step] of steps.entries()) {
    if (typeof step === "number") {
      const item = at.items?.[step];
      if (!item) return at;
      at = item;
    } else {
      const member = at.members?.get(step);
      if (!member) return at;
      if (node.part === "key" && index === steps.length - 1) return member.key;
      at = member.value;
    }
  }
  return at;
}

/** Position of a text within a larger one, always at the beginning of a line. Counted from 0. */
export interface Origin {
  readonly line: number;
  readonly offset: number;
}

const wholeText: Origin = { line: 0, offset: 0 };

/** Turns offsets into lines and columns. A line ends at LF, CR LF or CR. */
export class Lines {
  readonly #origin: Origin;
  readonly #length: number;
  /** Offset of the first character of each line. */
  readonly #starts: number[] = [0];

  /** @param origin Positions are given within the larger text. */
  constructor(text: string, origin: Origin = wholeText) {
    this.#origin = origin;
    this.#length = text.length;
    let feed = text.indexOf("\n");
    let carriage = text.indexOf("\r");
    while (feed >= 0 || carriage >= 0) {
      const feedIsNext = feed >= 0 && (carriage < 0 || carriage >= feed - 1);
      const start = (feedIsNext ? feed : carriage) + 1;
      this.#starts.push(start);
      if (feed >= 0 && feed < start) feed = text.indexOf("\n", start);
      if (carriage >= 0 && carriage < start) carriage = text.indexOf("\r", start);
    }
  }

  location({ start, end }: Span): Location {
    return { start: this.#position(start), end: this.#position(end) };
  }

  #position(offset: number): Location["start"] {
    const within = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= within) low = middle;
      else high = middle;
    }
    return {
      line: this.#origin.line + low + 1,
      column: within - (this.#starts[low] ?? 0),
      offset: this.#origin.offset + within,
    };
  }
}
