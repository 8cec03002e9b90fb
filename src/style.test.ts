import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

/** Files of git; in an unpacked archive there is no git, so there is nothing to search. */
const files = existsSync(join(root, ".git"))
  ? execFileSync("git", ["ls-files", "*.ts", "*.md", "*.mjs", "*.sh", "*.yaml", "*.yml"], {
      cwd: root,
      encoding: "utf8",
    })
      .split("\n")
      .filter((file) => file !== "" && !skipped.includes(file))
  : [];

test.skipIf(files.length === 0)("texts use the words of docs/style.md", () => {
  const found = files.flatMap((file) => {
    const path = join(root, file);
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const word = words.exec(allowed.reduce((text, one) => text.replace(one, ""), line));
        return word ? [`${file}:${index + 1}: ${word[0]}`] : [];
      });
  });
  expect(found).toEqual([]);
});
