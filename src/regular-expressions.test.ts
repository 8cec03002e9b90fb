import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { analyse } from "scslre";
import { expect, test } from "vitest";

/**
 * Callers send texts of 10,000 characters to every field, and an expression on the main thread cannot be stopped. One that
 * takes quadratic time holds it for 0.2 s, an exponential one for hours.
 * scslre finds both by analysis, as `no-super-linear-backtracking` of eslint-plugin-regexp does with it; Biome has no such rule.
 * Expressions that are put together at run time are not read.
 */
const bounded: Readonly<Record<string, string>> = {
  "src/reports/text.ts": "the line of the verdict, which has a few counts",
  "src/checks/shared/quote.ts": "the digits of a number",
  "src/checks/condition-type-mismatch/meant-value.ts": "at most 100 characters (longestRange)",
  "src/checks/action-resource-matching/related-arns.ts": "ARN formats of AWS's data",
  "src/access-analyzer/rules/like-values.ts": "the text ends with what the expression looks for",
};

const root = join(import.meta.dirname, "..");

/** @returns the expressions that a node of a syntax tree writes out, in it and below. */
function expressionsIn(node: unknown): { pattern: string; flags: string }[] {
  if (typeof node !== "object" || node === null) return [];
  const { regex, ...others } = node as { regex?: { pattern: string; flags: string } };
  return [...(regex ? [regex] : []), ...Object.values(others).flatMap(expressionsIn)];
}

const sources = globSync(["src/**/*.ts", "spec/**/*.ts"], { cwd: root }).filter(
  (file) => !file.endsWith(".test.ts"),
);
const slow = sources.flatMap((file) =>
  expressionsIn(parseAst(readFileSync(join(root, file), "utf8"), { lang: "ts" }))
    .filter(({ pattern, flags }) => analyse({ source: pattern, flags }).reports.length > 0)
    .map(({ pattern, flags }) => ({ file, expression: `/${pattern}/${flags}` })),
);

test("every regular expression reads its text in linear time, or its text is short", () => {
  expect(slow.filter(({ file }) => !(file in bounded))).toEqual([]);
});

test("each exception is used", () => {
  const files = new Set(slow.map(({ file }) => file));
  expect(Object.keys(bounded).filter((file) => !files.has(file))).toEqual([]);
});

test.for([
  ["exponential time", "^(?:a+)+$"],
  ["quadratic time from each start", " +$"],
  ["quadratic time in two neighbours", "^a*a*$"],
])("%s is found", ([, source = ""]) => {
  expect(analyse({ source, flags: "" }).reports).not.toEqual([]);
});
