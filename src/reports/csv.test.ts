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
  test("is one table with a header and a row for each finding", () => {
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
    const message = "`iam:*` grants every action of iam.";
    const about = ['a "b".json', "IDENTITY_POLICY"];
    const rule = ["service_wildcard", "overly_permissive"];
    const suggestion = "List the actions that are used.";
    const fingerprint = "0123456789abcdef";
    expect(parseCsv(csv)).toEqual([
      [
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
      ],
      [
        ...about,
        "1",
        "Admin",
        "2",
        "13",
        "high",
        ...rule,
        "iam:*",
        "",
        "",
        message,
        suggestion,
        fingerprint,
      ],
      [...about, "", "", "", "", "error", ...rule, "", "a,b", "aws:x", message, "", fingerprint],
    ]);
  });

  test("has a row for each answer and one for the findings that were left out", () => {
    const policy = policyWith([], { file: "a.json" });
    const answer = {
      check_id: "no_new_access",
      question_id: "prod",
      verdict: "holds" as const,
      steps: 1,
      undecided_by: [],
    };
    const suppressed = [
      {
        finding: findingWith(),
        suppression: { kind: "baseline" as const, reason: null, owner: null, expires: null },
        exception: null,
      },
    ];
    const result = { ...policy.result, answers: [answer], suppressed };
    const rows = parseCsv(renderCsv(reportInput([{ ...policy, result }])));
    const empty = (count: number) => Array<string>(count).fill("");
    expect(rows.slice(1)).toEqual([
      [
        ...["a.json", "IDENTITY_POLICY", ...empty(5), "no_new_access", "answer", ...empty(3)],
        ...["no_new_access prod: holds for every request", "", ""],
      ],
      [
        ...["a.json", "IDENTITY_POLICY", ...empty(6), "suppressed", ...empty(3)],
        ...["1 finding left out: 1 by the baseline.", "", ""],
      ],
    ]);
    const inFile = reportInput([{ ...policy, result, place: "Resources.Role" }]);
    expect(renderCsv(inFile)).toContain("Resources.Role: no_new_access prod: holds");
  });

  test("quotes cells that begin or end with a space, hold a tab, a comma, a semicolon or a quote", () => {
    const cellOf = (file: string) =>
      renderCsv(reportInput([policyWith([findingWith()], { file })])).split("\r\n")[1];
    for (const file of [" a", "a ", "a,b", "a;b", 'a"b', "=a"]) {
      expect(cellOf(file), file).toMatch(/^"/);
    }
    expect(cellOf("a b")).toMatch(/^a b,/);
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
    expect(rows).toHaveLength(2);
    expect(rows.at(-1)?.[10]).toBe(shown);
  });
});
