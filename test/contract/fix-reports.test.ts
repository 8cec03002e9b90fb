import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { command, folderWith } from "../support/local.ts";

const Region = z.looseObject({
  startLine: z.number(),
  startColumn: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
});
const Sarif = z.looseObject({
  runs: z.tuple([
    z.looseObject({
      results: z.array(
        z.looseObject({
          fixes: z
            .array(
              z.looseObject({
                artifactChanges: z.array(
                  z.looseObject({
                    replacements: z.array(
                      z.looseObject({
                        deletedRegion: Region,
                        insertedContent: z.looseObject({ text: z.string() }),
                      }),
                    ),
                  }),
                ),
              }),
            )
            .default([]),
        }),
      ),
    }),
  ]),
});
const Place = z.strictObject({ line: z.number(), column: z.number() });
const Diagnostics = z.looseObject({
  diagnostics: z.array(
    z.looseObject({
      suggestions: z
        .array(
          z.strictObject({
            range: z.strictObject({ start: Place, end: Place }),
            text: z.string(),
          }),
        )
        .default([]),
    }),
  ),
});

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Offset of a line and column, both counted from 1, in bytes or UTF-16 code units. */
function offsetIn(text: string, line: number, column: number, unit: "byte" | "utf16"): number {
  const before = text.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, 0);
  if (unit === "utf16") return start + column - 1;
  const [rest = ""] = text.slice(start).split("\n");
  return (
    start +
    Buffer.from(rest)
      .subarray(0, column - 1)
      .toString().length
  );
}

const editsOf = {
  sarif(report: string, text: string): Edit[] {
    const [{ results }] = Sarif.parse(JSON.parse(report)).runs;
    const replacements = results.flatMap(({ fixes }) =>
      fixes.flatMap(({ artifactChanges }) => artifactChanges.flatMap((one) => one.replacements)),
    );
    return replacements.map(({ deletedRegion: at, insertedContent }) => ({
      start: offsetIn(text, at.startLine, at.startColumn, "utf16"),
      end: offsetIn(text, at.endLine, at.endColumn, "utf16"),
      text: insertedContent.text,
    }));
  },
  rdjson(report: string, text: string): Edit[] {
    const { diagnostics } = Diagnostics.parse(JSON.parse(report));
    const suggestions = diagnostics.flatMap((one) => one.suggestions);
    return suggestions.map(({ range: { start, end }, text: replacement }) => ({
      start: offsetIn(text, start.line, start.column, "byte"),
      end: offsetIn(text, end.line, end.column, "byte"),
      text: replacement,
    }));
  },
};

/** In each the fixes touch different places, and a letter of two bytes is before one of them. */
const files = {
  "policy.json": `{
  "Version": "2012-10-17",
  "Id": "Überblick \`\`\`<b>&lt;", "Statement": [
    { "Sid": "", "Effect": "allow", "Action": ["sqs:SendMesage"], "Resource": "*" }
  ]
}
`,
  "template.yaml": `Resources:
  Policy:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: 2012-10-17
        Statement:
          - {Effect: allow, Action: [sqs:SendMesage, 'sqs:ReceiveMesage'], Resource: !Sub 'arn:aws:sqs:*:*:Ü-\${X}'}
`,
  "main.tf": `resource "aws_iam_policy" "jobs" {
  policy = jsonencode({
    Version = "2012-10-17"
    /* für alle */ Statement = [{ Effect = "allow", Action = "sqs:SendMesage", Resource = "*" }]
  })
}
`,
};

describe.each(Object.entries(files))("the fixes that reports have of %s", (name, text) => {
  test.each(["sarif", "rdjson"] as const)("give in %s the text of --fix", async (format) => {
    const { folder, remove } = await folderWith({ [name]: text });
    try {
      const report = await command(["validate", "--format", format, name], { cwd: folder });
      const edits = editsOf[format](report.stdout, text).sort((a, b) => b.start - a.start);
      expect(edits.length).toBeGreaterThan(1);
      const applied = edits.reduce(
        (all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end),
        text,
      );
      await command(["validate", "--fix", name], { cwd: folder });
      expect(applied).toBe(await readFile(join(folder, name), "utf8"));
      expect(applied).not.toBe(text);
    } finally {
      await remove();
    }
  });
});

/** A block of the report that a reader applies by hand. */
interface Block {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const diffIn = (lines: readonly string[]): Block => ({
  removed: lines.filter((line) => line.startsWith("-")).map((line) => line.slice(1)),
  added: lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1)),
});

const characters: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

const blocksOf = {
  markdown: (report: string): Block[] =>
    Array.from(report.matchAll(/^ {2}(`{3,})diff\n(.*?)^ {2}\1$/gms), ([, , block = ""]) =>
      diffIn(
        block
          .trimEnd()
          .split("\n")
          .map((line) => line.slice(2)),
      ),
    ),
  html: (report: string): Block[] =>
    Array.from(
      report.matchAll(/<strong>Fix\.<\/strong>[^<]*<\/p><pre><code>(.*?)<\/code>/gs),
      ([, block = ""]) =>
        diffIn(block.replaceAll(/&\w+;|&#39;/g, (name) => characters[name] ?? name).split("\n")),
    ),
  text: (report: string): Block[] =>
    Array.from(report.matchAll(/^ +Fix: .*\n((?: {6}[-+].*\n)+)/gm), ([, block = ""]) =>
      diffIn(
        block
          .trimEnd()
          .split("\n")
          .map((line) => line.slice(6)),
      ),
    ),
};

describe.each(Object.entries(files))("the diffs that reports show of %s", (name, text) => {
  test.each(["markdown", "html", "text"] as const)(
    "are in %s the edits of rdjson",
    async (format) => {
      const { folder, remove } = await folderWith({ [name]: text });
      try {
        const reportIn = async (one: string) =>
          (await command(["validate", "--format", one, name], { cwd: folder })).stdout;
        const expected = editsOf
          .rdjson(await reportIn("rdjson"), text)
          .map(({ start, end, text: added }) => text.slice(0, start) + added + text.slice(end));
        const applied = blocksOf[format](await reportIn(format)).map(({ removed, added }) => {
          const whole = (lines: readonly string[]) => `\n${lines.join("\n")}\n`;
          // The lines that the reader looks for must be there once.
          expect(text.split(whole(removed))).toHaveLength(2);
          return text.replace(whole(removed), () => whole(added));
        });
        expect(applied.length).toBeGreaterThan(1);
        expect(applied).toEqual(expected);
      } finally {
        await remove();
      }
    },
  );
});
