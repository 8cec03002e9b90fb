import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A block of commands in a page. */
export interface DocBlock {
  readonly page: string;
  readonly line: number;
  readonly script: string;
  /** Why the block is not run, as the page says in `<!-- not run: … -->` before it; null: it is. */
  readonly reason: string | null;
}

/** The blocks of the README and of every page in `docs/`, in order. */
export function docBlocks(): DocBlock[] {
  return ["README.md", ...globSync("docs/*.md", { cwd: root }).toSorted()].flatMap(blocksOf);
}

function blocksOf(page: string): DocBlock[] {
  const text = readFileSync(join(root, page), "utf8");
  const fences = text.matchAll(
    /(<!-- not run: ([^>]*?) -->\n+)?^```(sh|bash|shell|console)\n([\s\S]*?)^```$/gm,
  );
  return [...fences].map(({ index, 2: reason = null, 3: kind, 4: body = "" }) => ({
    page,
    line: text.slice(0, index).split("\n").length,
    script: kind === "console" ? commandsOf(body) : body,
    reason,
  }));
}

/** The commands of a transcript. */
const commandsOf = (transcript: string) =>
  transcript
    .split("\n")
    .filter((line) => line.startsWith("$ "))
    .map((line) => `${line.slice(2)}\n`)
    .join("");
