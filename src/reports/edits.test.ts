import { describe, expect, test } from "vitest";
import type { Fix } from "../../spec/finding.ts";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { diffLines, withEdits } from "./edits.ts";
import { renderReport } from "./formats.ts";
import { renderText } from "./text.ts";
import type { ReportPolicy } from "./types.ts";

const text = `{
  "Statement": [
    { "Effect": "allow",
      "Action": "<a & \`b\`>" }
  ]
}
`;
const fix: Fix = {
  title: "Use the spelling that AWS reads",
  effect: "repairs",
  needs_input: [],
  patch: [
    { op: "test", path: "/Statement/0/Effect", value: "allow" },
    { op: "replace", path: "/Statement/0/Effect", value: "Allow" },
  ],
};
const withResource: Fix = {
  title: "Add an id",
  effect: "equivalent",
  needs_input: [{ placeholder: "<id>", meaning: "Id.", example: "Read" }],
  patch: [
    { op: "test", path: "/Statement/0/Effect", value: "allow" },
    { op: "add", path: "/Statement/0/Resource", value: "<id>" },
  ],
};

const inputOf = (one: Fix, more: Partial<ReportPolicy> = {}) => {
  const policy = policyWith([findingWith({ fix: one, example: "no example" })], { text });
  return reportInput([{ ...policy, ...more }]);
};

async function editOf(one: Fix, more: Partial<ReportPolicy> = {}) {
  const { policies } = await withEdits(inputOf(one, more));
  return [...(policies[0]?.edits?.values() ?? [])][0];
}

describe("the diff of a fix", () => {
  const at = { line: 1, column: 1, offset: 0 };
  const edit = { location: { start: at, end: at }, text: "", isWholeLines: false };

  test("leaves out the lines around that stay", () => {
    const added = ["  - one", "  - two", "Condition:"];
    expect(diffLines({ ...edit, removed: ["  - one", "Condition:"], added })).toEqual(["+  - two"]);
    expect(diffLines({ ...edit, removed: added, added: ["Condition:"] })).toEqual([
      "-  - one",
      "-  - two",
    ]);
  });

  test("shows of a long line what changes and some of what is around it", () => {
    const line = (middle: string) => `${"a".repeat(300)}${middle}${"b".repeat(300)}`;
    const around = (middle: string) => `…${"a".repeat(40)}${middle}${"b".repeat(40)}…`;
    expect(diffLines({ ...edit, removed: [line("1")], added: [line("22")] })).toEqual([
      `-${around("1")}`,
      `+${around("22")}`,
    ]);
    const [shown] = diffLines({ ...edit, removed: [line("1")], added: [] });
    expect(shown).toBe(`-${"a".repeat(160)}…`);
  });

  test("leaves out no line twice that comes again", () => {
    expect(diffLines({ ...edit, removed: ["a"], added: ["a", "a"] })).toEqual(["+a"]);
    expect(diffLines({ ...edit, removed: ["a", "b", "a"], added: ["a"] })).toEqual(["-b", "-a"]);
  });

  test.each([
    [160, "x".repeat(160)],
    [161, `${"x".repeat(160)}…`],
  ])("shows of a line of %i characters 160", (length, shown) => {
    expect(diffLines({ ...edit, removed: ["x".repeat(length)], added: [] })).toEqual([`-${shown}`]);
  });

  test("shows a change at the beginning and at the end of a long line", () => {
    const long = "y".repeat(300);
    expect(diffLines({ ...edit, removed: [`1${long}`], added: [`2${long}`] })[0]).toBe(
      `-1${"y".repeat(40)}…`,
    );
    expect(diffLines({ ...edit, removed: [`${long}1`], added: [`${long}2`] })[1]).toBe(
      `+…${"y".repeat(40)}2`,
    );
    // Too long itself: its beginning.
    const change = "z".repeat(300);
    expect(diffLines({ ...edit, removed: [`${long}${change}`], added: [long] })).toEqual([
      `-…${"y".repeat(40)}${"z".repeat(120)}…`,
      `+…${"y".repeat(40)}`,
    ]);
  });

  test("has ten lines at most", () => {
    const ten = Array.from({ length: 10 }, (_, index) => `line ${index}`);
    expect(diffLines({ ...edit, removed: ten, added: [] })).toEqual(ten.map((line) => `-${line}`));

    const removed = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const lines = diffLines({ ...edit, removed, added: [] });
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("…");
  });
});

