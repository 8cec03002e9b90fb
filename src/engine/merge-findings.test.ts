import { describe, expect, test } from "vitest";
import type { Fix } from "../../spec/finding.ts";
import { findingWith } from "../../test/support/report-input.ts";
import { inAll, union } from "./merge-findings.ts";

const at = (offset: number) => {
  const place = { line: 1, column: offset, offset };
  return { start: place, end: place };
};
const second = findingWith({
  message: "Statement 2 lets in callers.",
  statement_index: 1,
  path: "/Statement/1/Principal",
  location: at(40),
});
const alone = (findings: readonly ReturnType<typeof findingWith>[], choice: string) => ({
  findings,
  choices: [choice],
  byDefault: false,
});

test("a statement that moves up where a condition removes another is one finding", () => {
  const third = {
    ...second,
    message: "Statement 3 lets in callers.",
    path: "/Statement/2/Principal",
  };
  const found = union([alone([third], "`A` is true"), alone([second], "`A` is false")]);
  expect(found.map(({ message }) => message)).toEqual(["Statement 3 lets in callers."]);
});

test("findings at two places are two, and say when they hold", () => {
  const other = { ...second, location: at(80) };
  const found = union([alone([second, other], "`A` is true"), alone([second], "`A` is false")]);
  expect(found.map(({ message }) => message)).toEqual([
    "Statement 2 lets in callers.",
    "Statement 2 lets in callers. This is so if `A` is true.",
  ]);
});

test.each([
  ["error", "warning"],
  ["critical", "critical"],
  ["low", "low"],
] as const)("%s that needs the default of a parameter is %s", (severity, shown) => {
  const finding = { ...second, severity };
  const byDefault = { ...alone([finding], "`A` has its default"), byDefault: true };
  const found = union([byDefault, alone([], "`A` has another value")]);
  expect(found.map((one) => one.severity)).toEqual([shown]);
});

type Finding = typeof second;

describe("the findings that every run has", () => {
  test("have the mildest severity that one of them gives", () => {
    const severityOf = (...severities: Finding["severity"][]) => {
      const [first, ...others] = severities.map((severity) => [{ ...second, severity }]);
      return inAll(first ?? [], others).map(({ severity }) => severity);
    };
    expect(severityOf("high", "low")).toEqual(["low"]);
    expect(severityOf("low", "high")).toEqual(["low"]);
    expect(severityOf("high", "low", "medium")).toEqual(["low"]);
    expect(severityOf("high", "medium", "low")).toEqual(["low"]);
    expect(severityOf("high", "high")).toEqual(["high"]);
  });

  test("are those of the first run where there is no other", () => {
    expect(inAll([second, second], [])).toEqual([second, second]);
  });

  test.each<[string, Partial<Finding>, boolean]>([
    ["says it in other words", { message: "Statement 2 lets in other callers." }, true],
    ["says it of another place in the text", { location: at(80) }, true],
    ["comes from another check", { check_id: "other" }, false],
    ["has another issue type", { issue_type: "other" }, false],
    ["has another path", { path: "/Statement/1/Action" }, false],
    ["is about another statement", { statement_index: 2 }, false],
  ])("has one, in the words of the first, if that of another run %s: %#", (_, fields, isSame) => {
    const other = { ...second, ...fields };
    expect(inAll([second], [[other]])).toEqual(isSame ? [second] : []);
    expect(inAll([second], [[second], [other]])).toHaveLength(isSame ? 1 : 0);
    expect(inAll([second], [[other], [second]])).toHaveLength(isSame ? 1 : 0);
  });

  test("are none where another run has none", () => {
    expect(inAll([second], [[second], []])).toEqual([]);
    expect(inAll([second], [[], [second]])).toEqual([]);
    expect(inAll([], [[second]])).toEqual([]);
  });

  test("are of each kind as many as the run with the fewest has", () => {
    const other = { ...second, path: "/Statement/1/Action" };
    expect(inAll([second, other, second, second], [[second, second]])).toEqual([second, second]);
    const milder = { ...second, severity: "low" as const };
    const found = inAll([second, second], [[second, milder]]);
    expect(found.map(({ severity }) => severity)).toEqual(["high", "low"]);
  });
});

