import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Language, Tree } from "web-tree-sitter";
import { packageRoot } from "../../package-root.ts";

/**
 * Parses Terraform files with the tree-sitter grammar: it keeps positions, continues after an error,
 * and deep nesting cannot exhaust its stack. HashiCorp's own parser (`@cdktn/hcl2json`) gives no
 * positions. Both WebAssembly files are loaded with the first Terraform file.
 */
let loading: Promise<Loaded> | undefined;

type Library = typeof import("web-tree-sitter");
interface Loaded {
  readonly library: Library;
  readonly language: Language;
}

/** `scripts/build-grammar.ts` copies it from its package. */
const grammar = () => join(packageRoot(), "data/tree-sitter-terraform.wasm");

async function load(): Promise<Loaded> {
  const library = await import("web-tree-sitter");
  await library.Parser.init();
  return { library, language: await library.Language.load(grammar()) };
}

/** Maximum time of parsing per turn of the event loop, in ms. */
const sliceMs = 5;

/** Shorter runs of white space cost as much as other text. */
const longRun = /\s{64,}/g;

/**
 * Whether white space would keep the parser busy: the scanner of the grammar reads the rest of a run again from each of its
 * characters, and 5,500 line breaks took 4 s. No file that people write comes near the bound.
 */
export function hasTooMuchSpace(text: string): boolean {
  let cost = 0;
  for (const { 0: run } of text.matchAll(longRun)) cost += run.length ** 2;
  return cost > 1_000_000 + 20 * text.length;
}

/** A sentence for people. */
export const tooMuchSpace = "The file has more white space in a row than can be parsed.";

/**
 * Parses a text in slices, and releases the tree's memory after `use`: WebAssembly memory is not
 * garbage-collected.
 * @param use Reads the tree; offsets of its nodes are UTF-16 offsets of `text`.
 * @throws {Error} If the text has too much white space, or the grammar cannot be read.
 * @throws The signal's reason when it fires.
 */
export async function withTree<Result>(
  text: string,
  use: (tree: Tree) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  if (hasTooMuchSpace(text)) throw new Error(tooMuchSpace);
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const { library, language } = await loading;
  const parser = new library.Parser();
  parser.setLanguage(language);
  try {
    const tree = await parse(parser, text, signal);
    try {
      return await use(tree);
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

/** A parser that its callback stops continues where it stopped when it is called again. */
async function parse(
  parser: InstanceType<Library["Parser"]>,
  text: string,
  signal: AbortSignal | undefined,
): Promise<Tree> {
  for (;;) {
    const end = performance.now() + sliceMs;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    if (tree) return tree;
    await nextTurn();
    signal?.throwIfAborted();
  }
}
