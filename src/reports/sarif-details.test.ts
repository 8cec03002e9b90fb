import { expect, test } from "vitest";
import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Fix } from "../../spec/finding.ts";
import type { Suppression } from "../../spec/suppression.ts";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { escapeControls } from "./json-text.ts";
import { renderSarif } from "./sarif.ts";
import { sarifText, withoutPlaceholders } from "./sarif-text.ts";
import type { ReportPolicy, ReportRule } from "./types.ts";

const runOf = (policies: readonly ReportPolicy[], rules?: readonly ReportRule[]) =>
  JSON.parse(renderSarif(reportInput(policies, rules && { rules }))).runs[0];

test("findings that were left out come last, with the reason", () => {
  const left = (finding: Finding, suppression: Suppression) => ({
    finding,
    suppression,
    exception: null,
  });
  const none = { owner: null, expires: null };
  const policy = policyWith([findingWith({ severity: "low" })]);
  const suppressed = [
    left(findingWith(), { kind: "exception", reason: "See [a](b).", ...none }),
    left(findingWith(), { kind: "baseline", reason: null, ...none }),
    left(findingWith({ check_id: "other" }), {
      ...{ kind: "exception", reason: null, owner: "ops", expires: "2027-01-31" },
    }),
  ];
  const { results, tool } = runOf([{ ...policy, result: { ...policy.result, suppressed } }]);
  const about = { kind: "external", status: "accepted" };
  expect(results.map((one: { suppressions?: unknown }) => one.suppressions)).toEqual([
    undefined,
    [{ ...about, justification: "See \\[a\\](b)." }],
    [{ ...about, justification: "Known in the baseline." }],
    [{ ...about, justification: "", properties: { owner: "ops", expires: "2027-01-31" } }],
  ]);
  expect(results[3]).toMatchObject({ ruleId: "other", ruleIndex: 0 });
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
    "other",
    "service_wildcard",
  ]);
});

test("answers about access are properties of the run", () => {
  const answer: AccessAnswer = {
    ...{ check_id: "check_access", question_id: "q", verdict: "holds", violations: [] },
    ...{ undecided_by: [], steps: 1 },
  };
  const policy = policyWith([], { file: "a b.json" });
  const answered = { ...policy, result: { ...policy.result, answers: [answer] } };
  expect(runOf([policy, answered]).properties.answers).toEqual([
    { uri: "a%20b.json", check_id: "check_access", question_id: "q", verdict: "holds" },
  ]);
  const place = "Resources.Role";
  expect(runOf([{ ...answered, place }]).properties.answers).toMatchObject([{ place }]);
});

test("a fix is described with its effect and what to fill in", () => {
  const at = { line: 1, column: 0, offset: 0 };
  const described = (needs_input: Fix["needs_input"]) => {
    const fix: Fix = { title: "Add {0}", effect: "changes", needs_input, patch: [] };
    const finding = findingWith({ fix });
    const edit = { location: { start: at, end: at }, text: "x", removed: [], added: [] };
    const edits = new Map([[finding, { ...edit, isWholeLines: false }]]);
    return runOf([{ ...policyWith([finding]), edits }]).results[0].fixes[0].description.text;
  };
  const need = (placeholder: string) => ({ placeholder, meaning: "m", example: "e" });
  expect(described([])).toBe("Add {{0}} (changes)");
  expect(described([need("<a>"), need("<b>")])).toBe("Add {{0}} (changes); fill in <a>, <b>");
  expect(runOf([policyWith([findingWith()])]).results[0]).not.toHaveProperty("fixes");
});

test("a rule has the severity that applies, and a description of 1,024 characters at most", () => {
  const rule = (fields: Partial<ReportRule>): ReportRule => ({
    check_id: "service_wildcard",
    description: "Described.",
    docstring: null,
    default_severity: "critical",
    severity: "none",
    ...fields,
  });
  const ruleOf = (fields: Partial<ReportRule>, finding = findingWith()) =>
    runOf([policyWith([finding])], [rule(fields)]).tool.driver.rules[0];
  expect(ruleOf({}).properties).toMatchObject({
    severity: "critical",
    default_severity: "critical",
    "security-severity": "9.5",
  });
  expect(ruleOf({ severity: "high" }).properties).toMatchObject({ "security-severity": "8.0" });
  expect(ruleOf({ severity: "low" }).properties).toMatchObject({ "security-severity": "2.0" });
  expect(ruleOf({ severity: "info" }).properties).not.toHaveProperty("security-severity");
  const full = (docstring: string | null) => ruleOf({ docstring }).fullDescription.text;
  expect(full(null)).toBe("Described.");
  expect(full("  ")).toBe("Described.");
  expect(full("\n One\n  line.\n \nTwo.")).toBe("One line.");
  expect(full("x".repeat(1024))).toBe("x".repeat(1024));
  expect(full("x".repeat(1025))).toBe(`${"x".repeat(1023)}…`);
  const help = (docstring: string | null, fields: Partial<ReportRule> = {}) =>
    ruleOf({ docstring, ...fields }, findingWith({ documentation_url: null })).help.text;
  expect(help(" {0} ")).toBe("{{0}}");
  expect(help("  ")).toBe("Described.");
  expect(help(null, { description: "" })).toBe("service_wildcard");
});

test("a finding without a check has the rule of its issue type", () => {
  const { results, tool } = runOf([
    policyWith([findingWith({ check_id: "", issue_type: "a-b_c" })]),
  ]);
  expect(results[0].ruleId).toBe("a-b_c");
  expect(tool.driver.rules[0]).toMatchObject({ id: "a-b_c", name: "ABC" });
});

test("characters that act are escapes of JSON", () => {
  const acting = "\u0007\u007f\u200b\u2028\u2029\ufeff\u{e0041}";
  expect(escapeControls(acting)).toBe("\\u0007\\u007f\\u200b\\u2028\\u2029\\ufeff\\udb40\\udc41");
  expect(escapeControls("a\n é 🙂")).toBe("a\n é 🙂");
});

test.each([
  ["[a] (b)", "[a] (b)"],
  ["[a](b)", "\\[a\\](b)"],
  ["{10}", "{{10}}"],
  ["{} {a}", "{} {a}"],
])("a text %s is the message %s", (text, message) => {
  expect(sarifText(text)).toBe(message);
  expect(withoutPlaceholders(text)).toBe(text === "{10}" ? "{{10}}" : text);
});
