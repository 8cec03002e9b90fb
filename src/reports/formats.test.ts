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
  ["concise", /^policy-0:1:1: high service_wildcard: /],
  ["csv", /^Policy File,Policy Type,/],
  ["github", /^::error file=policy-0,line=1,endLine=1,title=high service_wildcard::/],
  ["gitlab", /^\[\n {2}\{\n {4}"description"/],
  ["html", /^<!doctype html>\n/],
  ["junit", /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /],
  ["markdown", /^# IAM policy validation report\n/],
  ["rdjson", /^\{\n {2}"source": \{/],
  ["sarif", /^\{"\$schema":"[^"]*","version":"2\.1\.0"/],
] as const)("a %s report is written in that format", async (format, beginning) => {
  expect(await renderReport(format, input)).toMatch(beginning);
});

test.each(reportFormats)("the same input makes the same $id report", async ({ render }) => {
  expect(await render(structuredClone(input))).toBe(await render(input));
});

test.each(reportFormats)("the manual of the command line names $id", ({ id, extension }) => {
  const manual = readFileSync(new URL("../../docs/local.md", import.meta.url), "utf8");
  const rowOf = (option: string) =>
    manual.split("\n").find((line) => line.includes(`${option}\` |`));
  expect(rowOf("--format"), "the row of docs/local.md").toContain(`\`${id}\``);
  if (extension)
    expect(rowOf("--output"), "the row of docs/local.md").toContain(`\`${extension}\``);
});
