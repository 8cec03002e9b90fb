import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** The words of docs/style.md that a search finds without many false hits. */
const words =
  /\b(judge[sd]?|judging|mends?|mended|mending|stands for|names no|nobody|whoever|of its own|in force|blanks|for want of)\b/i;

/** Where a word is a name, or the subject of the line. */
const allowed: readonly RegExp[] = [
  /test\/judged|judged\.test|judged-sample|judgedFolder|"judged"/g, // the folder and the file keep their names
  /\$\{aws:\w+, 'nobody'\}|profile "?nobody|login: "nobody|profile: "nobody|Nobody: "/g, // values
];

/** Pages about words, the table of this test, and texts that others wrote. */
const skipped = ["docs/style.md", "src/style.test.ts"];

/** Folders that others fill, or a build. */
const foreign = new Set(["node_modules", "dist", "coverage", "reports", "findings"]);

function* filesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const { name } = entry;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (entry.isFile() && /\.(ts|md|mjs|sh|ya?ml)$/.test(name)) yield path;
    if (entry.isDirectory() && !foreign.has(name) && (!name.startsWith(".") || name === ".github"))
      yield* filesOf(path);
  }
}

test("texts use the words of docs/style.md", () => {
  const files = [...filesOf("")].filter((file) => !skipped.includes(file));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    return readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const word = words.exec(allowed.reduce((text, one) => text.replace(one, ""), line));
        return word ? [`${file}:${index + 1}: ${word[0]}`] : [];
      });
  });
  expect(found, "docs/style.md has the words to use").toEqual([]);
});
