/**
 * Copies the grammar of Terraform files into `data/`. Its package is a development dependency: it has 2 MB and an
 * install script, and this file is all that runs. An installation without development dependencies (the GitHub Action)
 * needs it too. `--check` fails if the copy differs from the package.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const source = join(root, "node_modules/@tree-sitter-grammars/tree-sitter-hcl");
const files = {
  "tree-sitter-terraform.wasm": "tree-sitter-terraform.wasm",
  LICENSE: "tree-sitter-terraform.LICENSE",
};

for (const [from, to] of Object.entries(files)) {
  const content = await readFile(join(source, from));
  const target = join(root, "data", to);
  if (!process.argv.includes("--check")) {
    await writeFile(target, content);
  } else if (!content.equals(await readFile(target))) {
    process.stderr.write(`data/${to} differs from its package: run npm run data\n`);
    process.exitCode = 1;
  }
}
