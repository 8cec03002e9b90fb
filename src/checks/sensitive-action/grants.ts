import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import type { Action, ActionMatch, Service } from "../../services/model.ts";
import { actionsOf, type ReadAction } from "../../services/statement-actions.ts";
import { namesMatching, namesOfExpression } from "../shared/action-grants.ts";
import { sensitiveActionIgnoringCase } from "./catalogue.ts";
import { notableActions, notableIn } from "./notable.ts";
import type { Group, Member, Rules } from "./rules.ts";
import type { KnownAction, Sensitive } from "./sensitive.ts";
import { categoryOf } from "./severity.ts";
import { wideOnlyCategory } from "./wide-only.ts";

/** A sensitive action, and the entry of `Action` that grants it. */
export interface Granted {
  readonly name: string;
  readonly entry: Entry;
  readonly sensitive: Sensitive;
}

type Lookup = Pick<CheckContext, "match" | "matches">;

const ignoreCase = { ignoreCase: true } as const;

/** @returns whether the name is the member, or is among those that it matches. */
function isMember(name: string, { text, isExpression }: Member, { matches }: Lookup): boolean {
  if (isExpression) return matches(text, name, "start");
  return globMatches(text, name, ignoreCase);
}

/**
 * @returns the names among those that an entry of `Action` matches and a member of a group
 * means. `*` counts for none: other checks report it.
 */
export function namesGranted(text: string, member: Member, lookup: Lookup): readonly string[] {
  const meaning = lookup.match(text);
  switch (meaning.kind) {
    case "any":
      return [];
    case "action": {
      const { qualified } = meaning.action;
      return isMember(qualified, member, lookup) ? [qualified] : [];
    }
    case "pattern": {
      const names = member.isExpression
        ? namesOfExpression(meaning.service, member.text)
        : namesMatching(meaning.service, member.text);
      return names.filter((name) => globMatches(text, name, ignoreCase));
    }
    default:
      if (isMember(text, member, lookup)) return [text];
      return !member.isExpression && hasWildcard(text) && globMatches(text, member.text, ignoreCase)
        ? [text]
        : [];
  }
}

function isSensitive(name: string, rules: Rules, lookup: Lookup): boolean {
  return (
    rules.builtin.has(name.toLowerCase()) ||
    rules.isWideOnly(name) ||
    rules.singles.some((member) => isMember(name, member, lookup)) ||
    rules.together.some(({ members }) => members.every((one) => isMember(name, one, lookup)))
  );
}

/** Whether the operator names actions at statement level, which may be any. */
function hasOwn({ singles, together, groups }: Rules): boolean {
  return singles.length + together.length + groups.length > 0;
}

/** The actions of a service that are sensitive by themselves. The rules and the reference never change. */
const sensitiveIn = memo((_: Rules) => new WeakMap<Service, ReadonlyMap<Action, Sensitive>>());

function sensitiveOf(
  service: Service,
  rules: Rules,
  lookup: Lookup,
): ReadonlyMap<Action, Sensitive> {
  const byService = sensitiveIn(rules);
  let sensitive = byService.get(service);
  if (!sensitive) {
    const among = hasOwn(rules) ? service.actions : [...notableIn(service)];
    sensitive = new Map(
      among
        .filter(({ qualified }) => isSensitive(qualified, rules, lookup))
        .map((action) => [action, read(action.qualified, { action, service }, rules, lookup)]),
    );
    byService.set(service, sensitive);
  }
  return sensitive;
}

function read(name: string, known: KnownAction | null, rules: Rules, lookup: Lookup): Sensitive {
  return {
    name,
    known,
    category: categoryOf(name),
    listed: sensitiveActionIgnoringCase(name)?.severity,
    isWideOnly: wideOnlyCategory(name) !== undefined,
    countsOnlyWide: countsOnlyWide(name, rules, lookup),
  };
}