const fixWith = (fields: Partial<Fix> = {}): Fix => ({
  title: "Name the callers",
  effect: "narrows",
  needs_input: [],
  patch: [{ op: "remove", path: "/Statement/1" }],
  ...fields,
});

test.each<[string, (Fix | null)[], Fix | null]>([
  ["the one of all", [fixWith(), fixWith(), fixWith()], fixWith()],
  ["the first of two titles", [fixWith(), fixWith({ title: "Name them" })], fixWith()],
  ["none where the first has none", [null, fixWith()], null],
  ["none where another has none", [fixWith(), fixWith(), null], null],
  ["none of two edits", [fixWith(), fixWith({ patch: [] })], null],
  [
    "none of two edits, the later one with the weaker promise",
    [fixWith(), fixWith(), fixWith({ effect: "changes", patch: [] })],
    null,
  ],
  [
    "the weakest promise, of a later one",
    [fixWith(), fixWith({ effect: "changes" }), fixWith()],
    fixWith({ effect: "changes" }),
  ],
  [
    "the weakest promise, of the first",
    [fixWith({ effect: "changes" }), fixWith()],
    fixWith({ effect: "changes" }),
  ],
  ["none of two promises about access", [fixWith(), fixWith({ effect: "repairs" })], null],
])("a finding has of their fixes %s", (_, fixes, expected) => {
  const runs = fixes.map((fix) => [{ ...second, fix }]);
  expect(inAll(runs[0] ?? [], runs.slice(1)).map(({ fix }) => fix)).toEqual([expected]);
  const alternatives = runs.map((findings, index) => ({
    findings,
    choices: [`choice ${index}`],
    byDefault: false,
  }));
  expect(union(alternatives).map(({ fix }) => fix)).toEqual([expected]);
});

test("a finding that one alternative lacks has no fix", () => {
  const fixed = { ...second, fix: fixWith() };
  expect(union([alone([fixed], "a"), alone([], "b")]).map(({ fix }) => fix)).toEqual([null]);
});

test.each<[string, Partial<Finding>, boolean]>([
  ["another path", { path: "/Statement/2/Principal" }, true],
  ["another number of the statement", { message: "Statement 3 lets in callers." }, true],
  ["another severity", { severity: "low" }, true],
  ["other words", { message: "Statement 2 lets in other callers." }, false],
  ["another check", { check_id: "other" }, false],
  ["another issue type", { issue_type: "other" }, false],
  ["another place in the text", { location: at(41) }, false],
])("a finding of another alternative with %s is the same: %#", (_, fields, isSame) => {
  const found = union([alone([second], "a"), alone([{ ...second, ...fields }], "b")]);
  expect(found).toHaveLength(isSame ? 1 : 2);
});

test("without a place in the text, the path tells findings apart", () => {
  const nowhere = { ...second, location: null };
  const elsewhere = { ...nowhere, path: "/Statement/2/Principal" };
  expect(union([alone([nowhere], "a"), alone([nowhere], "b")])).toHaveLength(1);
  expect(union([alone([nowhere], "a"), alone([elsewhere], "b")])).toHaveLength(2);
});

test("equal findings of one alternative are as many as there", () => {
  const found = union([alone([second, second, second], "a"), alone([second, second, second], "b")]);
  expect(found.map(({ message }) => message)).toEqual([
    second.message,
    second.message,
    second.message,
  ]);
});

/** The last sentence of a finding that some alternatives have, each given by its choices, and the others lack. */
function reasonIn(holders: readonly string[][], others: readonly string[][]): string {
  const [found] = union([
    ...holders.map((choices) => ({ findings: [second], choices, byDefault: false })),
    ...others.map((choices) => ({ findings: [], choices, byDefault: false })),
  ]);
  return (found?.message ?? "").slice(second.message.length);
}

