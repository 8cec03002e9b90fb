import { escapeInvisible } from "../policy/escape-invisible.ts";

/** Safe HTML. Only `markup` and `raw` create it. */
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

/** Escapes any text for use between tags and in quoted attributes, on one line. */
function escaped(text: string): string {
  return escapeInvisible(text).replace(/[&<>"']/g, (character) => entities.get(character) ?? "");
}

function written(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(written).join("") : escaped(String(part));
}

/** An HTML template tag. Interpolated values are escaped unless they are `Markup`. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.reduce((html, string, at) => html + written(parts[at - 1]) + string));
}

/** Marks a constant of this project as safe HTML. Never use it for data. */
export function raw(text: string): Markup {
  return new Markup(text);
}
