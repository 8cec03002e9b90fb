import { describe, expect, test } from "vitest";
import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Fix } from "../../spec/finding.ts";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderMarkdown } from "./markdown.ts";
import { codeBlock, codeSpan, inlineMarkdown } from "./markdown-text.ts";
import type { ReportPolicy } from "./types.ts";

const text = '{\n  "Action": "iam:*"\n}';

describe("the Markdown report", () => {
  test("counts, then shows the findings of each policy, in the order given", () => {
    const low = findingWith({
      severity: "low",
      statement_index: -1,
      statement_sid: null,
      path: "",
      suggestion: null,
    });
    const high = findingWith({
      location: locationOf(text, '"iam:*"'),
      example: '{\n  "Action": "iam:GetUser"\n}',
    });
    const input = reportInput([policyWith([high, low], { file: "a.json", text }), policyWith([])]);
    expect(renderMarkdown(input)).toBe(`# IAM policy validation report

Made 2026-02-03T04:05:06.789Z by validator-mcp \`1.2.3\`, AWS reference data of \`2026-01-31\`, config \`${"ab".repeat(32)}\`.

## Summary

| | Count |
| --- | ---: |
| Policies | 2 |
| Policies that fail | 1 |
| Policies with errors | 1 |
| Policies with findings | 1 |
| Issues | 2 |
| Severity error | 0 |
| Severity critical | 0 |
| Severity high | 1 |
| Severity warning | 0 |
| Severity medium | 0 |
| Severity low | 1 |
| Severity info | 0 |

## Findings

### 1. \`a.json\` fails

IDENTITY_POLICY (default). 2 findings: 1 high, 1 low.

- **high** \`service_wildcard\` \`overly_permissive\`, line 2, column 13, statement 1 (\`Admin\`), \`/Statement/0/Action\`

  \`iam:*\` grants every action of iam.

  Suggestion: List the actions that are used.

  Example:

  \`\`\`json
  {
    "Action": "iam:GetUser"
  }
  \`\`\`

- **low** \`service_wildcard\` \`overly_permissive\`, whole document

  \`iam:*\` grants every action of iam.

### 2. \`policy-0\` passes

IDENTITY_POLICY (default). No findings.
`);
  });
});

describe("a policy in the Markdown report", () => {
  const sectionOf = (policy: ReportPolicy) =>
    renderMarkdown(reportInput([policy])).split("## Findings\n\n")[1];

  test("has the answers about access first, and what was left out last", () => {
    const answer = (verdict: AccessAnswer["verdict"], question_id: string | null) => ({
      ...{ check_id: "check_access", question_id, verdict, violations: [] },
      ...{ undecided_by: [], steps: 1 },
    });
    const by = (kind: "exception" | "baseline", finding: Finding) => ({
      finding,
      suppression: { kind, reason: "Seen by @ops", owner: null, expires: null },
      exception: null,
    });
    const policy = policyWith([findingWith({ suggestion: null, path: "", severity: "low" })]);
    const answers = [answer("holds", null), answer("violated", "a`b")];
    const suppressed = [
      by("exception", findingWith()),
      by("baseline", findingWith({ statement_index: 1, statement_sid: null })),
    ];
    expect(sectionOf({ ...policy, result: { ...policy.result, answers, suppressed } })).toBe(
      `### 1. \`policy-0\` passes

IDENTITY_POLICY (default). 1 finding: 1 low.

- \`check_access\`: holds for every request
- \`\`check_access a\`b\`\`: violated

- **low** \`service_wildcard\` \`overly_permissive\`, statement 1 (\`Admin\`)

  \`iam:*\` grants every action of iam.

2 findings left out: 1 by exceptions, 1 by the baseline.

- **high** \`service_wildcard\`, statement 1 (\`Admin\`), \`/Statement/0/Action\`: \`Seen by @ops\`
- **high** \`service_wildcard\`, statement 2, \`/Statement/0/Action\`: \`Known in the baseline.\`
`,
    );
    const none = { ...policy, result: { ...policy.result, answers: [], suppressed: [] } };
    expect(sectionOf(none)).toBe(sectionOf(policy));
  });

  test("has the edit of a fix in place of the example", () => {
    const at = { line: 1, column: 0, offset: 0 };
    const needs_input = [{ placeholder: "<`id`>", meaning: "m", example: "e" }];
    const fix: Fix = { title: "Do *it*", effect: "changes", needs_input, patch: [] };
    const edit = { location: { start: at, end: at }, text: "", removed: ["a"], added: ["b", "c"] };
    const finding = findingWith({ fix, example: "none", suggestion: null });
    const sectionWith = (isWholeLines: boolean) =>
      sectionOf({
        ...policyWith([finding]),
        place: "Role",
        edits: new Map([[finding, { ...edit, isWholeLines }]]),
      })?.replace(/^[\s\S]*(?= {2}Fix)/, "");
    const about = "  Fix: Do \\*it\\* (changes; fill in ``<`id`>``)\n\n";
    expect(sectionWith(false)).toBe(`${about}  \`\`\`diff\n  -a\n  +b\n  +c\n  \`\`\`\n`);
    expect(sectionWith(true)).toBe(`${about}  \`\`\`suggestion\n  b\n  c\n  \`\`\`\n`);
    expect(sectionOf({ ...policyWith([finding]), place: "Role" })).toMatch(
      /^### 1\. `policy-0 \(Role\)` fails\n[\s\S]*Example:\n\n {2}```\n {2}none\n {2}```\n$/,
    );
  });

  test("is validated without reference data", () => {
    expect(renderMarkdown(reportInput([], { dataDate: null }))).toContain(
      `validator-mcp \`1.2.3\`, config \`${"ab".repeat(32)}\`.\n`,
    );
  });
});

