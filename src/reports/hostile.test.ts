import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReportFormatId, reportFormats } from "../../spec/report-formats.ts";
import { parseCsv } from "../../test/support/csv.ts";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { sarifErrors } from "../../test/support/sarif-schema.ts";
import { renderReport } from "./formats.ts";
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

/** Names of members, lengths of lists and types of values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** @param benign The same report with a harmless text in place of the hostile one. */
type Check = (report: string, benign: string) => void;
type Promised = readonly [promise: string, check: Check];

type Format = (typeof reportFormats)[number];
type FormatOf<MediaType extends Format["mediaType"]> = Extract<
  Format,
  { mediaType: MediaType }
>["id"];

const ofEveryFormat: Promised = [
  "no character that acts",
  (report) => expect(acting.test(report.replaceAll(/\r\n|\t/g, "\n"))).toBe(false),
];

/** What the formats of each media type promise of hostile text. A media type without an entry does not compile. */
const ofMediaTypes: Record<Format["mediaType"], Promised> = {
  "text/plain": [
    "no further line",
    (report, benign) => expect(report.split("\n")).toHaveLength(benign.split("\n").length),
  ],
  "application/json": [
    "no member and no entry",
    (report, benign) => {
      expect(acting.test(report)).toBe(false);
      expect(shapeOf(JSON.parse(report))).toEqual(shapeOf(JSON.parse(benign)));
    },
  ],
  "text/html": [
    "no tag, no attribute, no command",
    (html, benign) => {
      expect(skeletonOf(html)).toEqual(skeletonOf(benign));
      for (const [frame] of html.matchAll(/<pre[ >][\s\S]*?<\/pre>/g)) {
        const tags = new Set(frame.match(/<[^>]*>/g));
        const ours = /^<\/?(?:pre|code|mark|span)(?: class="(?:frame|row|number)")?>$/;
        expect([...tags].filter((tag) => !ours.test(tag))).toEqual([]);
      }
      expect(acting.test(html)).toBe(false);
    },
  ],
  "text/markdown": [
    "no heading, link, mention, HTML, table or fence",
    (markdown, benign) => {
      expect(acting.test(markdown)).toBe(false);
      const active = activeMarkdown(markdown);
      expect(active).not.toMatch(/[<>[\]`~]|:\/\/|www\.|@|#\d/);
      const marks = (text: string) =>
        activeMarkdown(text)
          .split("\n")
          .map((line) => /^\s*(?:[#|>]+|[-+*] |\d+[.)] |[-=_*]{3,})/.exec(line)?.[0])
          .filter((mark) => mark !== undefined);
      expect(marks(markdown)).toEqual(marks(benign));
    },
  ],
  "text/csv": [
    "no row, cell or formula",
    (csv, benign) => {
      const rows = parseCsv(csv);
      expect(rows.map((row) => row.length)).toEqual(parseCsv(benign).map((row) => row.length));
      for (const cell of rows.flat()) {
        expect(cell).not.toMatch(/^[=+\-@\r\n]/);
        expect(acting.test(cell.replace(/^\t/, "").replaceAll("\n", "\u0000"))).toBe(false);
      }
    },
  ],
  "application/sarif+json": [
    "valid, no link, placeholder or address elsewhere",
    (sarif) => {
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
  "application/xml": [
    "no element, no attribute",
    (xml, benign) => {
      expect(acting.test(xml)).toBe(false);
      const tags = (text: string) =>
        (text.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/="[^"]*"/g, ""));
      expect(tags(xml)).toEqual(tags(benign));
      expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos);)/);
    },
  ],
};

/**
 * What a format promises beyond its media type; null: nothing. Plain text and JSON say little about what reads them,
 * so those formats do not compile without an entry.
 */
const ofFormats: Record<FormatOf<"text/plain" | "application/json">, Promised | null> = {
  concise: null,
  github: [
    "no workflow command and no property of one",
    (report) => {
      const lines = report.trimEnd().split("\n");
      const shape =
        /^::error file=[^,:]*,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?,title=[^,:]*::/;
      expect(lines.filter((line) => !shape.test(line))).toEqual([]);
    },
  ],
  gitlab: null,
  rdjson: [
    "no link, markup or mention in a comment",
    (report) => {
      for (const { message } of JSON.parse(report).diagnostics) {
        expect(activeMarkdown(message)).not.toMatch(/[<>[\]`]|:\/\/|@/);
      }
    },
  ],
};

function holdsForEveryText(check: (input: ReportInput) => void | Promise<void>): void {
  test.each(canaries)("%j", async (canary) => {
    await check(reportOf(canary));
  });

  test("whatever the text", async () => {
    const pieces = fc.constantFrom(
      ...canaries,
      ..."`[]()<>*_~#|\\!&;:=+-@.\"'$/{}0\n\r\t \u001b",
      "a",
    );
    const text = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, async (hostile) => {
        await check(reportOf(hostile));
      }),
      { numRuns: 150 },
    );
  });
}

const rows = reportFormats.flatMap(({ id, mediaType }) => {
  const beyond: Partial<Record<ReportFormatId, Promised | null>> = ofFormats;
  return [ofEveryFormat, ofMediaTypes[mediaType], beyond[id] ?? []].flatMap(([promise, check]) =>
    promise && check ? [[id, promise, check] as const] : [],
  );
});
describe.each(rows)("%s: %s comes out of a policy", (id, _promise, check) => {
  const benign = renderReport(id, reportOf("benign"));
  holdsForEveryText(async (input) => check(await renderReport(id, input), await benign));
});

describe("text: no command to the terminal comes out of a policy", () => {
  holdsForEveryText((input) => {
    expect(acting.test(renderText(input, { color: false }))).toBe(false);
    const coloured = renderText(input, { color: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are meant.
    expect(acting.test(coloured.replace(/\u001b\[(?:0|1|2|1;31|3[236])m/g, ""))).toBe(false);
  });
});
