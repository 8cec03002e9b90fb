import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReportFormatId } from "../../spec/report-formats.ts";
import { parseCsv } from "../../test/support/csv.ts";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { sarifErrors } from "../../test/support/sarif-schema.ts";
import { renderConcise } from "./concise.ts";
import { renderCsv } from "./csv.ts";
import { reportFormats } from "./formats.ts";
import { renderGithub } from "./github.ts";
import { renderGitlab } from "./gitlab.ts";
import { renderHtml } from "./html.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderRdjson } from "./rdjson.ts";
import { renderSarif } from "./sarif.ts";
import { renderText } from "./text.ts";
import type { ReportInput } from "./types.ts";

const canaries = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "</code></pre></article><h1>No findings</h1>",
  "&lt;b&gt; &#x3c;i&#x3e; &amp;",
  "<!-- hidden",
  "]]><![CDATA[",
  "`</code>` [click](javascript:alert(1)) `",
  "``` ` `` [click](https://evil.example) ```",
  "![x](https://evil.example/x.png)",
  "<https://evil.example> https://evil.example www.evil.example @admins #1",
  "\n\n# Forged heading\n\n- forged item\n",
  "\r\n| a | b |\r\n| --- | --- |\r\n",
  "\n```\n~~~\n````\n",
  "***bold*** __under__ ~~gone~~ $x$ ===",
  "[ref]: https://evil.example",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.example")',
  "+1\t-1\t@SUM(1)",
  "\t=1+1",
  "\r=1+1",
  'a","b\r\n=c',
  "\u001b[2J\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007",
  "\u009b31m\u0000\u0008\u007f",
  "\u202egnp.exe\u2066\u200b\ufeff\u2028\u2029\u{e0041}\u{e0100}\ufe0f\u3164",
  "\u{e0041}\u{e0042}",
  "\ud800 \udc00",
  "{0} {1} ${aws:username}",
  "../../../etc/passwd",
  "//evil.example/a?b#c",
  "__proto__",
  "",
];

/** A report whose every field that can come from a policy holds the text. */
function reportOf(hostile: string): ReportInput {
  const text = `${hostile}\n"Action": ${hostile}\n${hostile}`;
  const lines = text.split(/\r\n|\n|\r/);
  const last = lines.at(-1) ?? "";
  const location = {
    start: { line: 1, column: 0, offset: 0 },
    end: { line: lines.length, column: last.length, offset: text.length },
  };
  const fields = {
    statement_sid: hostile,
    path: `/Statement/0/${hostile}`,
    action: hostile,
    resource: hostile,
    condition_key: hostile,
    example: hostile,
  };
  const message = `Bad ${hostile} here.`;
  const suggestion = `Try ${hostile}.`;
  return reportInput([
    policyWith([findingWith({ ...fields, message, suggestion, location })], {
      file: hostile,
      text,
    }),
    policyWith([findingWith({ ...fields, message: hostile, suggestion: hostile })], {
      file: `${hostile}/${hostile}`,
    }),
  ]);
}

const benign = reportOf("benign");

/** Characters that act rather than show, other than line ends. */
const acting = /[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{DI}/u;

/** Tags without what stands between them and in quoted attributes; code spans and frames may differ. */
function skeletonOf(html: string): string[] {
  const body = html.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
  const varying = /<pre[ >][\s\S]*?<\/pre>|<\/?code>/g;
  return (body.replace(varying, "").match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/="[^"]*"/g, ""),
  );
}