describe("the edit of a fix", () => {
  test("is the smallest piece of the text that changes, and its lines", async () => {
    expect(await editOf(fix)).toEqual({
      location: {
        start: { line: 3, column: 17, offset: 36 },
        end: { line: 3, column: 18, offset: 37 },
      },
      text: "A",
      removed: ['    { "Effect": "allow",'],
      added: ['    { "Effect": "Allow",'],
      isWholeLines: false,
    });
  });

  test("that adds lines behind the last one changes no whole line", async () => {
    const yaml = "Statement:\n  - Effect: allow\n";
    const edit = await editOf(withResource, { text: yaml });
    expect(edit).toMatchObject({ text: "    Resource: <id>\n", isWholeLines: false });
  });

  test("is placed in the file for one of several documents", async () => {
    const prefix = "# first\n---\n";
    const file = prefix + text;
    const edit = await editOf(fix, { text: file, part: { text, offset: prefix.length } });
    expect(edit?.location.start).toEqual({ line: 5, column: 17, offset: 36 + prefix.length });
  });

  test.each([
    ["abc\ndef", "xyz\ndef", ["abc"], ["xyz"], true],
    ["abcd", "xyzd", ["abcd"], ["xyzd"], false],
    ["abc", "axc", ["abc"], ["axc"], false],
    ["abc", "xyz\nabc", ["abc"], ["xyz", "abc"], false],
    ["abc\r\n2", "xyz\r\n2", ["abc"], ["xyz"], true],
    ["aba", "abaaba", ["aba"], ["abaaba"], false],
  ])(
    "of the text %j to %j changes whole lines or not",
    async (before, value, removed, added, isWholeLines) => {
      // A text that does not parse is itself what is edited.
      const patch = [{ op: "replace" as const, path: "", value: `[\n${value}` }];
      const edit = await editOf({ ...fix, patch }, { text: `[\n${before}` });
      expect(edit).toMatchObject({ removed, added, isWholeLines });
    },
  );

  test("is absent where the text stays as it is", async () => {
    const patch = [{ op: "replace" as const, path: "", value: "[abc" }];
    expect(await editOf({ ...fix, patch }, { text: "[abc" })).toBeUndefined();
  });

  test("is that of a template where the policy is a place of it", async () => {
    const statement = "Statement: [{Effect: allow, Resource: !Ref Logs}]";
    const template = `Resources:\n  ${statement}\n`;
    const patch = fix.patch.map((one) => ({
      ...one,
      path: `/Resources${one.path}`,
    })) as Fix["patch"];
    // What a function is in YAML, only a template says.
    const path = "/Resources/Statement/0/Resource";
    patch.unshift({ op: "test", path, value: { Ref: "Logs" } });
    const edit = await editOf({ ...fix, patch }, { text: template, place: "Resources" });
    expect(edit).toMatchObject({ text: "A", removed: [`  ${statement}`] });
    expect(await editOf({ ...fix, patch }, { text: template })).toBeUndefined();
  });

  test("is made for 500 findings of a report, whatever comes between", async () => {
    const many = policyWith(
      Array.from({ length: 300 }, () => findingWith({ fix })),
      { text },
    );
    const bare = policyWith([findingWith()], { text });
    const without = policyWith([findingWith({ fix })]);
    const { policies } = await withEdits(reportInput([many, without, bare, many]));
    expect(policies.map(({ edits }) => edits?.size)).toEqual([300, undefined, 0, 200]);
    expect(policies[1]).toBe(without);
  });

  test("is made for a text of 65,536 characters", async () => {
    expect(await editOf(fix, { text: text.padEnd(65_536) })).toBeDefined();
  });

  test("is absent for a policy without text, for a long one, and for a template", async () => {
    const template = `{ "Resources": ${text} }`;
    expect(await editOf(fix, { text: template })).toBeUndefined();
    expect(await editOf(fix, { text: null })).toBeUndefined();
    expect(await editOf(fix, { text: text + " ".repeat(65_536) })).toBeUndefined();
  });
});

describe("a report shows the fix", () => {
  test("as text: a diff in place of the example", async () => {
    const report = renderText(await withEdits(inputOf(withResource)), { color: false });
    expect(report).toContain(`  Fix: Add an id (equivalent; fill in <id>)
      -      "Action": "<a & \`b\`>" }
      +      "Action": "<a & \`b\`>",
      +      "Resource": "<id>" }`);
    expect(report).not.toContain("no example");
  });

  test("as Markdown and HTML: a diff whose texts are not markup", async () => {
    const markdown = await renderReport("markdown", inputOf(withResource));
    expect(markdown).toContain('  ```diff\n  -      "Action": "<a & `b`>" }\n');
    const html = await renderReport("html", inputOf(withResource));
    expect(html).toContain("&lt;a &amp; `b`&gt;");
    expect(html).not.toContain("<id>");
  });

  test("as a suggestion block where whole lines change", async () => {
    const edit = await editOf(fix);
    if (!edit) throw new Error("no edit");
    const input = await withEdits(inputOf(fix));
    const [policy] = input.policies;
    const [finding] = policy?.result.findings ?? [];
    if (!policy || !finding) throw new Error("no finding");
    const { renderMarkdown } = await import("./markdown.ts");
    const edits = new Map([[finding, { ...edit, isWholeLines: true }]]);
    const report = renderMarkdown({ ...input, policies: [{ ...policy, edits }] });
    expect(report).toContain('  ```suggestion\n      { "Effect": "Allow",\n  ```');
  });

  test("as a replacement of SARIF, with the region from 1", async () => {
    const log = JSON.parse(await renderReport("sarif", inputOf(fix)));
    expect(log.runs[0].results[0].fixes).toEqual([
      {
        description: { text: "Use the spelling that AWS reads (repairs)" },
        artifactChanges: [
          {
            artifactLocation: { uri: "policy-0", index: 0 },
            replacements: [
              {
                deletedRegion: { startLine: 3, startColumn: 18, endLine: 3, endColumn: 19 },
                insertedContent: { text: "A" },
              },
            ],
          },
        ],
      },
    ]);
  });

  test("in at most ten lines", async () => {
    const value = Array.from({ length: 30 }, (_, index) => `s3:Get${index}`);
    const long: Fix = {
      ...fix,
      patch: [
        { op: "test", path: "/Statement/0/Effect", value: "allow" },
        { op: "add", path: "/Statement/0/Resource", value },
      ],
    };
    const report = renderText(await withEdits(inputOf(long)), { color: false });
    expect(report.split("\n").filter((line) => /^ {6}[-+…]/.test(line))).toHaveLength(10);
  });
});
