import type { Span } from "../json/text-tree.ts";
import type { Filled } from "./document-at.ts";
import type { Offsets } from "./offsets.ts";
import type { Unknowns } from "./unknowns.ts";

/** A placeholder in a text, with where it begins and ends in the text. */
export interface Placeholder extends Span {
  /** Without `${` and `}`. */
  readonly source: string;
  /** It is a word of the text, without `${` and `}`. */
  readonly isWord?: boolean;
}

/** More in one text are left as they are. */
const maxPlaceholders = 10_000;

/** @returns What begins with `${` in a text, up to the brace that closes it. */
export function* placeholdersIn(text: string): Generator<Placeholder> {
  let count = 0;
  for (let at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at)) {
    let depth = 0;
    let end = at + 1;
    for (; end < text.length; end++) {
      if (text[end] === "{") depth++;
      else if (text[end] === "}" && --depth === 0) break;
    }
    if (end >= text.length || ++count > maxPlaceholders) return;
    yield { source: text.slice(at + 2, end), start: at, end: end + 1 };
    at = end + 1;
  }
}

/**
 * `${aws:username}` and the like are values that AWS fills in. The key of a tag may have letters of any
 * language and colons, the name of an identity provider slashes. `${self:custom.name}` is one of the Serverless
 * Framework.
 */
export const isPolicyVariable = (source: string) =>
  /^(?:(?!(?:self|opt|sls|param|file):)[a-z][a-z0-9-]*(?:\.[\w./-]+)?:[A-Za-z][\w.-]*(?:\/[\p{L}\p{N}\p{Zs}_.:/=+\-@]*)?(?:,\s*'[^']*')?|[*?$])$/u.test(
    source,
  );

/**
 * What Terraform and the shell leave alone: policy variables, also misspelt ones (`aws:PrincipalTag:team`), and `AWS::AccountId` of CloudFormation, which
 * in a separate policy file is a mistake.
 */
export const isOfOtherTools = (source: string) =>
  isPolicyVariable(source) || /^(?:AWS::|aws:[A-Za-z]|!)/.test(source);

/**
 * `{{ name }}` of Jinja and the like, `__NAME__`, `%%NAME%%` and `@@NAME@@`. Words in angle brackets are what documentation
 * asks people to replace by hand, so they stay as they are.
 * https://marketplace.visualstudio.com/items?itemName=qetza.replacetokens
 */
const marked =
  /\{\{[^{}]{1,1000}\}\}|(?<![A-Za-z0-9_])__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__(?![A-Za-z0-9_])|(%%|@@)[A-Z][A-Z0-9_]{0,99}\1/g;

/** Whether a tool replaces words of the text. */
export function hasMarkedPlaceholder(text: string): boolean {
  return text.search(marked) >= 0;
}

/** @returns `{{ name }}` of Jinja, as written. */
export function* jinjaPlaceholdersIn(text: string): Generator<Placeholder> {
  for (const found of markedPlaceholdersIn(text)) if (found.source.startsWith("{{")) yield found;
}

/** @returns Words that tools replace, as written. */
export function* markedPlaceholdersIn(text: string): Generator<Placeholder> {
  const found = text.matchAll(marked);
  for (const { 0: source, index: start } of found.take(maxPlaceholders)) {
    yield { source, start, end: start + source.length, isWord: true };
  }
}

/** @returns `{{ name }}` of Helm and the like, `$NAME` of the environment, and `${name}`. */
export function* manifestPlaceholdersIn(text: string): Generator<Placeholder> {
  const dollars = [...placeholdersIn(text)].filter(({ source }) => !isPolicyVariable(source));
  const others = [...text.matchAll(/\{\{([^{}]{1,1000})\}\}|\$([A-Z][A-Z0-9_]*)\b/g)]
    .slice(0, maxPlaceholders)
    .map(({ 0: whole, 1: braced, 2: name, index }) => ({
      source: (braced ?? name ?? "").trim(),
      start: index,
      end: index + whole.length,
    }));
  yield* apart([...dollars, ...others]);
}

/** @returns Placeholders in order, without those that begin inside another one. */
export function* apart(all: readonly Placeholder[]): Generator<Placeholder> {
  let end = 0;
  for (const one of all.toSorted((a, b) => a.start - b.start)) {
    if (one.start < end) continue;
    yield one;
    end = one.end;
  }
}

/**
 * Puts tokens in the place of placeholders.
 * @param isOwn Whether the container fills in a placeholder; the others stay as they are.
 */
export function fillPlaceholders(
  text: string,
  offsets: Offsets | null,
  unknowns: Unknowns,
  isOwn: (source: string) => boolean,
): Filled {
  const found = [...placeholdersIn(text)].filter(({ source }) => isOwn(source));
  return fill({ text, offsets }, found, unknowns);
}

/** Puts tokens in the place of interpolations of Terraform and Pulumi. `$${` is how a `${` for AWS is written. */
export function fillInterpolations({ text, offsets }: Filled, unknowns: Unknowns): Filled {
  const parts = text.split("$${");
  const plain = parts.join("${");
  const kept: number[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index > 0) kept.push(at + 1, at + 2);
    if (index > 0) at += 3;
    for (const end = at + part.length; at < end; at++) kept.push(at);
  }
  const moved = offsets && [...kept, text.length].map((one) => offsets[one] ?? 0);
  return fillPlaceholders(plain, moved, unknowns, (source) => !isPolicyVariable(source));
}

/** Puts tokens in the place of parts of a text that are in order and apart. */
export function fill(
  { text, offsets }: Filled,
  found: readonly Placeholder[],
  unknowns: Unknowns,
): Filled {
  if (found.length === 0) return { text, offsets };
  const parts: string[] = [];
  const moved: number[] = [];
  const keep = (from: number, to: number) => {
    parts.push(text.slice(from, to));
    if (offsets) for (let at = from; at < to; at++) moved.push(offsets[at] ?? 0);
  };
  let from = 0;
  for (const { source, start, end, isWord = false } of found) {
    keep(from, start);
    const span = offsets && { start: offsets[start] ?? 0, end: offsets[end] ?? 0 };
    const token = unknowns.token({ source: source.trim(), like: "text", span, isWord });
    parts.push(token);
    if (offsets) for (let at = 0; at < token.length; at++) moved.push(offsets[start] ?? 0);
    from = end;
  }
  keep(from, text.length);
  if (offsets) moved.push(offsets.at(-1) ?? 0);
  return { text: parts.join(""), offsets: offsets && moved };
}
