import type { ConfiguredSeverity } from "../../../spec/severity.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { passRoleRows } from "../shared/grants/pass-role-rows.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { listed } from "../shared/texts.ts";
import { limitPassRole } from "./combinations.ts";
import { oneStepLower } from "./ladder.ts";
import { type ActionGrant, grantsByAction, passRoleGrants, readGrants } from "./member-grants.ts";
import type { SensitiveOptions } from "./options.ts";
import { ownCombinationReports } from "./own-combinations.ts";
import { pageOfPath } from "./path-table.ts";
import { type GrantedPath, grantedPaths, isPathAlone, type Members, membersOf } from "./paths.ts";
import { placesOf } from "./places.ts";
import { rulesOf } from "./rules.ts";
import { categoryOf } from "./severity.ts";
import { passRoleAction } from "./wanted-actions.ts";

type Context = CheckContext<SensitiveOptions>;

/**
 * What the statements of a policy let its holder gain together: built-in combinations, pairs with
 * `iam:PassRole`, documented paths that neither covers, and combinations of the operator.
 */
export function* escalationReports(context: Context): Generator<Report | null> {
  if (context.policy.type === "IDENTITY_POLICY" && (yield* readGrants(context)).size > 0) {
    const found = builtinFindings(context);
    for (const one of found) yield reportOf(one, context);
  }
  yield* ownCombinationReports(context);
}

/** One way to gain rights, as it is reported. */
interface Escalation {
  /** What the holder may do; follows "May". */
  readonly may: string;
  readonly suggestion: string;
  readonly severity: ConfiguredSeverity;
  readonly nameLimits: boolean;
  readonly actions: readonly string[];
  readonly members: Members;
  /** The grants of the member that decides, the strongest first. */
  readonly deciding: readonly ActionGrant[];
  readonly services: readonly string[];
  readonly paths: string[];
  /** A condition on the deciding member alone limits what is gained. */
  readonly decidingLimits?: true;
}

function builtinFindings(context: Context): Escalation[] {
  const found = combinationsOf(context);
  const pairs = pairsOf(found, context);
  if (pairs) found.push(pairs);
  const uncovered: GrantedPath[] = [];
  for (const granted of grantedPaths(context)) {
    const parts = found.filter((one) => isPartOf(one, granted, one === pairs));
    for (const part of parts) part.paths.push(granted.path.id);
    if (parts.length === 0 && !isNamedElsewhere(granted)) uncovered.push(granted);
  }
  return [...found, ...pathFindings(uncovered)];
}

function combinationsOf(context: Context): Escalation[] {
  const grants = grantsByAction(context);
  const found: Escalation[] = [];
  for (const combination of rulesOf(context.options).combinations) {
    const members = membersOf(combination, grants, context);
    if (!members) continue;
    const { allOf, deciding, may, suggestion, severity, nameLimits, passedTo } = combination;
    found.push({
      may,
      suggestion,
      severity,
      nameLimits,
      actions: allOf,
      members,
      deciding: strongestFirst(members[allOf.indexOf(deciding)] ?? []),
      services: passedTo,
      paths: [],
    });
  }
  return found;
}

/** An action that uses a role, and the grants of `iam:PassRole` on every role that it may use. */
interface PairRow {
  readonly action: string;
  readonly services: readonly string[];
  readonly users: readonly ActionGrant[];
  readonly wide: readonly ActionGrant[];
}

const pairRows = passRoleRows.map(({ services, actions }) => ({
  services,
  actions: actions.map((action) => ({ action, lower: action.toLowerCase() })),
}));

/** `iam:PassRole` on every role beside actions that use it and that no combination reports (5.13). */
function pairsOf(found: readonly Escalation[], context: Context): Escalation | null {
  if (!rulesOf(context.options).findsPaths) return null;
  const grants = grantsByAction(context);
  if (!grants.has(passRoleAction.toLowerCase())) return null;
  const reported = new Set(
    found
      .filter(({ actions }) => actions.includes(passRoleAction))
      .flatMap(({ actions }) => actions.map((action) => action.toLowerCase())),
  );
  const rows: PairRow[] = [];
  for (const { services, actions } of pairRows) {
    // Most rows have no action that is granted, and who may get the role takes longer to say.
    let wide: readonly ActionGrant[] | undefined;
    for (const { action, lower } of actions) {
      const users = grants.get(lower);
      if (!users || reported.has(lower)) continue;
      wide ??= passRoleGrants(grants, services).filter(({ breadth }) => breadth === "everything");
      if (wide.length === 0) break;
      rows.push({ action, services, users, wide });
    }
  }
  if (rows.length === 0) return null;
  const wide = [...new Set(rows.flatMap((row) => row.wide))];
  const actions = [...new Set(rows.map(({ action }) => action))];
  return {
    may: `pass any role to ${joinWords(
      [...new Set(rows.flatMap(({ services }) => services.slice(0, 1)))]
        .slice(0, 3)
        .map((one) => quote(one)),
      0,
      "or",
    )}`,
    suggestion: limitPassRole,
    severity: "high",
    nameLimits: true,
    actions: [passRoleAction, ...actions],
    members: [
      wide,
      ...actions.map((action) =>
        rows.filter((row) => row.action === action).flatMap(({ users }) => users),
      ),
    ],
    deciding: strongestFirst(wide),
    services: [...new Set(rows.flatMap(({ services }) => services))],
    paths: [],
  };
}

