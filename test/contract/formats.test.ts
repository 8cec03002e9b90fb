import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { reportFormats } from "../../spec/report-formats.ts";
import type { ValidationResult } from "../../spec/tools/validate-policies.ts";
import { inPlaceOrder } from "../../src/engine/place-order.ts";
import { parseCsv } from "../support/csv.ts";
import { faulty, faultyJson, faultyYaml } from "../support/faulty-policy.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { eras, readOnly } from "../support/rpc.ts";
import { sarifErrors } from "../support/sarif-schema.ts";
import { findingsOf, largeBody, type Sending, validated } from "../support/validate.ts";

// How each report is made is the subject of the tests beside src/reports; here, what a call brings.

const formats = reportFormats.map(({ id }) => id);

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess();
});
afterAll(async () => {
  await target.stop();
  await target.runtime.pool.close();
});

/** With labels and without, as text and as objects, with findings and without. */
const policies = [
  { policy: faultyYaml, name: "org/team/reports.yaml" },
  faulty,
  { policy: faultyJson, name: null },
  readOnly,
  { policy: "[", name: "broken.json" },
];
const labels = ["org/team/reports.yaml", "policy-1", "policy-2", "policy-3", "broken.json"];

/** Reports show the findings of a policy in the order of their places; results have that of the checks. */
function byPlace(results: readonly Pick<ValidationResult, "issues">[]) {
  return results.flatMap((result, index) =>
    inPlaceOrder(findingsOf(result), policyOf(policies[index])),
  );
}

function policyOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "policy" in entry ? entry.policy : entry;
}

async function reportOf(args: object, sending: Sending = {}): Promise<string> {
  const { output } = await validated(target, { policies, ...args }, sending);
  return output.report ?? "";
}

const Sarif = z.object({
  version: z.literal("2.1.0"),
  runs: z
    .array(
      z.object({
        tool: z.object({
          driver: z.object({
            name: z.string(),
            version: z.string(),
            rules: z.array(z.object({ id: z.string(), help: z.object({ text: z.string() }) })),
          }),
        }),
        results: z.array(
          z.object({
            ruleId: z.string(),
            level: z.enum(["error", "warning", "note"]),
            partialFingerprints: z.record(z.string(), z.string()),
            locations: z.tuple([
              z.object({
                physicalLocation: z.object({
                  artifactLocation: z.object({ uri: z.string() }),
                  region: z.object({
                    startLine: z.int(),
                    startColumn: z.int().optional(),
                    endLine: z.int().optional(),
                    endColumn: z.int().optional(),
                  }),
                }),
              }),
            ]),
          }),
        ),
      }),
    )
    .length(1),
});

async function sarif(args: object = {}) {
  const log: unknown = JSON.parse(await reportOf({ format: "sarif", ...args }));
  expect(sarifErrors(log)).toEqual([]);
  const [run] = Sarif.parse(log).runs;
  if (!run) throw new Error("no run");
  return run;
}

describe.each(eras)("format (%s)", (era) => {
  test("json has no report", async () => {
    const { output } = await validated(target, { policies, format: "json" }, { era });
    expect(Object.keys(output)).toEqual([
      "results",
      "config_digest",
      "truncated",
      "truncated_count",
    ]);
  });

  test.each(formats)("%s adds a report and changes nothing else", async (format) => {
    for (const detail of ["summary", "findings", "full"]) {
      const { output: plain } = await validated(target, { policies, detail }, { era });
      const { output } = await validated(target, { policies, detail, format }, { era });
      expect(output).toEqual({ ...plain, report: expect.stringMatching(/^[\s\S]{200}/) });
    }
  });

  test.each(formats)("%s shows the same whatever the detail, on either thread", async (format) => {
    const dates = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d UTC)/g;
    const reports = await Promise.all([reportOf({ format, detail: "full" }, { era })]);
    reports.push(await reportOf({ format, detail: "summary" }, { era }));
    reports.push(await reportOf({ format }, { era, bodyBytes: largeBody }));
    const [first, ...others] = reports.map((report) => report.replace(dates, "-"));
    for (const other of others) expect(other).toBe(first);
  });
});

