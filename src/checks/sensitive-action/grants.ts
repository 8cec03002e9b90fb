import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import type { Action, ActionMatch, Service } from "../../services/model.ts";
import { actionsOf } from "../../services/statement-actions.ts";
import { namesMatching, namesOfExpression } from "../shared/action-grants.ts";
import type { Group, Member, Rules } from "./rules.ts";
import { mayNameResourcePolicy, wideOnlyActions } from "./wide-only.ts";

/** A sensitive action, and the entry of `Action` that grants it. */
export interface Granted {
  readonly name: string;
  readonly entry: Entry;
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

/** Whether an action is sensitive by itself, kept per service: neither ever changes. */
const sensitiveNames = new WeakMap<Rules, WeakMap<Service, ReadonlySet<string>>>();

function isSensitive(name: string, rules: Rules, lookup: Lookup): boolean {
  return (
    rules.builtin.has(name.toLowerCase()) ||
    rules.isWideOnly(name) ||
    rules.singles.some((member) => isMember(name, member, lookup)) ||
    rules.together.some(({ members }) => members.every((one) => isMember(name, one, lookup)))
  );
}

/** Service prefixes of the built-in names. */
const builtinServices = memo(
  ({ builtin, isWideOnly }: Rules): ReadonlySet<string> =>
    new Set(
      [...builtin, ...wideOnlyActions.filter(isWideOnly)].map((name) =>
        name.slice(0, name.indexOf(":")),
      ),
    ),
);

/** Most services have no sensitive action, and a policy may have hundreds of services. */
function mayHaveSensitive({ prefix, actions }: Service, rules: Rules): boolean {
  const hasOwn = rules.singles.length > 0 || rules.together.length > 0;
  if (hasOwn || builtinServices(rules).has(prefix)) return true;
  return actions.some(({ name }) => mayNameResourcePolicy(name));
}

function sensitiveNamesOf(service: Service, rules: Rules, lookup: Lookup): ReadonlySet<string> {
  let byService = sensitiveNames.get(rules);
  if (!byService) {
    byService = new WeakMap();
    sensitiveNames.set(rules, byService);
  }
  let names = byService.get(service);
  if (!names) {
    const actions = mayHaveSensitive(service, rules) ? service.actions : none;
    names = new Set(
      actions.map(({ qualified }) => qualified).filter((name) => isSensitive(name, rules, lookup)),
    );
    byService.set(service, names);
  }
  return names;
}

/** @returns whether the action counts on every resource only. */
export function countsOnlyWide(name: string, rules: Rules, lookup: Lookup): boolean {
  const lower = name.toLowerCase();
  if (rules.builtin.has(lower) || !rules.isWideOnly(lower)) return false;
  return ![...rules.singles, ...rules.groups.flatMap(({ members }) => members)].some((member) =>
    isMember(name, member, lookup),
  );
}

/** @returns the sensitive actions that the statement grants, in the order of its entries, each once. */
export function sensitiveGrants(statement: Statement, rules: Rules, lookup: Lookup): Granted[] {
  const { read, services, areNames } = actionsOf(statement, lookup.match);
  if (areNames && rules.groups.length === 0) {
    const isHarmless = (one: Service) => sensitiveNamesOf(one, rules, lookup).size === 0;
    if (services.values().every(isHarmless)) return [];
  }
  const once = new Map<string, Granted>();
  const inGroups = rules.groups.length > 0 ? groupNames(statement, rules.groups, lookup) : null;
  for (const { entry, meaning } of read) {
    const alone = sensitiveNamesGranted(entry.text, meaning, rules, lookup);
    const grouped = inGroups?.get(entry) ?? none;
    if (alone.length + grouped.length === 0) continue;
    const names = grouped.length > 0 ? [...new Set([...alone, ...grouped])].sort() : alone;
    for (const name of names) {
      if (!once.has(name)) once.set(name, { name, entry });
    }
  }
  return [...once.values()];
}

const none: readonly never[] = [];

/** The sensitive names of a service among what a pattern matches. */
const amongActions = memo(
  (_: ReadonlySet<string>) => new WeakMap<readonly Action[], readonly string[]>(),
);

function sensitiveNamesGranted(
  text: string,
  meaning: ActionMatch,
  rules: Rules,
  lookup: Lookup,
): readonly string[] {
  switch (meaning.kind) {
    case "any":
      return [];
    case "action": {
      const names = sensitiveNamesOf(meaning.service, rules, lookup);
      if (names.size === 0) return none;
      const { qualified } = meaning.action;
      return names.has(qualified) ? [qualified] : none;
    }
    case "pattern": {
      const names = sensitiveNamesOf(meaning.service, rules, lookup);
      if (names.size === 0) return none;
      const known = amongActions(names);
      let granted = known.get(meaning.actions);
      if (!granted) {
        // The actions are in the order of the service's, and so are the names.
        granted = meaning.actions.flatMap(({ qualified }) =>
          names.has(qualified) ? qualified : none,
        );
        known.set(meaning.actions, granted);
      }
      return granted;
    }
    default:
      return isSensitive(text, rules, lookup) ? [text] : none;
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
