import { type Markup, markup } from "./html-markup.ts";
import { segmentsOf } from "./inline.ts";

/** A message of a check on one line: code spans and, if allowed, bold text. */
export function inlineHtml(message: string, { bold = false } = {}): Markup[] {
  return segmentsOf(message).map(({ code, text }) => {
    if (code) return markup`<code>${text}</code>`;
    return bold ? markup`${withBold(text)}` : markup`${text}`;
  });
}

function withBold(text: string): Markup[] {
  return text
    .split("**")
    .map((part, at) => (at % 2 === 1 ? markup`<strong>${part}</strong>` : markup`${part}`));
}

const inline = (text: string) => inlineHtml(text, { bold: true });

/** The Markdown subset used in documentation of checks: paragraphs, lists, tables and code. */
export function docsHtml(docstring: string): Markup[] {
  return docstring
    .trim()
    .split(/\n\s*\n/)
    .map((block) => blockHtml(block.trim()));
}

function blockHtml(block: string): Markup {
  const lines = block.split("\n");
  if (block.startsWith("|")) return tableHtml(lines);
  if (block.startsWith("```")) {
    const code = lines.slice(1, lines.at(-1)?.startsWith("```") ? -1 : undefined);
    return preHtml(code);
  }
  const item = /^\s*[-*] /;
  if (!lines.some((line) => item.test(line))) return markup`<p>${inline(block)}</p>`;
  const items: string[] = [];
  const lead: string[] = [];
  for (const line of lines) {
    if (item.test(line)) items.push(line.replace(item, ""));
    else if (items.length === 0) lead.push(line);
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  const head = lead.length === 0 ? undefined : markup`<p>${inline(lead.join(" "))}</p>`;
  return markup`${head}<ul>${items.map((text) => markup`<li>${inline(text)}</li>`)}</ul>`;
}

function tableHtml([head = "", , ...rows]: readonly string[]): Markup {
  const cells = (row: string) => row.replace(/^\||\|$/g, "").split("|");
  return markup`<table><thead><tr>${cells(head).map((cell) => markup`<th scope="col">${inline(cell.trim())}</th>`)}</tr></thead><tbody>${rows.map((row) => markup`<tr>${cells(row).map((cell) => markup`<td>${inline(cell.trim())}</td>`)}</tr>`)}</tbody></table>`;
}

/** Lines of code, unchanged. */
export function preHtml(lines: readonly string[]): Markup {
  return markup`<pre><code>${lines.map((line, at) => (at === 0 ? markup`${line}` : [markup`\n`, line]))}</code></pre>`;
}
