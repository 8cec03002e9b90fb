import { expect, test } from "vitest";
import { ReportFormat } from "../../spec/tools/validate-policies.ts";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { renderedFormats } from "./formats.ts";
import { renderReport } from "./report.ts";

const input = reportInput([policyWith([findingWith()])]);

test("every format of the contract but json has a report", () => {
  expect(["json", ...renderedFormats].sort()).toEqual([...ReportFormat.options].sort());
});

test.each([
  ["csv", /^Summary,Count\r\n/],
  ["html", /^<!doctype html>\n/],
  ["markdown", /^# IAM policy validation report\n/],
  ["sarif", /^\{"\$schema":"[^"]*","version":"2\.1\.0"/],
] as const)("a %s report is written in that format", async (format, beginning) => {
  expect(await renderReport(format, input)).toMatch(beginning);
});

test.each(renderedFormats)("the same input makes the same %s report", async (format) => {
  expect(await renderReport(format, structuredClone(input))).toBe(
    await renderReport(format, input),
  );
});