/**
 * A path has all members of a combination, or passes a role to some of them; of the pairs it has
 * `iam:PassRole` and one other.
 */
function isPartOf({ actions }: Escalation, { path }: GrantedPath, isPairs: boolean): boolean {
  if (!isPairs) {
    const isWithin =
      path.actions.includes(passRoleAction) &&
      path.actions.every((action) => actions.includes(action));
    return isWithin || actions.every((action) => path.actions.includes(action));
  }
  return (
    path.actions.includes(passRoleAction) &&
    actions.some((action) => action !== passRoleAction && path.actions.includes(action))
  );
}

/**
 * An action that is a path by itself is the business of `missing_condition`, with all paths that need
 * it. Those that are not in its list are a finding here, unless a condition or the breadth limits them.
 */
function isNamedElsewhere({ path, members }: GrantedPath): boolean {
  if (path.actions.some((action) => isPathAlone(action) && categoryOf(action) !== undefined)) {
    return true;
  }
  const [grants = [], ...others] = members;
  return (
    others.length === 0 &&
    grants.every(({ isConditioned, breadth }) => isConditioned || breadth === "caller")
  );
}

const byCategory = {
  "self-escalation": "raise its own rights",
  "principal-access": "get the rights of another user or role",
  "new-passrole": "start something that runs with a role",
  "existing-passrole": "use the role of something that already runs with it",
} as const;

/** One finding for the paths that share the service a role goes to, or the action they begin with. */
function pathFindings(uncovered: readonly GrantedPath[]): Escalation[] {
  if (uncovered.length === 0) return [];
  const groups = Map.groupBy(uncovered, ({ path }) =>
    path.actions.includes(passRoleAction) ? `passed ${path.passedTo[0]}` : path.id,
  );
  return Array.from(groups.values(), (group) => {
    const actions = [...new Set(group.flatMap(({ path }) => path.actions))];
    const members = actions.map((action) => {
      const holder = group.find(({ path }) => path.actions.includes(action));
      return holder?.members[holder.path.actions.indexOf(action)] ?? [];
    });
    const [first] = group;
    const services = [...new Set(group.flatMap(({ path }) => path.passedTo))];
    const category = first?.path.category ?? "existing-passrole";
    const passed = services[0] ? ` that it passes to ${quote(services[0])}` : "";
    return {
      may: `${byCategory[category]}${category === "new-passrole" ? passed : ""}`,
      suggestion: actions.includes(passRoleAction)
        ? limitPassRole
        : "Name the resources, limit them by tag, or give the actions to different identities.",
      severity: "high",
      nameLimits: true,
      actions,
      members,
      deciding: strongestFirst(members[Math.max(0, actions.indexOf(passRoleAction))] ?? []),
      services,
      paths: group.map(({ path }) => path.id),
      // The other actions of a path find or start what the first one reaches.
      ...(category === "existing-passrole" ? { decidingLimits: true } : {}),
    };
  });
}

const strength = { none: 0, caller: 1, self: 1, named: 2, everything: 3 } as const;

function strongestFirst(grants: readonly ActionGrant[]): ActionGrant[] {
  return grants.toSorted((one, other) => strength[other.breadth] - strength[one.breadth]);
}

function reportOf(found: Escalation, context: Context): Report {
  const { actions, members, paths } = found;
  const [deciding] = found.deciding;
  const isNamed = deciding?.breadth !== "everything";
  const isLimited = (grants: readonly ActionGrant[]) => grants.every((one) => one.isConditioned);
  const isConditioned = members.every(isLimited);
  let { severity } = found;
  if (isNamed && found.nameLimits) severity = oneStepLower(oneStepLower(severity));
  if (isConditioned || (found.decidingLimits && isLimited(found.deciding))) {
    severity = oneStepLower(severity);
  }
  const note = isConditioned ? " Every statement concerned has a condition that limits it." : "";
  return {
    issue_type: "privilege_escalation",
    severity,
    ...(deciding ? { node: deciding.entry.node } : {}),
    message: `May ${found.may}: ${grantsText(found, context)}.${note}`,
    suggestion: found.suggestion,
    escalation_paths: paths.map((id) => ({ id, url: pageOfPath(id) })),
    identity: `${actions.toSorted().join(" ")} ${isNamed ? "named" : "everything"}`,
  };
}

/** More members than this are counted. */
const mostMembers = 6;

function grantsText({ actions, members }: Escalation, context: Context): string {
  const texts = actions.slice(0, mostMembers).map((action, at) => {
    const grants = members[at] ?? [];
    const statements = new Set(grants.map(({ statement }) => statement));
    return `${quote(action)}${reachText(grants, statements)} (${placesOf(statements, context).join(", ")})`;
  });
  const left = actions.length - mostMembers;
  return joinWords(texts, Math.max(0, left), "and");
}

/** Only the reach of `iam:PassRole` says how much the caller gains, so only this one is shown. */
function reachText(grants: readonly ActionGrant[], statements: ReadonlySet<Statement>): string {
  if (!grants.some(({ name, breadth }) => name === passRoleAction && breadth === "everything")) {
    return "";
  }
  const [resource] = [...statements].flatMap(({ resources }) => resources.slice(0, 1));
  return resource ? ` on ${listed([resource.text])}` : "";
}