describe("a message as Markdown", () => {
  test.each([
    ["`a` is *not* _it_", "`a` is \\*not\\* \\_it\\_"],
    ["snake_case stays", "snake_case stays"],
    ["[click](https://x.example)", "`[click](https://x.example)`"],
    ["[click](/x)", "\\[click\\](/x)"],
    ["see www.x.example, @team and #12", "see `www.x.example,` `@team` and `#12`"],
    ["`a`@team", "`a` `@team`"],
    ["<img src=x> &lt; | ~~x~~ $x$", "\\<img src=x\\> \\&lt; \\| \\~\\~x\\~\\~ \\$x\\$"],
    ["# no heading", "\\# no heading"],
    ["1. no item", "1\\. no item"],
    ["- no item", "\\- no item"],
    ["===", "\\==="],
    ["a\n\n# b", "a  # b"],
    ["  `a` ", "`a`"],
    ["+ no item", "\\+ no item"],
    ["12) no item", "12\\) no item"],
    ["1234567890. no item", "1234567890. no item"],
    ["a # b - c 1. d", "a # b - c 1. d"],
    ["WWW.x.example ftp://x", "`WWW.x.example` `ftp://x`"],
    ["no#1 but # 1", "`no#1` but # 1"],
    ["_a b_ a_b _", "\\_a b\\_ a_b \\_"],
    ["a\\b &#1; &amp; & &;", "a\\\\b `&#1;` \\&amp; & &;"],
    ["`a` `b`", "`a` `b`"],
    ["`a\n\n# b`", "`a\\n\\n# b`"],
    ["`` a`b ``", "``a`b``"],
    ["an odd ` tick", "an odd \\` tick"],
    ["\u001b[0m\u202e", "\\\\u001b\\[0m\\\\u202e"],
  ])("%j", (message, expected) => {
    expect(inlineMarkdown(message)).toBe(expected);
  });

  test.each([
    ["", '`""`'],
    [" ", '`" "`'],
    ["a", "`a`"],
    ["`", "`` ` ``"],
    ["a``b`", "``` a``b` ```"],
    [" a", "`  a `"],
    ["a\nb", "`a\\nb`"],
  ])("a value %j is one code span", (value, expected) => {
    expect(codeSpan(value)).toBe(expected);
  });

  test.each([
    ['{"a": 1}', "```json"],
    [' \n["a"]', "```json"],
    ['"a"', "```json"],
    ["a: {}", "```"],
    ["``", "```"],
    ["```", "````"],
  ])("a block of %j begins with %s", (value, fence) => {
    expect(codeBlock(value)[0]).toBe(fence);
    expect(codeBlock(value).at(-1)).toBe(fence.replace("json", ""));
    expect(codeBlock(value, "diff")[0]).toBe(`${fence.replace("json", "")}diff`);
  });

  test("a block's fence is longer than any inside", () => {
    expect(codeBlock("a\n````\r\n\tb\u001b")).toEqual([
      "`````",
      "a",
      "````",
      "  b\\u001b",
      "`````",
    ]);
  });

  test("a message of very many pieces takes one pass", () => {
    const message = "`a` [".repeat(200_000);
    expect(inlineMarkdown(message)).toHaveLength(message.length + 200_000);
  });
});
