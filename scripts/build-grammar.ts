/**
 * Copies the grammar of Terraform files into `data/`, with its licence and a note of its origin. Its package is a development dependency: it has 2 MB and an
 * install script, and this file is all that runs. An installation without development dependencies (the GitHub Action)
 * needs it too. `--check` fails if the copy differs from the package.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const source = join(root, "node_modules/@tree-sitter-grammars/tree-sitter-hcl");
const { name, version } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
const note = `tree-sitter-terraform.wasm is a file of the npm package ${name} ${version},
published under the licence in tree-sitter-terraform.LICENSE.
`;
const files: Readonly<Record<string, Buffer>> = {
  "tree-sitter-terraform.wasm": await readFile(join(source, "tree-sitter-terraform.wasm")),
  "tree-sitter-terraform.LICENSE": await readFile(join(source, "LICENSE")),
  "tree-sitter-terraform.NOTICE": Buffer.from(note),
};

for (const [to, content] of Object.entries(files)) {
  const target = join(root, "data", to);
  if (!process.argv.includes("--check")) {
    await writeFile(target, content);
  } else if (!content.equals(await readFile(target))) {
    process.stderr.write(`data/${to} differs from its package: run npm run data\n`);
    process.exitCode = 1;
  }
}
