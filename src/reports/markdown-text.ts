import { escapeInvisible, escapeInvisibleLines } from "../policy/escape-invisible.ts";
import { segmentsOf } from "./inline.ts";

/** The longest run of back-ticks in a text. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Any text as one code span on one line, without markup, links or mentions. */
export function codeSpan(text: string): string {
  const shown = escapeInvisible(text);
  if (shown.trim() === "") return `\`"${shown}"\``;
  const fence = "`".repeat(longestRun(shown) + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Any text as a fenced block. The fence is longer than every run of back-ticks in the text. */
export function codeBlock(text: string, info?: string): string[] {
  const lines = escapeInvisibleLines(text);
  const fence = "`".repeat(Math.max(2, longestRun(text)) + 1);
  const language = info ?? (/^\s*[[{"]/.test(text) ? "json" : "");
  return [fence + language, ...lines, fence];
}

/** Words that Markdown hosts turn into links: URLs, mentions, issue numbers. */
const linking = /:\/\/|^www\.|@|#\d/i;

function plainWords(text: string): string[] {
  return escapeInvisible(text)
    .split(/( +)/)
    .map((word) => (linking.test(word) ? codeSpan(word) : escapeMarkup(word)));
}

function escapeMarkup(word: string): string {
  return word
    .replace(/[\\`*[\]<>|~$]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#|\w+;)/g, "\\&");
}

/** A message as one line of Markdown: its code spans, and everything else as plain text. */
export function inlineMarkdown(message: string): string {
  const pieces = segmentsOf(message).flatMap(({ code, text }) =>
    code ? [codeSpan(text)] : plainWords(text),
  );
  const line = pieces
    // Adjacent fences would be read as one.
    .map((piece, at) =>
      piece.startsWith("`") && pieces[at - 1]?.endsWith("`") ? ` ${piece}` : piece,
    )
    .join("")
    .trim();
  // Escape what would make the line a heading, a list item or a rule.
  return line.replace(/^[#+=-]/, "\\$&").replace(/^(\d{1,9})([.)])/, "$1\\$2");
}
