import { describe, expect, test } from "vitest";
import { parseCsv } from "../../test/support/csv.ts";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderCsv } from "./csv.ts";

const text = '{\n  "Action": "iam:*"\n}';

describe("the CSV report", () => {
  test("has a block of counts, a blank line, and a row for each finding", () => {
    const findings = [
      findingWith({ location: locationOf(text, '"iam:*"') }),
      findingWith({
        severity: "error",
        statement_index: -1,
        statement_sid: null,
        action: null,
        resource: "a,b",
        condition_key: "aws:x",
        suggestion: null,
      }),
    ];
    const csv = renderCsv(reportInput([policyWith(findings, { file: 'a "b".json', text })]));
    expect(parseCsv(csv)).toEqual([
      ["Summary", "Count"],
      ["Policies", "1"],
      ["Policies that fail", "1"],
      ["Policies with errors", "1"],
      ["Policies with findings", "1"],
      ["Issues", "2"],
      ["Severity error", "1"],
      ["Severity critical", "0"],
      ["Severity high", "1"],
      ["Severity warning", "0"],
      ["Severity medium", "0"],
      ["Severity low", "0"],
      ["Severity info", "0"],
      [""],
      [
        "Policy File",
        "Statement Index",
        "Statement SID",
        "Line Number",
        "Severity",
        "Issue Type",
        "Action",
        "Resource",
        "Condition Key",
        "Message",
        "Suggestion",
      ],
      [
        'a "b".json',
        "1",
        "Admin",
        "2",
        "high",
        "overly_permissive",
        "iam:*",
        "",
        "",
        "`iam:*` grants every action of iam.",
        "List the actions that are used.",
      ],
      [
        'a "b".json',
        "",
        "",
        "",
        "error",
        "overly_permissive",
        "",
        "a,b",
        "aws:x",
        "`iam:*` grants every action of iam.",
        "",
      ],
    ]);
    expect(csv).toContain("\r\n\r\nPolicy File,");
  });

  test.each([
    ["=1+1", "\t=1+1"],
    ["+1", "\t+1"],
    ["-1", "\t-1"],
    ["@SUM(A1)", "\t@SUM(A1)"],
    ["\t=1", "\t\\t=1"],
    ["\r=1", "\t\\r=1"],
    ["\n=1", "\t\\n=1"],
    ["＝1", "\t＝1"],
    ["a=1", "a=1"],
    ["*", "*"],
    ['"=1', '"=1'],
    ["a\r\n=1,2", "a\\r\\n=1,2"],
    ["\u001b[31m\u202e", "\\u001b[31m\\u202e"],
    ['=HYPERLINK("http://x")', '\t=HYPERLINK("http://x")'],
  ])("keeps %j from being a formula, a row or a command", (value, shown) => {
    const findings = [findingWith({ resource: value })];
    const rows = parseCsv(renderCsv(reportInput([policyWith(findings)])));
    expect(rows).toHaveLength(16);
    expect(rows.at(-1)?.[7]).toBe(shown);
  });
});
