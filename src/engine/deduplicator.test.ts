import { expect, test } from "vitest";
import type { Statement } from "../policy/model.ts";
import type { Report } from "./check.ts";
import { Deduplicator } from "./deduplicator.ts";

const at = (index: number) => ({ index }) as Statement;
const report: Report = { issue_type: "seen", message: "It is here." };

/** Which of the reports are kept. */
function kept(...reports: readonly (readonly [Partial<Report>, Statement | null])[]): boolean[] {
  const seen = new Deduplicator("medium");
  return reports.map(([fields, statement]) => seen.add({ ...report, ...fields }, statement));
}

test("a report that is repeated on its statement is a duplicate, at any distance", () => {
  expect(kept([{}, at(0)], [{}, at(0)])).toEqual([true, false]);
  expect(kept([{}, at(0)], [{ message: "Other." }, at(0)], [{}, at(0)])).toEqual([
    true,
    true,
    false,
  ]);
  expect(kept([{}, at(0)], [{}, at(1)], [{}, at(0)], [{}, at(1)])).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(
    kept(
      [{ message: "Other." }, at(0)],
      [{}, at(0)],
      [{}, at(0)],
      [{}, at(0)],
      [{ message: "Other." }, at(0)],
    ),
  ).toEqual([true, true, false, false, false]);
});

test("the same on another statement, or on the policy, is another report", () => {
  expect(kept([{}, at(0)], [{}, at(1)], [{}, at(2)], [{}, null])).toEqual([true, true, true, true]);
  expect(kept([{}, null], [{}, null], [{}, at(0)])).toEqual([true, false, true]);
  expect(kept([{}, null], [{}, at(0)], [{}, at(0)], [{}, null])).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each<Partial<Report>>([
  { issue_type: "other" },
  { severity: "high" },
  { action: "s3:GetObject" },
  { resource: "*" },
  { condition_key: "aws:SourceIp" },
  { field_name: "action" },
  { suggestion: "Remove it." },
  { message: "It is there." },
])("a report that differs in %j is another one, on each statement", (fields) => {
  expect(kept([{}, at(0)], [fields, at(0)], [fields, at(0)])).toEqual([true, true, false]);
  expect(kept([fields, at(0)], [{}, at(0)], [fields, at(0)], [{}, at(0)])).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(
    kept([{}, at(0)], [{}, at(1)], [fields, at(1)], [{}, at(1)], [fields, at(1)], [fields, at(0)]),
  ).toEqual([true, true, true, false, false, true]);
});

test("the severity of the check and the same one in a report are the same", () => {
  expect(kept([{}, at(0)], [{ severity: "medium" }, at(0)])).toEqual([true, false]);
});

test("a missing field and null are the same", () => {
  const empty = { action: null, resource: null, condition_key: null, suggestion: null } as const;
  expect(kept([{}, at(0)], [{ ...empty, field_name: null }, at(0)])).toEqual([true, false]);
});

test("reports that differ only in their place are duplicates", () => {
  const [one, other] = [{ parent: null }, { parent: null }] as unknown as Report["node"][];
  if (!one || !other) throw new Error("two nodes");
  expect(kept([{ node: one }, at(0)], [{ node: other }, at(0)])).toEqual([true, false]);
});
