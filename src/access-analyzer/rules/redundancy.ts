import type { Entry, Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import { isRecord } from "../../record.ts";
import type { Action } from "../../services/model.ts";
import { actionsOf, type StatementActions } from "../../services/statement-actions.ts";
import { firstFew, listed, quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

/** A character that no policy text matches but by a wildcard. */
const odd = "\u0001";

/** @returns whether every text that `other` matches is matched by `pattern`, both read as globs. */
export function covers(pattern: string, other: string): boolean {
  return covering(pattern)(other);
}

/** The same for one pattern and many others: its literals are read once. */
export function covering(pattern: string): (other: string) => boolean {
  if (pattern === "*") return () => true;
  const literals = literalsOf(pattern);
  if (literals < 0) return (other) => pattern === other;
  const prefix = pattern.slice(0, literals);
  // A star at the end and no other wildcard: what begins with the literals is covered.
  if (literals === pattern.length - 1 && pattern.endsWith("*")) {
    return (other) => other.startsWith(prefix);
  }
  // Nearly all pairs differ before the first wildcard; text by text this is cheap.
  return (other) => other.startsWith(prefix) && coversGlob(pattern, other);
}

/** Characters before the first wildcard; -1: the text has none. */
function literalsOf(pattern: string): number {
  const star = pattern.indexOf("*");
  const mark = pattern.indexOf("?");
  return star < 0 || mark < 0 ? Math.max(star, mark) : Math.min(star, mark);
}

function coversGlob(pattern: string, other: string): boolean {
  // Each candidate is compared with itself too.
  if (pattern === other) return true;
  const last = pattern.at(-1);
  // What the other one matches ends as it does; a star at its end may match an odd character.
  if (last !== "*" && last !== "?" && last !== other.at(-1)) return false;
  const one = other.includes("?") ? other.replaceAll("?", odd) : other;
  if (!one.includes("*")) return globMatches(pattern, one);
  // An empty run and one longer than the pattern: what matches both matches every length between.
  const long = odd.repeat(pattern.length + 1);
  return (
    globMatches(pattern, one.replaceAll("*", "")) && globMatches(pattern, one.replaceAll("*", long))
  );
}

/** Comparisons are at most the square of this; AWS's quotas allow fewer entries than that. */
const mostEntries = 1_000;

/** Entries of one Action or Resource list that another entry of the list covers. */
export function redundantEntries(statement: Statement, { match }: Subject): Iterable<Issue> {
  const { actions, resources } = statement;
  const mayRepeat = actions.length > 1 && !areDifferent(actionsOf(statement, match));
  if (!mayRepeat && resources.length < 2) return noIssues;
  return redundantIn(mayRepeat ? actions : [], resources);
}

/** Names of different actions, as in nearly all statements: no entry covers another. */
function areDifferent({ read, areNames }: StatementActions): boolean {
  if (!areNames) return false;
  const actions = new Set<Action>();
  for (const { meaning } of read) if (meaning.kind === "action") actions.add(meaning.action);
  return actions.size === read.length;
}

function* redundantIn(actions: readonly Entry[], resources: readonly Entry[]): Generator<Issue> {
  yield* groups("REDUNDANT_ACTION", actions, (text) => text.toLowerCase());
  yield* groups("REDUNDANT_RESOURCE", resources, (text) => text);
}

function* groups(
  code: Issue["code"],
  entries: readonly Entry[],
  fold: (text: string) => string,
): Generator<Issue> {
  if (entries.length < 2 || entries.length > mostEntries) return;
  const texts = entries.map(({ text }) => fold(text));
  // Without wildcards only repetitions count, and most lists have none.
  if (!texts.some(hasWildcard) && new Set(texts).size === texts.length) return;
  const candidates = candidatesAmong(texts);
  const matching = candidates.map((index) => covering(texts[index] ?? ""));
  const indexed = candidates.length * texts.length > mostScanned ? prefixIndex(texts) : null;
  for (const [at, index] of candidates.entries()) {
    const own = texts[index] ?? "";
    const coversOther = matching[at] ?? never;
    const members = indexed
      ? indexed(literalPart(own)).filter((one) => coversOther(texts[one] ?? ""))
      : coveredIn(texts, coversOther);
    if (members.length < 2) continue;
    if (indexed) members.sort((one, other) => one - other);
    // Entries of one meaning, such as `*` and `**`, make one group: that of the first.
    const isCovered = candidates.some(
      (other, place) =>
        other !== index &&
        matching[place]?.(own) &&
        (other < index || !coversOther(texts[other] ?? "")),
    );
    if (isCovered) continue;
    const others = members.filter((member) => texts[member] !== own);
    yield {
      code,
      details:
        others.length === 0
          ? `${quoted(entries[index]?.text ?? "")} is listed ${members.length} times. Keep one.`
          : `${quoted(entries[index]?.text ?? "")} covers ${firstFew(others, (one) => quoted(entries[one]?.text ?? ""))}. Remove what is covered.`,
      nodes: members.flatMap((member) => entries[member]?.node ?? []),
    };
  }
}

/** @returns the first places of the texts that may cover others: those with a wildcard, and repeated ones. */
function candidatesAmong(texts: readonly string[]): number[] {
  const first = new Map<string, number>();
  const repeated = new Set<number>();
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index] ?? "";
    const before = first.get(text);
    if (before === undefined) first.set(text, index);
    else repeated.add(before);
  }
  const candidates: number[] = [];
  for (const [text, index] of first) {
    if (hasWildcard(text) || repeated.has(index)) candidates.push(index);
  }
  return candidates;
}

