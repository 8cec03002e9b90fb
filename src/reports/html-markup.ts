import { escapeInvisible } from "../policy/escape-invisible.ts";

/** Text that is markup already. Only `markup` and `raw` make it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | undefined | Markup | readonly Part[];

const entities = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Any text, safe between tags and in quoted attributes, on one line. */
function escaped(text: string): string {
  return escapeInvisible(text).replace(/[&<>"']/g, (character) => entities.get(character) ?? "");
}

function written(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(written).join("") : escaped(String(part));
}

/** A template of HTML: what stands in it is markup, what is put into it is text, unless it is markup. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.reduce((html, string, at) => html + written(parts[at - 1]) + string));
}

/** For constants of ours only. */
export function raw(text: string): Markup {
  return new Markup(text);
}
