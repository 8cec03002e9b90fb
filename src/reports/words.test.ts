import { describe, expect, test } from "vitest";
import type { AccessAnswer } from "../../spec/access.ts";
import type { Suppression } from "../../spec/suppression.ts";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { questionOf, verdictOf } from "./answers.ts";
import { conciseLine } from "./concise.ts";
import { reasonInWords, suppressedIn, suppressedInWords } from "./suppressed.ts";
import {
  countsInWords,
  countsOf,
  fixNote,
  pathOf,
  placeOf,
  plural,
  repositoryPathOf,
  startOf,
  titleOf,
  totalsOf,
  verdictLine,
} from "./totals.ts";

describe("an answer about access", () => {
  const answer = (fields: Partial<AccessAnswer>): AccessAnswer => ({
    check_id: "no_public_access",
    question_id: null,
    verdict: "holds",
    violations: [],
    undecided_by: [],
    steps: 1,
    ...fields,
  });
  const by = (...indexes: number[]) =>
    indexes.map((statement_index) => ({ statement_index })) as AccessAnswer["violations"];
  const because = [{ text: "A variable." }] as AccessAnswer["undecided_by"];

  test.each<[string, Partial<AccessAnswer>]>([
    ["holds for every request", {}],
    ["violated", { verdict: "violated" }],
    ["violated by statement 3", { verdict: "violated", violations: by(2) }],
    ["violated by statements 1, 3", { verdict: "violated", violations: by(0, 2) }],
    ["undecided: A variable.", { verdict: "undecided", undecided_by: because }],
    ["undecided: no reason is known.", { verdict: "undecided" }],
  ])("%s", (words, fields) => {
    expect(verdictOf(answer(fields))).toBe(words);
  });

  test("without its violations is violated all the same", () => {
    const { violations: _, ...rest } = answer({ verdict: "violated" });
    expect(verdictOf(rest as AccessAnswer)).toBe("violated");
  });

  test("is to the question of its check, or of an entry of it", () => {
    expect(questionOf(answer({}))).toBe("no_public_access");
    expect(questionOf(answer({ question_id: "ops" }))).toBe("no_public_access ops");
  });
});

describe("findings that were left out", () => {
  const suppression = (fields: Partial<Suppression> = {}): Suppression => ({
    kind: "exception",
    reason: "Reviewed.",
    owner: null,
    expires: null,
    ...fields,
  });
  const list = (...kinds: Suppression["kind"][]) =>
    kinds.map((kind) => ({ suppression: suppression({ kind }) }));

  test.each([
    [list(), undefined],
    [list("exception"), "1 finding left out: 1 by exceptions."],
    [list("baseline", "baseline"), "2 findings left out: 2 by the baseline."],
    [
      list("exception", "baseline", "exception"),
      "3 findings left out: 2 by exceptions, 1 by the baseline.",
    ],
  ])("are counted: %#", (suppressed, words) => {
    expect(suppressedInWords(suppressed)).toBe(words);
  });

  test.each<[Partial<Suppression>, string]>([
    [{ kind: "baseline", reason: null }, "Known in the baseline."],
    [{}, "Reviewed."],
    [{ owner: "ops" }, "Reviewed. (ops)"],
    [{ expires: "2027-01-31" }, "Reviewed. (until 2027-01-31)"],
    [{ owner: "ops", expires: "2027-01-31" }, "Reviewed. (ops, until 2027-01-31)"],
  ])("have a reason: %j", (fields, words) => {
    expect(reasonInWords(suppression(fields))).toBe(words);
  });

  test("are those of all policies", () => {
    const one = { finding: findingWith(), suppression: suppression(), exception: null };
    const policy = policyWith([]);
    const policies = [{ ...policy, result: { ...policy.result, suppressed: [one] } }, policy];
    expect(suppressedIn({ policies })).toEqual([one]);
  });
});