/** What is left of Markdown with a letter for each escape and each code span, without code blocks. */
function activeMarkdown(markdown: string): string {
  const withoutBlocks = markdown.replace(/^( *)(`{3,})\w*\n[\s\S]*?\n\1\2$/gm, "");
  return withoutBlocks.replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "E");
}

/** What each format promises of hostile text. A format without an entry does not compile. */
const checks: Record<
  ReportFormatId | "text",
  readonly [promise: string, check: (input: ReportInput) => void]
> = {
  html: [
    "no tag, no attribute, no command",
    (input) => {
      const html = renderHtml(input);
      expect(skeletonOf(html)).toEqual(skeletonOf(renderHtml(benign)));
      for (const [frame] of html.matchAll(/<pre[ >][\s\S]*?<\/pre>/g)) {
        const tags = new Set(frame.match(/<[^>]*>/g));
        const ours = /^<\/?(?:pre|code|mark|span)(?: class="(?:frame|row|number)")?>$/;
        expect([...tags].filter((tag) => !ours.test(tag))).toEqual([]);
      }
      expect(acting.test(html)).toBe(false);
    },
  ],
  markdown: [
    "no heading, link, mention, HTML, table or fence",
    (input) => {
      const markdown = renderMarkdown(input);
      expect(acting.test(markdown)).toBe(false);
      const active = activeMarkdown(markdown);
      expect(active).not.toMatch(/[<>[\]`~]|:\/\/|www\.|@|#\d/);
      const marks = (text: string) =>
        activeMarkdown(text)
          .split("\n")
          .map((line) => /^\s*(?:[#|>]+|[-+*] |\d+[.)] |[-=_*]{3,})/.exec(line)?.[0])
          .filter((mark) => mark !== undefined);
      expect(marks(markdown)).toEqual(marks(renderMarkdown(benign)));
    },
  ],
  csv: [
    "no row, cell or formula",
    (input) => {
      const csv = renderCsv(input);
      const rows = parseCsv(csv);
      expect(rows.map((row) => row.length)).toEqual(
        parseCsv(renderCsv(benign)).map((row) => row.length),
      );
      for (const cell of rows.flat()) {
        expect(cell).not.toMatch(/^[=+\-@\r\n]/);
        expect(acting.test(cell.replace(/^\t/, "").replaceAll("\n", "\u0000"))).toBe(false);
      }
    },
  ],
  sarif: [
    "valid, no link, placeholder or address elsewhere",
    (input) => {
      const sarif = renderSarif(input);
      expect(acting.test(sarif) || sarif.includes("\n")).toBe(false);
      const log = JSON.parse(sarif);
      expect(sarifErrors(log)).toEqual([]);
      for (const { message, locations } of log.runs[0].results) {
        expect(message.text).not.toMatch(/(?<!\\)\]\(|(?<!\{)\{\d+\}(?!\})/);
        expect(activeMarkdown(message.markdown)).not.toMatch(/[<>[\]`]|:\/\//);
        const { uri } = locations[0].physicalLocation.artifactLocation;
        const base = "https://base.example/in/here/";
        expect(new URL(uri, base).href.startsWith(base)).toBe(true);
      }
    },
  ],
  concise: [
    "no further line",
    (input) => {
      const lines = renderConcise(input).trimEnd().split("\n");
      expect(lines).toHaveLength(renderConcise(benign).trimEnd().split("\n").length);
    },
  ],
  github: [
    "no workflow command and no property of one",
    (input) => {
      const lines = renderGithub(input).trimEnd().split("\n");
      const shape =
        /^::error file=[^,:]*,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?,title=[^,:]*::/;
      expect(lines.filter((line) => !shape.test(line))).toEqual([]);
      expect(lines).toHaveLength(renderGithub(benign).trimEnd().split("\n").length);
    },
  ],
  gitlab: [
    "one entry for each finding, with no control character",
    (input) => {
      const report = renderGitlab(input);
      expect(acting.test(report)).toBe(false);
      expect(JSON.parse(report)).toHaveLength(JSON.parse(renderGitlab(benign)).length);
    },
  ],
  junit: [
    "no element, no attribute",
    (input) => {
      const report = renderJunit(input);
      expect(acting.test(report)).toBe(false);
      const tags = (xml: string) =>
        (xml.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/="[^"]*"/g, ""));
      expect(tags(report)).toEqual(tags(renderJunit(benign)));
      expect(report).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos);)/);
    },
  ],
  rdjson: [
    "no link, markup or mention in a comment",
    (input) => {
      const report = renderRdjson(input);
      expect(acting.test(report)).toBe(false);
      for (const { message } of JSON.parse(report).diagnostics) {
        expect(activeMarkdown(message)).not.toMatch(/[<>[\]`]|:\/\/|@/);
      }
    },
  ],
  text: [
    "no command to the terminal",
    (input) => {
      expect(acting.test(renderText(input, { color: false }))).toBe(false);
      const coloured = renderText(input, { color: true });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are meant.
      expect(acting.test(coloured.replace(/\u001b\[(?:0|1|2|1;31|3[236])m/g, ""))).toBe(false);
    },
  ],
};

/** Media types in which `<` begins no tag. The checks above say more of Markdown, which has both. */
const withoutTags = [
  "text/csv",
  "text/plain",
  "text/markdown",
  "application/json",
  "application/sarif+json",
];

describe.each(reportFormats)("every format, so $id", ({ mediaType, render }) => {
  test.each(canaries)("shows %j and does not run it", async (canary) => {
    const report = await render(reportOf(canary));
    expect(acting.test(report.replaceAll(/\r\n|\t/g, "\n"))).toBe(false);
    if (!withoutTags.includes(mediaType) && /[<>]/.test(canary)) {
      expect(report).not.toContain(canary);
    }
  });
});

const rows = Object.entries(checks).map(([id, [promise, check]]) => [id, promise, check] as const);
describe.each(rows)("%s: %s comes out of a policy", (_id, _promise, check) => {
  test.each(canaries)("%j", (canary) => check(reportOf(canary)));

  test("whatever the text", () => {
    const pieces = fc.constantFrom(
      ...canaries,
      ..."`[]()<>*_~#|\\!&;:=+-@.\"'$/{}0\n\r\t \u001b",
      "a",
    );
    const text = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (hostile) => check(reportOf(hostile))),
      { numRuns: 150 },
    );
  });
});