/** Whether the action counts on every resource only. */
function countsOnlyWide(name: string, rules: Rules, lookup: Lookup): boolean {
  const lower = name.toLowerCase();
  if (rules.builtin.has(lower) || !rules.isWideOnly(lower)) return false;
  return ![...rules.singles, ...rules.groups.flatMap(({ members }) => members)].some((member) =>
    isMember(name, member, lookup),
  );
}

/** @returns the entries of `Action` that may grant sensitive actions. */
export function sensitiveEntries(
  statement: Statement,
  rules: Rules,
  lookup: Lookup,
): readonly ReadAction[] {
  return hasOwn(rules)
    ? actionsOf(statement, lookup.match).read
    : notableActions(statement, lookup);
}

/** @returns the sensitive actions that the statement grants, in the order of its entries, each once. */
export function sensitiveGrants(
  statement: Statement,
  rules: Rules,
  lookup: Lookup,
): readonly Granted[] {
  let once: Map<string, Granted> | undefined;
  const inGroups = rules.groups.length > 0 ? groupNames(statement, rules.groups, lookup) : null;
  for (const { entry, meaning } of sensitiveEntries(statement, rules, lookup)) {
    const alone = sensitiveGranted(entry.text, meaning, rules, lookup);
    const grouped = inGroups?.get(entry) ?? none;
    for (const sensitive of withGroups(alone, grouped, rules, lookup)) {
      const { name } = sensitive;
      once ??= new Map();
      if (!once.has(name)) once.set(name, { name, entry, sensitive });
    }
  }
  return once ? [...once.values()] : none;
}

/** @returns `alone` with the names of groups, sorted where there are any. */
function withGroups(
  alone: readonly Sensitive[],
  grouped: readonly string[],
  rules: Rules,
  lookup: Lookup,
): readonly Sensitive[] {
  if (grouped.length === 0) return alone;
  const names = [...new Set([...alone.map(({ name }) => name), ...grouped])].sort();
  return names.map((name) => {
    const meaning = lookup.match(name);
    return read(name, meaning.kind === "action" ? meaning : null, rules, lookup);
  });
}

const none: readonly never[] = [];

/** The sensitive actions of a service among what a pattern matches. */
const amongActions = memo(
  (_: ReadonlyMap<Action, Sensitive>) => new WeakMap<readonly Action[], readonly Sensitive[]>(),
);

function sensitiveGranted(
  text: string,
  meaning: ActionMatch,
  rules: Rules,
  lookup: Lookup,
): readonly Sensitive[] {
  switch (meaning.kind) {
    case "any":
      return none;
    case "action": {
      const found = sensitiveOf(meaning.service, rules, lookup).get(meaning.action);
      return found ? [found] : none;
    }
    case "pattern": {
      const sensitive = sensitiveOf(meaning.service, rules, lookup);
      if (sensitive.size === 0) return none;
      const known = amongActions(sensitive);
      let granted = known.get(meaning.actions);
      if (!granted) {
        granted = meaning.actions.flatMap((action) => sensitive.get(action) ?? none);
        known.set(meaning.actions, granted);
      }
      return granted;
    }
    default:
      return isSensitive(text, rules, lookup) ? [read(text, null, rules, lookup)] : none;
  }
}

/** Names of the groups of which the statement grants every member, by the entry that grants them. */
function groupNames(
  { actions }: Statement,
  groups: readonly Group[],
  lookup: Lookup,
): ReadonlyMap<Entry, readonly string[]> {
  const byEntry = new Map<Entry, string[]>();
  for (const { members } of groups) {
    const granted = members.map((member) =>
      actions.flatMap((entry) =>
        namesGranted(entry.text, member, lookup).map((name) => ({ name, entry })),
      ),
    );
    if (granted.some((list) => list.length === 0)) continue;
    for (const { name, entry } of granted.flat()) {
      byEntry.set(entry, [...(byEntry.get(entry) ?? []), name]);
    }
  }
  return byEntry;
}
