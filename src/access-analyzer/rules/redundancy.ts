import { sortedJson } from "../../json/sorted-json.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import type { Action } from "../../services/model.ts";
import { actionsOf, type StatementActions } from "../../services/statement-actions.ts";
import { firstFew, listed, quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

/** A character that no policy text matches but by a wildcard. */
const odd = "\u0001";
const oddCode = 1;
const star = 42;
const mark = 63;

/**
 * @returns a function that tells whether every text that a glob matches is matched by the pattern, for globs that begin
 * with the literals before the first wildcard of the pattern. These literals are read once.
 */
function coveringBehind(literals: number, pattern: string): (other: string) => boolean {
  // A star at the end and no other wildcard.
  if (literals === pattern.length - 1 && pattern.endsWith("*")) return () => true;
  const run = longestLiterals(pattern, literals);
  return (other) => other.includes(run) && coversGlob(pattern, other);
}

/** @returns the longest run of literals behind the first wildcard, which a covered text has between its own wildcards. */
function longestLiterals(pattern: string, from: number): string {
  let longest = "";
  let start = from;
  for (let at = from; at <= pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    // A text with a wildcard is compared with this character in its place.
    if (code === oddCode) return "";
    // At the end the code is not a number.
    if (code !== star && code !== mark && at < pattern.length) continue;
    if (at - start > longest.length) longest = pattern.slice(start, at);
    start = at + 1;
  }
  return longest;
}

/** Characters before the first wildcard; -1: the text has none. */
function literalsOf(pattern: string): number {
  const star = pattern.indexOf("*");
  const mark = pattern.indexOf("?");
  return star < 0 || mark < 0 ? Math.max(star, mark) : Math.min(star, mark);
}

function coversGlob(pattern: string, other: string): boolean {
  const last = pattern.at(-1);
  // What the other one matches ends as it does; a star at its end may match an odd character.
  if (last !== "*" && last !== "?" && last !== other.at(-1)) return false;
  const one = other.includes("?") ? other.replaceAll("?", odd) : other;
  if (!one.includes("*")) return globMatches(pattern, one);
  // An empty run, and one that the characters of the pattern cannot fill without a star: what matches both
  // matches every length.
  const long = odd.repeat(mostOdd(pattern) + 1);
  return (
    globMatches(pattern, one.replaceAll("*", "")) && globMatches(pattern, one.replaceAll("*", long))
  );
}

/** @returns how many odd characters the pattern matches without its stars, or more. */
function mostOdd(pattern: string): number {
  if (pattern.includes(odd)) return pattern.length;
  let marks = 0;
  for (let at = pattern.indexOf("?"); at >= 0; at = pattern.indexOf("?", at + 1)) marks++;
  return marks;
}

/** Comparisons are at most the square of this; AWS's quotas allow fewer entries than that. */
const mostEntries = 1_000;

/** A list of a statement whose entries may cover each other. */
export interface EntryList {
  readonly code: Issue["code"];
  entriesOf(statement: Statement): readonly Entry[];
  /** The texts as they are compared. */
  fold(text: string): string;
  readonly known: FactSlot<Statement, Groups>;
}

export const ofActions: EntryList = {
  code: "REDUNDANT_ACTION",
  entriesOf: ({ actions }) => actions,
  fold: (text) => text.toLowerCase(),
  known: new FactSlot(),
};

export const ofResources: EntryList = {
  code: "REDUNDANT_RESOURCE",
  entriesOf: ({ resources }) => resources,
  fold: (text) => text,
  known: new FactSlot(),
};

/** Entries of one Action or Resource list that another entry of the list covers. */
export function redundantEntries(statement: Statement, { match }: Subject): Iterable<Issue | null> {
  const { actions } = statement;
  const inActions =
    actions.length < 2 || areDifferent(actionsOf(statement, match))
      ? noIssues
      : redundantIn(ofActions, statement);
  const inResources = redundantIn(ofResources, statement);
  if (inActions === noIssues) return inResources;
  return inResources === noIssues ? inActions : both(inActions, inResources);
}

function* both(
  first: Iterable<Issue | null>,
  second: Iterable<Issue | null>,
): Generator<Issue | null> {
  yield* first;
  yield* second;
}

/** Longer lists are compared with a set; in shorter ones all pairs take less time than to create it. */
const mostPaired = 64;

/** Names of different actions, as in nearly all statements: no entry covers another. */
function areDifferent({ read, areNames }: StatementActions): boolean {
  if (!areNames) return false;
  const actions: Action[] = [];
  for (const { meaning } of read) if (meaning.kind === "action") actions.push(meaning.action);
  if (actions.length > mostPaired) return new Set(actions).size === actions.length;
  return actions.every((action, at) => actions.indexOf(action) === at);
}

/** Longer lists are compared with pauses: one of 1,000 patterns takes seconds. */
const mostAtOnce = 64;

function redundantIn(list: EntryList, statement: Statement): Iterable<Issue | null> {
  const { length } = list.entriesOf(statement);
  if (length < 2 || length > mostEntries) return noIssues;
  if (length <= mostAtOnce && groupsOf(list, statement).size === 0) return noIssues;
  return issuesOfList(list, statement);
}

/** Texts that cover another entry or are there twice, each with the texts that it covers, its own included. */
type Groups = ReadonlyMap<string, ReadonlySet<string>>;

/** @returns the groups of a list, worked out once; no group for most lists. */
export function groupsOf(list: EntryList, statement: Statement): Groups {
  const comparing = compare(list, statement);
  let step = comparing.next();
  while (!step.done) step = comparing.next();
  return step.value;
}

function* compare(list: EntryList, statement: Statement): Generator<null, Groups> {
  let groups = list.known.get(statement);
  if (!groups) {
    groups = yield* groupsAmong(list.entriesOf(statement).map(({ text }) => list.fold(text)));
    list.known.set(statement, groups);
  }
  return groups;
}

/** @returns the groups of texts, which are read as globs. */
export function* groupsAmong(texts: readonly string[]): Generator<null, Groups> {
  const sorted = texts.toSorted();
  /** How many characters each begins with as the one before it does. */
  const shared = sorted.map((text, at) => sharedLength(sorted[at - 1] ?? "", text));
  const lengths = sorted.map(lengthWithoutStars);
  const groups = new Map<string, ReadonlySet<string>>();
  for (let at = 0; at < sorted.length; at++) {
    yield null;
    const text = sorted[at] ?? "";
    const literals = literalsOf(text);
    const covered = literals < 0 ? none : coveredBy(at, literals, { sorted, shared, lengths });
    if (covered.length > 0 || (at > 0 && text === sorted[at - 1])) {
      groups.set(text, new Set([text, ...covered]));
    }
  }
  return groups;
}

const none: readonly string[] = [];

interface Texts {
  readonly sorted: readonly string[];
  readonly shared: readonly number[];
  readonly lengths: readonly number[];
}

/** @returns what a pattern covers: texts that begin with its literals, so they are next to it. */
function coveredBy(
  at: number,
  literals: number,
  { sorted, shared, lengths }: Texts,
): readonly string[] {
  const pattern = sorted[at] ?? "";
  const length = lengths[at] ?? 0;
  const coversOther = coveringBehind(literals, pattern);
  const covered: string[] = [];
  const compare = (to: number) => {
    const other = sorted[to] ?? "";
    // A text without its stars is as long as that of a pattern that covers it, or longer.
    if ((lengths[to] ?? 0) < length || other === pattern) return;
    if (coversOther(other)) covered.push(other);
  };
  for (let to = at; to > 0 && (shared[to] ?? 0) >= literals; to--) compare(to - 1);
  for (let to = at + 1; (shared[to] ?? -1) >= literals; to++) compare(to);
  return covered;
}

function lengthWithoutStars(text: string): number {
  let length = text.length;
  for (let at = text.indexOf("*"); at >= 0; at = text.indexOf("*", at + 1)) length--;
  return length;
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function* issuesOfList(list: EntryList, statement: Statement): Generator<Issue | null> {
  const entries = list.entriesOf(statement);
  const texts = entries.map(({ text }) => list.fold(text));
  const groups = yield* compare(list, statement);
  const places = new Map<string, number>();
  for (const [place, text] of texts.entries()) if (!places.has(text)) places.set(text, place);
  for (const [own, place] of places) {
    yield null;
    const group = groups.get(own);
    // Entries of one meaning, such as `*` and `**`, make one group: that of the first.
    const isCovered = (text: string, other: ReadonlySet<string>) =>
      text !== own &&
      other.has(own) &&
      ((places.get(text) ?? 0) < place || group?.has(text) !== true);
    if (!group || groups.entries().some(([text, other]) => isCovered(text, other))) continue;
    const members = entries.filter((_, at) => group.has(texts[at] ?? ""));
    const others = entries.filter((_, at) => texts[at] !== own && group.has(texts[at] ?? ""));
    const quotedOwn = quoted(entries[place]?.text ?? "");
    yield {
      code: list.code,
      details:
        others.length === 0
          ? `${quotedOwn} is listed ${members.length} times. Keep one.`
          : `${quotedOwn} covers ${firstFew(others, ({ text }) => quoted(text))}. Remove what is covered.`,
      nodes: members.map(({ node }) => node),
    };
  }
}

/** Statements that are equal but for the Sid, the order of lists and the letter case of actions. */
export function redundantStatements({ statements }: Subject): Iterable<Issue | null> {
  // Sorting a statement costs more than all other rules, so only those of one shape with equal hints are compared, and
  // shapes only where their numbers are equal: one of eight statements has a shape, and one of a hundred is sorted.
  const similar = whereRepeated(statements, statements.map(numbersOf));
  return similar.length > 0 ? equalOnes(similar) : noIssues;
}

function* equalOnes(similar: readonly Statement[]): Generator<Issue | null> {
  const shapes = new Map<string, Statement[]>();
  for (const statement of similar) {
    yield null;
    addTo(shapes, shapeOf(statement), statement);
  }
  const alike = [...shapes.values()].filter((one) => one.length > 1).flat();
  const hints: string[] = [];
  for (const statement of alike) {
    yield null;
    hints.push(hintOf(statement));
  }
  const byContent = new Map<string, Statement[]>();
  for (const statement of whereRepeated(alike, hints)) {
    yield null;
    addTo(byContent, sortedJson(contentOf(statement)), statement);
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

/** @returns the items whose key another one has too, in order. */
function whereRepeated<Item>(
  items: readonly Item[],
  keys: readonly (string | number)[],
): readonly Item[] {
  const counts = new Map<string | number | undefined, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  if (counts.size === items.length) return [];
  return items.filter((_, at) => counts.get(keys[at]) !== 1);
}

function addTo(groups: Map<string, Statement[]>, key: string, statement: Statement): void {
  const group = groups.get(key);
  if (group) group.push(statement);
  else groups.set(key, [statement]);
}

/** @returns the numbers of a shape as one, which different shapes may share. */
function numbersOf({ allows, actions, notActions, resources, conditions }: Statement): number {
  let number = (allows ? 31 : 0) + actions.length;
  number = number * 31 + notActions.length;
  number = number * 31 + resources.length;
  number = number * 31 + conditions.length;
  const [action] = actions;
  const [resource] = resources;
  if (actions.length === 1 && action) number = number * 31 + action.text.toLowerCase().length;
  if (resources.length === 1 && resource) number = number * 31 + resource.text.length;
  return number;
}

function shapeOf({ effect, actions, notActions, resources, conditions }: Statement): string {
  const first = actions.length === 1 ? actions[0]?.text.toLowerCase() : "";
  return `${effect} ${actions.length} ${notActions.length} ${resources.length} ${conditions.length} ${first} ${least(resources.map(({ text }) => text))}`;
}

/** @returns texts that equal statements have in common. */
function hintOf({ actions, conditions }: Statement): string {
  return `${least(actions.map(({ text }) => text.toLowerCase()))} ${least(conditions.map(({ key }) => key))}`;
}

/** The text that sorts first: the same for lists that are equal as sets. */
function least(texts: readonly string[]): string {
  let found = texts[0] ?? "";
  for (const text of texts) if (text < found) found = text;
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