describe("counts", () => {
  const policies = [
    policyWith([findingWith({ severity: "low" }), findingWith({ severity: "error" })]),
    policyWith([findingWith({ severity: "medium" }), findingWith({ severity: "low" })]),
    policyWith([]),
  ];
  const input = reportInput(policies);

  test("of severities are in the order of severity", () => {
    const findings = policies.flatMap(({ result }) => result.findings);
    expect(countsOf(findings)).toEqual([
      ["error", 1],
      ["medium", 1],
      ["low", 2],
    ]);
    expect(countsInWords(findings)).toBe("4 findings: 1 error, 1 medium, 2 low");
    expect(countsInWords(findings.slice(0, 1))).toBe("1 finding: 1 low");
    expect(countsInWords([])).toBe("No findings");
  });

  test("of a report, with those left out where there are any", () => {
    const left = (kind: Suppression["kind"]) => ({
      finding: findingWith(),
      suppression: { kind, reason: null, owner: null, expires: null },
      exception: null,
    });
    const with_ = (...kinds: Suppression["kind"][]) => {
      const policy = policyWith([]);
      const result = { ...policy.result, suppressed: kinds.map(left) };
      return totalsOf(reportInput([{ ...policy, result }])).slice(12);
    };
    expect(totalsOf(input)).toEqual([
      ["Policies", 3],
      ["Policies that fail", 1],
      ["Policies with errors", 1],
      ["Policies with findings", 2],
      ["Issues", 4],
      ["Severity error", 1],
      ["Severity critical", 0],
      ["Severity high", 0],
      ["Severity warning", 0],
      ["Severity medium", 1],
      ["Severity low", 2],
      ["Severity info", 0],
    ]);
    expect(with_("exception", "baseline", "baseline")).toEqual([
      ["Left out by exceptions", 1],
      ["Left out by the baseline", 2],
    ]);
    expect(with_("exception")).toEqual([["Left out by exceptions", 1]]);
    expect(with_("baseline")).toEqual([["Left out by the baseline", 1]]);
  });

  test.each([
    [input, "3 policies, 1 failing. 4 findings: 1 error, 1 medium, 2 low."],
    [reportInput([policyWith([])]), "1 policy, none fails. No findings."],
    [reportInput([]), "No policies found."],
    [
      reportInput([], { gone: 1, skipped: 1 }),
      "No policies found. 1 file skipped: not policies (--list-files).",
    ],
    [
      reportInput([policyWith([])], { gone: 2, skipped: 3 }),
      "1 policy, none fails. No findings. 2 findings of the baseline gone. 3 files skipped: not policies (--list-files).",
    ],
  ])("are the verdict on a report: %#", (report, line) => {
    expect(verdictLine(report)).toBe(line);
  });

  test("have a plural", () => {
    expect([0, 1, 2].map((count) => plural(count, "file"))).toEqual([
      "0 files",
      "1 file",
      "2 files",
    ]);
    expect(plural(2, "policy", "policies")).toBe("2 policies");
  });
});

describe("the place of a finding", () => {
  const at = { line: 4, column: 13, offset: 50 };
  const location = { start: at, end: at };

  test("is counted from 1, and the first line where there is no text", () => {
    expect(placeOf({ location })).toBe("line 4, column 14");
    expect(placeOf({ location: null })).toBeUndefined();
    expect(startOf(findingWith({ location }))).toEqual({ line: 4, column: 14 });
    expect(startOf(findingWith({ location: null }))).toEqual({ line: 1, column: 1 });
  });

  test("is in a file, under the paths that are known", () => {
    const policy = policyWith([], { file: "a.yaml" });
    const source = { path: "x/a.yaml", repositoryPath: "r/x/a.yaml", uri: "r/x/a.yaml" };
    expect([pathOf(policy), repositoryPathOf(policy)]).toEqual(["a.yaml", "a.yaml"]);
    const known = { ...policy, source };
    expect([pathOf(known), repositoryPathOf(known)]).toEqual(["x/a.yaml", "r/x/a.yaml"]);
    expect(titleOf(policy)).toBe("a.yaml");
    expect(titleOf({ ...policy, place: "Resources.A" })).toBe("a.yaml (Resources.A)");
  });

  test("is the beginning of a line that has all of the message", () => {
    const finding = findingWith({ location, message: "One.  \r\n  Two\u0007." });
    expect(conciseLine(policyWith([finding], { file: "a.json" }), finding)).toBe(
      "a.json:4:14: high service_wildcard: One. Two\\u0007.",
    );
  });
});

test("the note of a fix has its effect and what to fill in", () => {
  const fix = { title: "t", effect: "changes", patch: [], needs_input: [] } as const;
  const needs_input = ["<a>", "<b>"].map((placeholder) => ({
    placeholder,
    meaning: "m",
    example: "e",
  }));
  expect(fixNote({ ...fix, patch: [], needs_input: [] })).toBe("changes");
  expect(fixNote({ ...fix, patch: [], needs_input })).toBe("changes; fill in <a>, <b>");
  expect(fixNote({ ...fix, patch: [], needs_input }, (one) => `[${one}]`)).toBe(
    "changes; fill in [<a>], [<b>]",
  );
});
