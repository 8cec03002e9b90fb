import type { Span } from "../../json/text-tree.ts";
import { type Block, fileBlocks, spanOfNode } from "./blocks.ts";
import { withTree } from "./parser.ts";

/** A block and where its parts are in the text. */
export interface OutlineBlock {
  readonly type: string;
  readonly span: Span;
  /** By name. */
  readonly attributes: ReadonlyMap<string, OutlineAttribute>;
  readonly blocks: readonly OutlineBlock[];
}

interface OutlineAttribute {
  readonly key: Span;
  readonly value: Span;
}

/** @returns the outermost blocks of a Terraform file by the offset at which they begin. */
export function outlinesOf(text: string): Promise<ReadonlyMap<number, OutlineBlock>> {
  return withTree(text, ({ rootNode }) => {
    const blocks = fileBlocks(rootNode, text).map(outlineOf);
    return new Map(blocks.map((block) => [block.span.start, block]));
  });
}

function outlineOf({ type, span, attributes, blocks }: Block): OutlineBlock {
  return {
    type,
    span,
    attributes: new Map(
      attributes
        .entries()
        .map(([name, { key, expression }]) => [name, { key, value: spanOfNode(expression) }]),
    ),
    blocks: blocks.map(outlineOf),
  };
}
