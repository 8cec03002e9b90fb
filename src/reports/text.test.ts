import { describe, expect, test } from "vitest";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderText } from "./text.ts";

const text = '{\n\t"Sid": "日本 e\u0301", "Action": "iam:*"\n}';
const input = reportInput([
  policyWith(
    [
      findingWith({ severity: "low", path: "", suggestion: null }),
      findingWith({ location: locationOf(text, '"iam:*"'), example: '{\n  "a": 1\n}' }),
    ],
    { file: "a.json", text },
  ),
  policyWith([], { file: "b.json" }),
]);

describe("the report for a terminal", () => {
  test("shows findings by policy, in the order given, with carets under what is meant", () => {
    expect(renderText(input, { color: false })).toBe(`a.json fails IDENTITY_POLICY (default)

  low whole document service_wildcard overly_permissive
  \`iam:*\` grants every action of iam.

  high 2:28 service_wildcard overly_permissive
  \`iam:*\` grants every action of iam.
    1 | {
    2 |   "Sid": "日本 e\u0301", "Action": "iam:*"
      |                              ^^^^^^^
    3 | }
  Suggestion: List the actions that are used.
      {
        "a": 1
      }

b.json passes IDENTITY_POLICY (default)

2 policies, 1 failing. 2 findings: 1 high, 1 low.
`);
  });

  test("shows a suggestion that is a list with one thing to do a line", () => {
    const suggestion = "Add one of these:\n- `aws:SourceVpc`: limits the network\n- `aws:SourceIp`";
    const report = renderText(reportInput([policyWith([findingWith({ suggestion })])]), {
      color: false,
    });
    expect(report).toContain(
      "  Suggestion: Add one of these:\n    - `aws:SourceVpc`: limits the network\n    - `aws:SourceIp`\n",
    );
  });

  test("counts the files that a search skipped, and says when there was no policy", () => {
    const skipping = renderText({ ...input, skipped: 2 }, { color: false });
    expect(skipping).toMatch(/1 low\. 2 files skipped: not policies \(--list-files\)\.\n$/);
    const none = renderText(reportInput([], { skipped: 1 }), { color: false });
    expect(none).toBe("No policies found. 1 file skipped: not policies (--list-files).\n");
  });

  test("quiet, shows only policies with findings, and no verdict", () => {
    const quiet = renderText(input, { color: false, quiet: true });
    expect(quiet).not.toMatch(/b\.json|2 policies/);
    expect(quiet).toMatch(/^a\.json fails/);
    const clean = reportInput([policyWith([])]);
    expect(renderText(clean, { color: false, quiet: true })).toBe("");
  });

  test("colours by severity when asked to, and code takes the place of back-ticks", () => {
    const coloured = renderText(input, { color: true });
    expect(coloured).toContain("\u001b[1;31mhigh\u001b[0m 2:28");
    expect(coloured).toContain("\u001b[36mlow\u001b[0m whole document");
    expect(coloured).toContain("\u001b[1miam:*\u001b[0m grants");
    expect(coloured).toContain("\u001b[1;31m^^^^^^^\u001b[0m");
    expect(coloured).not.toContain("`");
  });

  test("names the node where a policy has no text", () => {
    const policies = [policyWith([findingWith()])];
    expect(renderText(reportInput(policies), { color: false })).toContain(
      "high /Statement/0/Action service_wildcard",
    );
  });
});
