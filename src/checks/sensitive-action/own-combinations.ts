import type { CheckContext, Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { grantCondition } from "../shared/grants/grant-conditions.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { fillIn, listed, listedPlain } from "../shared/texts.ts";
import { namesGranted } from "./grants.ts";
import { oneStepLower } from "./ladder.ts";
import type { SensitiveOptions } from "./options.ts";
import { placesOf } from "./places.ts";
import { type Group, type Member, type Rules, rulesOf } from "./rules.ts";

type Context = CheckContext<SensitiveOptions>;

/** The statements that grant a member of a group. */
interface MemberGrant {
  /** Names the policy grants, each once. */
  readonly names: Set<string>;
  readonly statements: Set<Statement>;
}

/** One report for each of the operator's combinations of which the policy grants every member. */
export function* ownCombinationReports(context: Context): Generator<Report> {
  const rules = rulesOf(context.options);
  if (rules.ownCombinations.length === 0) return;
  const grants = grantsOfMembers(rules, context);
  if (grants.size === 0) return;
  for (const group of rules.ownCombinations) {
    const granted = group.members.map((member) => grants.get(keyOf(member)));
    if (!granted.every((grant) => grant !== undefined)) continue;
    yield report(group, granted, context);
  }
}

/** Members by the service they name; those that any service may have are under the empty text. */
interface MemberIndex {
  of(service: string): readonly Member[];
}

const indexes = new WeakMap<Rules, MemberIndex>();

function indexOf(rules: Rules): MemberIndex {
  let index = indexes.get(rules);
  if (!index) {
    const members = new Map(allMembers(rules).map((one) => [keyOf(one), one]));
    const byService = Map.groupBy(members.values(), serviceOf);
    const anywhere = byService.get("") ?? [];
    const kept = new Map([...byService].map(([key, list]) => [key, [...list, ...anywhere]]));
    index = { of: (service) => kept.get(service) ?? anywhere };
    indexes.set(rules, index);
  }
  return index;
}

function keyOf({ text, isExpression }: Member): string {
  return isExpression ? `~${text}` : text.toLowerCase();
}

/** @returns the service that a member names, in lower case; empty when any may do. */
function serviceOf({ text, isExpression }: Member): string {
  const service = text.slice(0, Math.max(0, text.indexOf(":"))).toLowerCase();
  return isExpression || hasWildcard(service) ? "" : service;
}

function grantsOfMembers(rules: Rules, context: Context): ReadonlyMap<string, MemberGrant> {
  const index = indexOf(rules);
  const grants = new Map<string, MemberGrant>();
  for (const statement of context.policy.statements) {
    if (!statement.allows) continue;
    for (const { text } of statement.actions) {
      const service = text.slice(0, Math.max(0, text.indexOf(":"))).toLowerCase();
      for (const member of hasWildcard(service) ? allMembers(rules) : index.of(service)) {
        const names = namesGranted(text, member, context).filter(
          (action) =>
            !grantsOf(statement, context).isTakenBack(action) &&
            !context.ignoresAction({ action, statement: null }),
        );
        if (names.length === 0) continue;
        const key = keyOf(member);
        const grant = grants.get(key) ?? { names: new Set(), statements: new Set() };
        for (const name of names) grant.names.add(name);
        grant.statements.add(statement);
        grants.set(key, grant);
      }
    }
  }
  return grants;
}

function allMembers({ ownCombinations }: Rules): Member[] {
  return ownCombinations.flatMap(({ members }) => members);
}

function report(group: Group, granted: readonly MemberGrant[], context: Context): Report {
  const isConditioned = granted.every(({ statements }) =>
    statements.values().every((statement) => grantCondition(statement, context).counts),
  );
  const found = granted.map(
    ({ names, statements }) =>
      `${listed([...names], 3)} (${placesOf(statements, context).join(", ")})`,
  );
  const note = isConditioned
    ? " Every statement concerned has a condition, so the severity is lower."
    : "";
  const all = new Set(granted.flatMap(({ statements }) => [...statements]));
  const own =
    group.message &&
    fillIn(group.message, {
      actions: listedPlain([...new Set(granted.flatMap(({ names }) => [...names]))]),
      statements: placesOf(all, context).join(", "),
    });
  const full = group.severity ?? context.severity;
  return {
    issue_type: "privilege_escalation",
    severity: isConditioned ? oneStepLower(full) : full,
    message: own || `Together, ${found.join(" and ")} allow more than each of them alone.${note}`,
    suggestion:
      group.suggestion ??
      "Give the actions to different identities, or limit each of them with conditions.",
    example: group.example,
    identity: group.members.map(keyOf).sort().join(" "),
  };
}
