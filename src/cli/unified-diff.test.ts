import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const lines = (...list: (string | number)[]) => list.map((line) => `${line}\n`).join("");

test("equal texts have no diff", () => {
  expect(unifiedDiff("a", "x\n", "x\n")).toBe("");
});

test("distant changes are separate hunks, with three lines around each", () => {
  const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const after = lines(1, "two", 3, 4, 5, 6, 7, 8, 9, 10, 12);
  expect(unifiedDiff("p.json", before, after)).toBe(
    lines("--- a/p.json", "+++ b/p.json", "@@ -1,5 +1,5 @@", " 1", "-2", "+two", " 3", " 4", " 5") +
      lines("@@ -8,5 +8,4 @@", " 8", " 9", " 10", "-11", " 12"),
  );
});

test("a missing line end is shown", () => {
  expect(unifiedDiff("a", "x", "x\n")).toBe(
    lines("--- a/a", "+++ b/a", "@@ -1,1 +1,1 @@", "-x", "\\ No newline at end of file", "+x"),
  );
});

test("an absolute path follows the prefix with one slash", () => {
  expect(unifiedDiff("/tmp/a", "x\n", "y\n")).toBe(
    lines("--- a/tmp/a", "+++ b/tmp/a", "@@ -1,1 +1,1 @@", "-x", "+y"),
  );
});

test("lines may be added to an empty text", () => {
  expect(unifiedDiff("a", "", "x\n")).toBe(lines("--- a/a", "+++ b/a", "@@ -0,0 +1,1 @@", "+x"));
});

test("long texts with distant changes show these changes and nothing else", () => {
  // Every other line occurs often, as braces do.
  const text = (changed: readonly number[]) =>
    lines(
      ...Array.from({ length: 3_000 }, (_, index) =>
        index % 2 === 0 ? "}" : changed.includes(index) ? `new ${index}` : index,
      ),
    );
  const diff = unifiedDiff("t.yaml", text([]), text([11, 1_501, 2_991]));
  const changes = diff.split("\n").filter((line) => /^[-+](?![-+])/.test(line));
  expect(changes).toEqual(["-11", "+new 11", "-1501", "+new 1501", "-2991", "+new 2991"]);
});

test("lines that changed places in a long text are still the lines of both texts", () => {
  const before = Array.from({ length: 600 }, (_, index) => `line ${index}`);
  const after = [...before.slice(300), "added", ...before.slice(0, 300)];
  const diff = unifiedDiff("a", lines(...before), lines(...after))
    .split("\n")
    .slice(2);
  const count = (sign: string) => diff.filter((line) => line.startsWith(sign)).length;
  expect([count("-"), count("+")]).toEqual([300, 301]);
});
