import { describe, expect, test } from "vitest";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderMarkdown } from "./markdown.ts";
import { codeBlock, codeSpan, inlineMarkdown } from "./markdown-text.ts";

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
