import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Fix } from "../../spec/finding.ts";
import type { Suppressed } from "../engine/exceptions.ts";
import { escapeInvisible, escapeInvisibleLines } from "../policy/escape-invisible.ts";
import { questionOf, verdictOf } from "./answers.ts";
import { codeFrame, type FrameLine, linesReader } from "./code-frame.ts";
import { diffLines } from "./edits.ts";
import { segmentsOf } from "./inline.ts";
import { reasonInWords, suppressedCounts } from "./suppressed.ts";
import { fixNote, type Level, levelOf, plural, titleOf, verdictLine } from "./totals.ts";
import type { FixEdit, ReportInput, ReportPolicy } from "./types.ts";

export interface TextOptions {
  /** Use ANSI colours; without them the text is plain. */
  readonly color: boolean;
  /** Only policies with findings, and no verdict. */
  readonly quiet?: boolean;
}

/** Styles by their SGR codes. */
const styles = { bold: "1", dim: "2", error: "1;31", warning: "33", note: "36", good: "32" };
type Paint = (style: keyof typeof styles, text: string) => string;

/** A report for a terminal: findings by policy, each with the lines it is about. */
export function renderText(input: ReportInput, { color, quiet = false }: TextOptions): string {
  const paint: Paint = (style, text) => (color ? `\u001b[${styles[style]}m${text}\u001b[0m` : text);
  const shown = input.policies.filter(
    ({ result }) => !quiet || result.fails_policy || result.findings.length > 0,
  );
  const linesOf = linesReader();
  const blocks = shown.map((policy) =>
    policyText(policy, { lines: linesOf(policy.text), color, paint }),
  );
  if (!quiet) blocks.push(closing(input, paint));
  return blocks.length === 0 ? "" : `${blocks.join("\n\n")}\n`;
}

interface TextContext {
  readonly lines: readonly string[] | null;
  readonly color: boolean;
  readonly paint: Paint;
}

function policyText(policy: ReportPolicy, { lines, color, paint }: TextContext): string {
  const { result, edits } = policy;
  const verdict = result.fails_policy ? paint("error", "fails") : paint("good", "passes");
  const type = paint("dim", `${result.policy_type} (${result.policy_type_source})`);
  return [
    `${paint("bold", escapeInvisible(titleOf(policy)))} ${verdict} ${type}`,
    ...(result.answers?.length ? [answersText(result.answers, paint)] : []),
    ...result.findings.map((finding) =>
      findingText(finding, { lines, edit: edits?.get(finding) }, color, paint),
    ),
    ...(result.suppressed?.length ? [suppressedText(result.suppressed, paint)] : []),
  ].join("\n\n");
}

/** One line for each finding that an exception left out, with the reason, and the number of known ones. */
function suppressedText(suppressed: readonly Suppressed[], paint: Paint): string {
  const { baseline } = suppressedCounts(suppressed);
  const excepted = suppressed.filter(({ suppression }) => suppression.kind === "exception");
  const lines = excepted.map(({ finding, suppression }) => {
    const about = `${finding.severity} ${placeText(finding)} ${finding.check_id}`;
    return `left out: ${about}: ${reasonInWords(suppression)}`;
  });
  if (baseline > 0) lines.push(`left out: ${plural(baseline, "finding")} known in the baseline`);
  return lines.map((line) => `  ${paint("dim", escapeInvisible(line))}`).join("\n");
}

function answersText(answers: readonly AccessAnswer[], paint: Paint): string {
  const colors = { holds: "good", violated: "error", undecided: "warning" } as const;
  return answers
    .map((answer) => {
      const said = escapeInvisible(verdictOf(answer));
      return `  ${questionOf(answer)}: ${paint(colors[answer.verdict], said)}`;
    })
    .join("\n");
}

