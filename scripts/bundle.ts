/**
 * Writes `dist/bundle`, the code of the command, the function and the library in few files: half of a start is
 * finding, reading and compiling several hundred modules. What only some calls need stays in chunks
 * itself, and what is never needed by the first of them stays in its package.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const source = (name: string) => join(root, "src", name);
const { out } = parseArgs({
  options: { out: { type: "string", default: join(root, "dist/bundle") } },
}).values;

const bundle = await rolldown({
  // The pool starts its workers from the files beside it.
  input: {
    cli: source("cli.ts"),
    awslambda: source("awslambda.ts"),
    library: source("library/index.ts"),
    reader: source("pool/reader.ts"),
    worker: source("pool/worker.ts"),
  },
  platform: "node",
  external: [/^@aws-sdk\//, "piscina", "prom-client", "web-tree-sitter"],
  // Some packages have a form for bundlers beside one that finds its parts at run time.
  resolve: { mainFields: ["module", "main"] },
  onLog(level, log) {
    if (level === "warn") throw new Error(`The bundle is not sound: ${log.message}`);
  },
});
await bundle.write({
  dir: out,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunk-[name]-[hash].js",
  // One character above U+00FF makes V8 hold the whole file, in each thread, with two bytes per character.
  charset: "ascii",
  // Names stay, so that the stack frames in the log can be read.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
