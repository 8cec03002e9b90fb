import { randomBytes } from "node:crypto";
import type { Span } from "../json/text-tree.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";

/**
 * What an unknown value may become. `text`: anything; `name`: the name of a resource, without `/` and
 * `:`; `account`: 12 digits; an object: an ARN of this form, with `{partition}`, `{region}`,
 * `{account}` and `{name}` in it.
 */
export type Like =
  | "text"
  | "name"
  | "account"
  | "region"
  | "partition"
  | "url_suffix"
  | { readonly arn: string };

/** A value that the container does not give. */
export interface Unknown {
  /** As people write it, without `${` and `}`: `Bucket.Arn`, `var.region`. */
  readonly source: string;
  readonly like: Like;
  readonly span: Span | null;
  /** It may be equal to any other value of its form. Absent: so it is if it may be any text. */
  readonly isOpen?: boolean;
  /** It is written without `${` and `}`, as a word that a tool replaces. Absent: no. */
  readonly isWord?: boolean;
  /** What decides the value, where the source does not say it all: values of different ones differ. Absent: the source. */
  readonly expression?: string | undefined;
}

/** @returns The expression of an unknown value for a message: on one line, and not more than its beginning. */
export function quotedUnknown({ source }: Unknown): string {
  const [...characters] = source.slice(0, 200).replace(/\s+/g, " ");
  const shown = characters.slice(0, mostShown).join("");
  return `\`${escapeInvisible(shown)}${characters.length > mostShown ? "…" : ""}\``;
}

/** Characters of an expression in a message. */
const mostShown = 60;

/** @returns An unknown value as messages and examples show it. */
export function shownUnknown({ source, isWord }: Unknown): string {
  return isWord ? source : `\${${source}}`;
}

/** Whether a value may be the name that stands somewhere else in the file. */
export function isOpen({ like, isOpen: given }: Unknown): boolean {
  return like === "text" || given === true;
}

/** Tokens of one source; more make the reader give up. */
const maxUnknowns = 100_000;

/**
 * The unknown values of one source, or of two versions of it. A reader puts the token of a value into the strings of the policy
 * where the value belongs; a token alone may also be the whole of a list, an object or a member.
 */
export class Unknowns {
  readonly #all: Unknown[] = [];
  readonly #bySource = new Map<string, string>();
  readonly #mark = `\ue000${randomLetters()}:`;
  readonly #pattern = new RegExp(`${this.#mark}([0-9]+)\ue001`, "gu");

  #isFull = false;
  #versions = 0;

  /** Whether there were too many unknown values to tell all of them apart. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Starts the reading of one version of a source. */
  nextVersion(): void {
    this.#versions++;
  }

  /** The expression of a value of which another version of the source does not say whether it is the same. */
  get onlyThisVersion(): string {
    return `version ${this.#versions}`;
  }

  /** @returns The token of the value. Equal sources with equal forms and expressions have the same one. */
  token(unknown: Unknown): string {
    const { source, like, expression = null } = unknown;
    const key = JSON.stringify([source, like, expression]);
    const known = this.#bySource.get(key);
    if (known !== undefined) return known;
    if (this.#all.length >= maxUnknowns) {
      this.#isFull = true;
      return `${this.#mark}0\ue001`;
    }
    const token = `${this.#mark}${this.#all.length}\ue001`;
    this.#all.push(unknown);
    this.#bySource.set(key, token);
    return token;
  }

  /** @returns Whether the text has a token. */
  isIn(text: string): boolean {
    return text.includes(this.#mark);
  }

  /** @returns The unknown value, if the text is one token and nothing else. */
  whole(text: string): Unknown | null {
    const parts = this.split(text);
    const [only] = parts;
    return parts.length === 1 && typeof only === "object" ? only : null;
  }

  /** @returns The literal and unknown parts of a text, in order; no literal part is empty. */
  split(text: string): (string | Unknown)[] {
    if (!this.isIn(text)) return text === "" ? [] : [text];
    const parts: (string | Unknown)[] = [];
    let from = 0;
    for (const match of text.matchAll(this.#pattern)) {
      const unknown = this.#all[Number(match[1])];
      if (!unknown) continue;
      if (match.index > from) parts.push(text.slice(from, match.index));
      parts.push(unknown);
      from = match.index + match[0].length;
    }
    if (from < text.length) parts.push(text.slice(from));
    return parts;
  }

  /** The tokens of a text and what lies between them, in order, as written. */
  *pieces(text: string): Generator<{ text: string; at: number; isToken: boolean }> {
    let from = 0;
    for (const { index, 0: token } of text.matchAll(this.#pattern)) {
      if (index > from) yield { text: text.slice(from, index), at: from, isToken: false };
      yield { text: token, at: index, isToken: true };
      from = index + token.length;
    }
    if (from < text.length) yield { text: text.slice(from), at: from, isToken: false };
  }

  /** @returns The text with each unknown value as short as it can be. */
  shortest(text: string): string {
    if (!this.isIn(text)) return text;
    return this.split(text)
      .map((part) => (typeof part === "string" ? part : shortestOf(part.like)))
      .join("");
  }

  /** @returns The text with what people write in place of each token. */
  shown(text: string): string {
    if (!this.isIn(text)) return text;
    return this.split(text)
      .map((part) => (typeof part === "string" ? part : shownUnknown(part)))
      .join("");
  }
}

/** 96 random bits, so that no input can contain a token; without digits, which could be read as those of an account. */
function randomLetters(): string {
  const letter = (digit: string) => String.fromCharCode("g".charCodeAt(0) + Number(digit));
  return randomBytes(12).toString("hex").replace(/[0-9]/g, letter);
}

const shortForms = { partition: "aws", region: "us-east-1", account: "0".repeat(12) } as const;

/** An unknown text may be empty; a name has a character. */
function shortestOf(like: Like): string {
  if (typeof like === "object") {
    return like.arn.replace(/\{([a-z]+)\}/g, (_all, field: string) =>
      field === "partition" || field === "region" || field === "account" ? shortForms[field] : "x",
    );
  }
  switch (like) {
    case "partition":
    case "region":
    case "account":
      return shortForms[like];
    case "url_suffix":
      return "amazonaws.com";
    case "name":
      return "x";
    default:
      return "";
  }
}
