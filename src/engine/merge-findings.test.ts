import { expect, test } from "vitest";
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

test("a finding that one run lacks is dropped, and the mildest severity stays", () => {
  const milder = { ...second, severity: "low" as const };
  expect(inAll([second], [[milder]]).map(({ severity }) => severity)).toEqual(["low"]);
  expect(inAll([second], [[milder], []])).toEqual([]);
});