/** Comparisons for which an index of the texts costs more than it saves. */
const mostScanned = 400;

const never = () => false;

/** @returns the places of the texts that a pattern covers. */
function coveredIn(texts: readonly string[], isCovered: (text: string) => boolean): number[] {
  const places: number[] = [];
  for (let place = 0; place < texts.length; place++) {
    if (isCovered(texts[place] ?? "")) places.push(place);
  }
  return places;
}

/** @returns the characters of a pattern before its first wildcard. */
function literalPart(pattern: string): string {
  const literals = literalsOf(pattern);
  return literals < 0 ? pattern : pattern.slice(0, literals);
}

/** @returns a look-up of the places of the texts that begin with a prefix, in no order. */
function prefixIndex(texts: readonly string[]): (prefix: string) => number[] {
  const sorted = Array.from(texts, (text, index) => ({ text, index }));
  sorted.sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0));
  return (prefix) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.text ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let at = low; sorted[at]?.text.startsWith(prefix); at++)
      found.push(sorted[at]?.index ?? 0);
    return found;
  };
}

/** Statements that are equal but for the Sid, the order of lists and the letter case of actions. */
export function* redundantStatements({ statements }: Subject): Generator<Issue | null> {
  const byContent = new Map<string, Statement[]>();
  // Sorting a statement costs more than all other rules, so only those of one shape are compared.
  if (statements.length < 2) return;
  const shapes = new Map<string, Statement[]>();
  for (const statement of statements) {
    yield null;
    const shape = shapeOf(statement);
    const alike = shapes.get(shape);
    if (alike) alike.push(statement);
    else shapes.set(shape, [statement]);
  }
  for (const statement of [...shapes.values()].filter((alike) => alike.length > 1).flat()) {
    yield null;
    const key = sortedJson(contentOf(statement));
    const same = byContent.get(key) ?? [];
    same.push(statement);
    byContent.set(key, same);
  }
  for (const same of byContent.values()) {
    if (same.length < 2) continue;
    yield {
      code: "REDUNDANT_STATEMENT",
      details: `Statements ${listed(same.map(({ index }) => String(index + 1)))} say the same. Keep one.`,
      nodes: same.map(({ node }) => node),
    };
  }
}

function shapeOf({ effect, actions, notActions, resources, conditions }: Statement): string {
  const first = actions.length === 1 ? actions[0]?.text.toLowerCase() : "";
  return `${effect} ${actions.length} ${notActions.length} ${resources.length} ${conditions.length} ${first} ${least(resources)}`;
}

/** The entry that sorts first: the same for lists that are equal as sets. */
function least(entries: readonly Entry[]): string {
  let found = entries[0]?.text ?? "";
  for (const { text } of entries) if (text < found) found = text;
  return found;
}

function contentOf({ raw }: Statement): Record<string, unknown> {
  const { Sid: _sid, ...rest } = raw;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, asSet(value, name.endsWith("Action"))]),
  );
}

function asSet(value: unknown, ignoreCase: boolean): unknown {
  if (typeof value === "string") return [ignoreCase ? value.toLowerCase() : value];
  const list = [value].flat();
  if (!list.every((one) => typeof one === "string")) return value;
  return [...new Set(list.map((one) => (ignoreCase ? one.toLowerCase() : one)))].sort();
}

/**
 * JSON with sorted member names. The library `canonicalize` refuses half of a surrogate pair, which a caller's text may
 * hold; a digest needs RFC 8785, a comparison does not.
 */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isRecord(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