describe("a policy in a report", () => {
  test("has its label, else its place in the call", async () => {
    const run = await sarif();
    const uris = new Set(
      run.results.map(({ locations: [place] }) => place.physicalLocation.artifactLocation.uri),
    );
    expect([...uris]).toEqual(labels);
    const csv = await reportOf({ format: "csv" });
    const rows = parseCsv(csv);
    expect([...new Set(rows.slice(1).map(([file]) => file))]).toEqual([...uris]);
    for (const format of ["markdown", "html"]) {
      const report = await reportOf({ format });
      for (const label of labels) expect(report).toContain(label);
    }
  });

  test("may have any label at all", async () => {
    const names = [
      "",
      " ",
      "a b#c?d.json",
      "../../x",
      "C:\\x",
      "=1+1",
      "<img src=x>",
      "\u202e\u0000\ud800",
      "x".repeat(3000),
    ];
    for (const format of formats) {
      const args = { policies: names.map((name) => ({ policy: faulty, name })), format };
      const { output } = await validated(target, args);
      expect(output.results.map(({ name }) => name)).toEqual(names);
      const report = output.report ?? "";
      if (format === "sarif") expect(sarifErrors(JSON.parse(report))).toEqual([]);
      if (format === "csv") expect(report).not.toMatch(/^"?[=+@-]/m);
      if (format === "html") expect(report).not.toContain("<img");
    }
  });
});

describe("sarif", () => {
  test("has one result per finding, with its place where the policy was text", async () => {
    const { output } = await validated(target, { policies, detail: "full" });
    const issues = byPlace(output.results);
    const { results } = await sarif();
    expect(results.map(({ ruleId }) => ruleId)).toEqual(issues.map(({ check_id }) => check_id));
    for (const [index, { locations }] of results.entries()) {
      const { region } = locations[0].physicalLocation;
      const { location = null } = issues[index] ?? {};
      if (location === null) expect(region).toEqual({ startLine: 1 });
      else {
        expect(region).toMatchObject({
          startLine: location.start.line,
          startColumn: location.start.column + 1,
          endLine: location.end.line,
          endColumn: location.end.column + 1,
        });
      }
    }
  });

  test("tells three levels by severity", async () => {
    const { output } = await validated(target, { policies });
    const { results } = await sarif();
    const levels: Record<string, string> = {
      error: "error",
      critical: "error",
      high: "error",
      warning: "warning",
      medium: "warning",
      low: "note",
      info: "note",
    };
    const severities = byPlace(output.results);
    expect(results.map(({ level }) => level)).toEqual(
      severities.map(({ severity }) => levels[severity]),
    );
  });

  test("describes the rules that found something, by id", async () => {
    const { tool, results } = await sarif();
    const ids = tool.driver.rules.map(({ id }) => id);
    expect(ids).toEqual([...new Set(results.map(({ ruleId }) => ruleId))].sort());
    expect(tool.driver).toMatchObject({ name: "validator-mcp", version: target.runtime.version });
    for (const { help } of tool.driver.rules) expect(help.text.length).toBeGreaterThan(50);
  });

  test("keeps fingerprints when a policy is formatted anew", async () => {
    const prints = async (policy: string) => {
      const { results } = await sarif({ policies: [{ policy, name: "a.json" }] });
      return results.map(({ partialFingerprints }) => partialFingerprints);
    };
    const expected = await prints(faultyJson);
    expect(await prints(JSON.stringify(faulty))).toEqual(expected);
    const lines = expected.map(({ primaryLocationLineHash }) => primaryLocationLineHash);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

test("csv has a header and one row per finding", async () => {
  const { output } = await validated(target, { policies, format: "csv" });
  const [header, ...rows] = parseCsv(output.report ?? "");
  expect(header).toEqual([
    "Policy File",
    "Policy Type",
    "Statement Index",
    "Statement SID",
    "Line Number",
    "Column Number",
    "Severity",
    "Check ID",
    "Issue Type",
    "Action",
    "Resource",
    "Condition Key",
    "Message",
    "Suggestion",
    "Fingerprint",
  ]);
  const issues = byPlace(output.results);
  expect(rows.map((row) => row[8])).toEqual(issues.map(({ issue_type }) => issue_type));
  expect(rows.map((row) => row[2])).toEqual(
    issues.map(({ statement_index: index }) => (index < 0 ? "" : String(index + 1))),
  );
  for (const row of rows) expect(row).toHaveLength(15);
});

test("html asks for nothing from elsewhere", async () => {
  const report = await reportOf({ format: "html" });
  expect(report).toMatch(/^<!doctype html>/);
  expect(report).toContain("default-src &#39;none&#39;");
  expect(report).not.toMatch(/<(?:script|img|link|iframe)[^>]+(?:src|href)=/);
});