const some = " This is so for some parameters or conditions of the template, not for all.";

test.each<[string, string[][], string[][], string]>([
  ["the only choice", [["a"]], [["b"]], " This is so if a."],
  ["the choice that no other has", [["a", "b"]], [["a", "c"]], " This is so if b."],
  [
    "the choice that all with it share",
    [
      ["a", "b"],
      ["a", "c"],
    ],
    [["d", "b"]],
    " This is so if a.",
  ],
  [
    "the choice that all share before those that each has alone",
    [
      ["a1", "b"],
      ["a2", "b"],
    ],
    [["a3", "c"]],
    " This is so if b.",
  ],
  ["one choice where each of several decides", [["a", "b"]], [["c"]], " This is so if a."],
  ["two choices that others have alone", [["a", "b"]], [["a"], ["b"]], " This is so if a and b."],
  [
    "no choice that every other has",
    [["z", "a", "b"]],
    [
      ["z", "a"],
      ["z", "b"],
    ],
    " This is so if a and b.",
  ],
  [
    "each of the values with it, though they share another choice",
    [
      ["a1", "b"],
      ["a2", "b"],
    ],
    [["a3", "b"]],
    " This is so if a1 or a2.",
  ],
  [
    "a value that decides once, although two have it",
    [
      ["a1", "b"],
      ["a1", "c"],
      ["a2", "b"],
    ],
    [["a3", "b"], ["c"]],
    " This is so if a1 or a2.",
  ],
  ["three values", [["a1"], ["a2"], ["a3"]], [["a4"]], " This is so if a1 or a2 or a3."],
  ["nothing for four values", [["a1"], ["a2"], ["a3"], ["a4"]], [["a5"]], some],
  ["nothing where one of them has no such value", [["a1", "b"], ["b"]], [["a2", "b"]], some],
  ["nothing where another has all of it", [["a"]], [["a", "b"]], some],
  [
    "nothing where more than three choices are needed",
    [["a", "b", "c", "d"]],
    [
      ["b", "c", "d"],
      ["a", "c", "d"],
      ["a", "b", "d"],
      ["a", "b", "c"],
    ],
    some,
  ],
  ["nothing without choices", [[]], [["a"]], some],
])("a finding says %s", (_, holders, others, expected) => {
  expect(reasonIn(holders, others)).toBe(expected);
});

type Severity = (typeof second)["severity"];

/** Severities that alternatives give one finding; null: the alternative does not have it. D: it needs a default. */
test.each<[string, readonly (Severity | null | `D ${Severity}`)[], Severity]>([
  ["that of the first", ["high", null], "high"],
  ["the worse of the first", ["high", "low"], "high"],
  ["the worse of a later one", ["low", "high", "medium"], "high"],
  ["the worse, where one does not have it", ["low", null, "critical"], "critical"],
  ["an error that all have", ["D error", "D error"], "error"],
  ["a warning for an error that needs the default", ["D error", null], "warning"],
  ["a warning, too, where all have the default", ["D error", "D error", null], "warning"],
  ["an error that one without the default has", ["D error", "error", null], "error"],
  ["an error that a later one without the default has", ["low", "error"], "error"],
  ["a warning for an error beside a milder one", ["D error", "low"], "warning"],
  ["the risk beside an error that needs the default", ["high", "D error"], "high"],
  ["no warning for a risk with the default", ["D critical", null], "critical"],
])("one finding has %s", (_, severities, expected) => {
  const found = union(
    severities.map((one, index) => {
      const byDefault = one?.startsWith("D ") ?? false;
      const severity = (byDefault ? one?.slice(2) : one) as Severity | null;
      return {
        findings: severity === null ? [] : [{ ...second, severity }],
        choices: [`choice ${index}`],
        byDefault,
      };
    }),
  );
  expect(found.map(({ severity }) => severity)).toEqual([expected]);
});
