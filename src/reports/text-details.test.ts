import { expect, test } from "vitest";
import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Fix, Location } from "../../spec/finding.ts";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderText } from "./text.ts";
import type { FixEdit, ReportPolicy } from "./types.ts";

/** Colours as `{style:text}`. */
const coloured = (policies: readonly ReportPolicy[]) =>
  renderText(reportInput(policies), { color: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are meant.
    .replace(/\u001b\[0m/g, "}")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are meant.
    .replace(/\u001b\[([0-9;]+)m/g, (_, code: string) => `{${names[code]}:`);
const names: Readonly<Record<string, string>> = {
  "1": "bold",
  "2": "dim",
  "1;31": "red",
  "33": "yellow",
  "36": "cyan",
  "32": "green",
};
const plain = (policies: readonly ReportPolicy[]) =>
  renderText(reportInput(policies), { color: false });
const withResult = (more: Partial<ReportPolicy["result"]>, policy = policyWith([])) => ({
  ...policy,
  result: { ...policy.result, ...more },
});

test("each part of a report has its colour", () => {
  const text = '{\n  "Action": "iam:*"\n}';
  const finding = findingWith({
    severity: "error",
    location: locationOf(text, '"iam:*"'),
    suggestion: "Use:\n- `a`",
  });
  const warning = findingWith({ severity: "warning", suggestion: null });
  const failing = { ...policyWith([finding, warning], { file: "a.yaml", text }), place: "Role" };
  expect(coloured([failing])).toBe(`{bold:a.yaml (Role)} {red:fails} {dim:IDENTITY_POLICY (default)}

  {red:error} 2:13 {dim:service_wildcard overly_permissive}
  {bold:iam:*} grants every action of iam.
  {dim:  1 |} {
  {dim:  2 |}   "Action": {red:"iam:*"}
  {dim:    |}             {red:^^^^^^^}
  {dim:  3 |} }
  {bold:Suggestion:} Use:
    - {bold:a}

  {yellow:warning} /Statement/0/Action {dim:service_wildcard overly_permissive}
  {bold:iam:*} grants every action of iam.

1 policy, {red:1 failing}. 2 findings: 1 error, 1 warning.
`);
  expect(coloured([policyWith([])])).toBe(
    "{bold:policy-0} {green:passes} {dim:IDENTITY_POLICY (default)}\n\n1 policy, {green:none fails}. No findings.\n",
  );
  expect(coloured([])).toBe("No policies found.\n");
});

test("answers about access come before the findings", () => {
  const answer = (verdict: AccessAnswer["verdict"], question_id: string): AccessAnswer => ({
    check_id: "check_access",
    question_id,
    verdict,
    violations: [],
    undecided_by: [],
    steps: 1,
  });
  const answers = [answer("holds", "a"), answer("violated", "b"), answer("undecided", "c")];
  expect(coloured([withResult({ answers })])).toContain(`(default)}

  check_access a: {green:holds for every request}
  check_access b: {red:violated}
  check_access c: {yellow:undecided: no reason is known.}

1 policy`);
  expect(plain([withResult({ answers: [] })])).not.toContain("\n\n\n");
});

test("findings that were left out come last, those of the baseline as a number", () => {
  const by = (kind: "exception" | "baseline", finding: Finding) => ({
    finding,
    suppression: { kind, reason: "Reviewed.\u0007", owner: null, expires: null },
    exception: null,
  });
  const suppressed = [
    by("baseline", findingWith()),
    by("exception", findingWith({ severity: "low", path: "" })),
  ];
  const policy = policyWith([findingWith({ suggestion: null })]);
  expect(coloured([withResult({ suppressed }, policy)])).toContain(`grants every action of iam.

  {dim:left out: low whole document service_wildcard: Reviewed.\\u0007}
  {dim:left out: 1 finding known in the baseline}

1 policy`);
  expect(plain([withResult({ suppressed: suppressed.slice(1) })])).not.toContain("baseline\n");
  expect(plain([withResult({ suppressed: [] })])).not.toContain("\n\n\n");
});

test("a fix is shown with the lines that change, in place of the example", () => {
  const at = { line: 1, column: 0, offset: 0 };
  const fix: Fix = { title: "Use\u0007 it", effect: "changes", needs_input: [], patch: [] };
  const edit: FixEdit = {
    location: { start: at, end: at },
    text: "",
    removed: ["same", "\told"],
    added: ["same", "\tnew"],
    isWholeLines: true,
  };
  const finding = findingWith({ fix, suggestion: null, example: "none" });
  const policy = { ...policyWith([finding]), edits: new Map([[finding, edit]]) };
  expect(coloured([policy])).toContain(`of iam.
  {bold:Fix:} Use\\u0007 it (changes)
  {red:    -  old}
  {green:    +  new}

1 policy`);
  const withoutEdit = plain([policyWith([finding])]);
  expect(withoutEdit).toContain("\n      none\n");
  expect(withoutEdit).not.toContain("Fix:");
});

const framed = (text: string, location: Location) =>
  plain([policyWith([findingWith({ location, suggestion: null })], { text })])
    .split("\n")
    .filter((line) => line.includes(" | ") || line.endsWith(" |"));

test("numbers of lines are aligned, and a long piece loses its middle", () => {
  const text = Array.from({ length: 12 }, (_, at) => (at === 8 ? "" : `line ${at + 1}`)).join("\n");
  expect(framed(text, locationOf(text, "line 10"))).toEqual([
    "     9 |",
    "    10 | line 10",
    "       | ^^^^^^^",
    "    11 | line 11",
  ]);
  expect(framed(text, locationOf(text, text))).toEqual([
    "    1 | line 1",
    "      | ^^^^^^",
    "    2 | line 2",
    "      | ^^^^^^",
    "    3 | line 3",
    "      | ^^^^^^",
    "    4 | line 4",
    "      | ^^^^^^",
    "    5 | line 5",
    "      | ^^^^^^",
    "    6 | line 6",
    "      | ^^^^^^",
    "      | …",
  ]);
});

test("a policy that passes with findings is shown even if quiet; one that fails without any, too", () => {
  const low = policyWith([findingWith({ severity: "low" })], { file: "low.json" });
  const failing = withResult({ fails_policy: true }, policyWith([], { file: "failing.json" }));
  const report = renderText(reportInput([low, policyWith([]), failing]), {
    color: false,
    quiet: true,
  });
  expect(report).toMatch(/^low\.json passes/);
  expect(report).toContain("\n\nfailing.json fails IDENTITY_POLICY (default)\n");
  expect(report).not.toContain("policy-0");
});
