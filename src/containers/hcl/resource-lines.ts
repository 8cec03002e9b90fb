import { fileBlocks } from "./blocks.ts";
import { hasTooMuchSpace, withTree } from "./parser.ts";

/** @returns the lines, from 1, at which the resources and data sources of a Terraform file begin, by `type.name`. */
export async function resourceLines(text: string): Promise<ReadonlyMap<string, number>> {
  // Such a file is reported where its own policies are read.
  if (hasTooMuchSpace(text)) return new Map();
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
