import fc from "fast-check";
import { expect, test } from "vitest";
import type { LeanFinding } from "../../spec/finding.ts";
import { measureResult } from "../results/fit.ts";
import { IssueBudget } from "./issue-budget.ts";

const text = fc.string({ unit: "binary" });
const position = fc.nat().map((offset) => ({ line: 1, column: offset, offset }));

const findings: fc.Arbitrary<LeanFinding[]> = fc.array(
  fc.record({
    severity: fc.constantFrom("error", "warning", "info", "critical", "high", "medium", "low"),
    check_id: text,
    issue_type: text,
    message: text,
    suggestion: fc.option(text),
    statement_index: fc.integer({ min: -1, max: 5000 }),
    statement_sid: fc.option(text),
    path: text,
    location: fc.option(fc.record({ start: position, end: position })),
    fix: fc.constant(null),
  }),
);

test("findings are given up only when they cannot fit", () => {
  fc.assert(
    fc.property(findings, fc.nat({ max: 5000 }), (list, maxBytes) => {
      if (new IssueBudget(maxBytes).spend(list)) return;
      expect(measureResult({ results: [{ issues: list }] })).toBeGreaterThan(maxBytes);
    }),
  );
});

test("a finding takes at least the members that every level of detail shows, twice", () => {
  const finding: LeanFinding = {
    severity: "low",
    check_id: "a",
    issue_type: "bc",
    message: "def",
    suggestion: null,
    statement_index: 0,
    statement_sid: null,
    path: "/Statement",
    location: null,
    fix: null,
  };
  const { severity: _severity, check_id: _id, issue_type: _type, ...always } = finding;
  const bytes = 2 * JSON.stringify(always).length;
  expect(new IssueBudget(bytes).spend([finding])).toBe(true);
  expect(new IssueBudget(bytes - 1).spend([finding])).toBe(false);
  expect(new IssueBudget(bytes).spend([finding, finding])).toBe(false);
});

test("findings of many policies are given up together", () => {
  const finding: LeanFinding = {
    severity: "error",
    check_id: "action_validation",
    issue_type: "invalid_action",
    message: "x".repeat(400),
    suggestion: null,
    statement_index: 0,
    statement_sid: null,
    path: "/Statement/0",
    location: null,
    fix: null,
  };
  const budget = new IssueBudget(2_000);
  expect([budget.spend([finding]), budget.spend([finding]), budget.spend([])]).toEqual([
    true,
    false,
    false,
  ]);
});