function findingText(
  finding: Finding,
  { lines, edit }: { readonly lines: readonly string[] | null; readonly edit: FixEdit | undefined },
  color: boolean,
  paint: Paint,
): string {
  const { severity, check_id, issue_type, message, suggestion, example, location, related } =
    finding;
  const level = levelOf(severity);
  const say = (markdown: string) => inlineText(markdown, color, paint);
  const rows = [
    `${paint(level, severity)} ${placeText(finding)} ${paint("dim", escapeInvisible(`${check_id} ${issue_type}`))}`,
    say(message),
    ...(lines && location ? frameText(codeFrame(lines, location), level, paint) : []),
    ...(related.length === 0
      ? []
      : [`${paint("bold", "Also at:")} ${related.map(placeText).join(", ")}`]),
    ...(finding.fix && edit ? fixText(finding.fix, edit, paint) : []),
    ...(suggestion === null ? [] : suggestionText(suggestion, say, paint)),
    ...(example === null || edit ? [] : escapeInvisibleLines(example).map((line) => `    ${line}`)),
  ];
  return rows.map((row) => `  ${row}`.trimEnd()).join("\n");
}

/** A suggestion can be a list, with one thing to do a line. */
function suggestionText(text: string, say: (markdown: string) => string, paint: Paint): string[] {
  const [first = "", ...rest] = text.split("\n");
  return [`${paint("bold", "Suggestion:")} ${say(first)}`, ...rest.map((line) => `  ${say(line)}`)];
}

/** What the fix does, and the lines that it changes. */
function fixText(fix: Fix, edit: FixEdit, paint: Paint): string[] {
  const lines = diffLines(edit).map((line) => {
    const shown = `    ${shownSource(line)}`;
    if (line.startsWith("-")) return paint("error", shown);
    return line.startsWith("+") ? paint("good", shown) : shown;
  });
  return [`${paint("bold", "Fix:")} ${escapeInvisible(fix.title)} (${fixNote(fix)})`, ...lines];
}

/** `line:column`, which editors understand, else the JSON Pointer. */
function placeText({ location, path }: Pick<Finding, "location" | "path">): string {
  if (location) return `${location.start.line}:${location.start.column + 1}`;
  return path === "" ? "whole document" : escapeInvisible(path);
}

/** Code spans keep their back-ticks if there is no colour to mark them. */
function inlineText(markdown: string, color: boolean, paint: Paint): string {
  return segmentsOf(markdown)
    .map(({ code, text }) => {
      const shown = escapeInvisible(text);
      if (!code) return shown;
      return color ? paint("bold", shown) : `\`${shown}\``;
    })
    .join("");
}

/** Source lines with their numbers, and carets under the marked parts. */
function frameText(frame: readonly FrameLine[], level: Level, paint: Paint): string[] {
  const width = Math.max(...frame.map(({ number }) => String(number ?? "").length));
  return frame.flatMap(({ number, before, marked, after }) => {
    const gutter = (text: string) => paint("dim", `${text.padStart(width + 2)} |`);
    const [left, mark, right] = [before, marked, after].map(shownSource);
    if (number === null) return [`${gutter("")} ${mark}`];
    const line = `${gutter(String(number))} ${left}${mark === "" ? "" : paint(level, mark ?? "")}${right}`;
    if (marked === "") return [line];
    const carets = paint(level, "^".repeat(columnsOf(mark ?? "")));
    return [line, `${gutter("")} ${" ".repeat(columnsOf(left ?? ""))}${carets}`];
  });
}

function shownSource(text: string): string {
  return escapeInvisible(text.replaceAll("\t", "  "));
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
const combining = /\p{Mn}/u;

/** Approximate width of a text in a terminal, in columns. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (!combining.test(character)) columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

/** The verdict, with its colour. */
function closing(input: ReportInput, paint: Paint): string {
  const line = verdictLine(input);
  const failing = input.policies.some(({ result }) => result.fails_policy);
  if (input.policies.length === 0) return line;
  return line.replace(/none fails|\d+ failing/, (verdict) =>
    paint(failing ? "error" : "good", verdict),
  );
}
