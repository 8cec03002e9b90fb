import { fileBlocks } from "./blocks.ts";
import { withTree } from "./parser.ts";

/** @returns the lines, from 1, at which the resources and data sources of a Terraform file begin, by `type.name`. */
export function resourceLines(text: string): Promise<ReadonlyMap<string, number>> {
  return withTree(text, ({ rootNode }) => {
    const lines = new Map<string, number>();
    let line = 1;
    let from = 0;
    for (const { type, labels, span } of fileBlocks(rootNode, text)) {
      if (labels.length !== 2 || !(type === "resource" || type === "data")) continue;
      line += text.slice(from, span.start).split("\n").length - 1;
      from = span.start;
      lines.set(`${type === "data" ? "data." : ""}${labels.join(".")}`, line);
    }
    return lines;
  });
}
