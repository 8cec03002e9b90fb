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

/**
 * Parses a text in slices, and releases the tree's memory after `use`: WebAssembly memory is not
 * garbage-collected.
 * @param use Reads the tree; offsets of its nodes are UTF-16 offsets of `text`.
 * @throws {Error} If the grammar cannot be read.
 * @throws The signal's reason when it fires.
 */
export async function withTree<Result>(
  text: string,
  use: (tree: Tree) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
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
