import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ReportFormat } from "../../spec/tools/validate-policies.ts";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { renderReport, reportFormats } from "./formats.ts";

const input = reportInput([policyWith([findingWith()])]);

test("every format of the contract but json has a report", () => {
  expect(["json", ...reportFormats.map(({ id }) => id)].sort()).toEqual(
    [...ReportFormat.options].sort(),
  );
});

test.each([
  ["csv", /^Summary,Count\r\n/],
  ["html", /^<!doctype html>\n/],
  ["markdown", /^# IAM policy validation report\n/],
  ["sarif", /^\{"\$schema":"[^"]*","version":"2\.1\.0"/],
] as const)("a %s report is written in that format", async (format, beginning) => {
  expect(await renderReport(format, input)).toMatch(beginning);
});

test.each(reportFormats)("the same input makes the same $id report", async ({ render }) => {
  expect(await render(structuredClone(input))).toBe(await render(input));
});

test.each(reportFormats)("the manual of the command line names $id", ({ id, extension }) => {
  const manual = readFileSync(new URL("../../docs/local.md", import.meta.url), "utf8");
  expect(manual).toMatch(new RegExp(`--format\`.*\`${id}\``));
  expect(manual).toMatch(new RegExp(`--output\`.*\`\\${extension}\``));
});
