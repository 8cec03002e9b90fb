import type { CheckContext } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy } from "../../policy/model.ts";
import { grantCondition } from "../shared/grants/grant-conditions.ts";
import {
  type ActionGrant,
  type GrantsByAction,
  grantsByAction,
  passRoleGrants,
  resourcesOverlap,
} from "./member-grants.ts";
import type { SensitiveOptions } from "./options.ts";
import { type EscalationPathRow, escalationPaths } from "./path-table.ts";
import { rulesOf } from "./rules.ts";
import { passRoleAction } from "./wanted-actions.ts";

type Context = CheckContext<SensitiveOptions>;

/** Keys that end what attaches or writes a policy. */
const endedBy: ReadonlyMap<string, readonly string[]> = new Map([
  ["iam:attachuserpolicy", ["iam:PolicyARN", "iam:PermissionsBoundary"]],
  ["iam:attachrolepolicy", ["iam:PolicyARN", "iam:PermissionsBoundary"]],
  ["iam:attachgrouppolicy", ["iam:PolicyARN"]],
  ["iam:putuserpolicy", ["iam:PermissionsBoundary"]],
  ["iam:putrolepolicy", ["iam:PermissionsBoundary"]],
]);

/** Types of IAM identities; members that act on the same type have to reach the same one. */
const actsOn: ReadonlyMap<string, "user" | "role"> = new Map<string, "user" | "role">([
  ["iam:createuser", "user"],
  ["iam:attachuserpolicy", "user"],
  ["iam:putuserpolicy", "user"],
  ["iam:createaccesskey", "user"],
  ["iam:deleteaccesskey", "user"],
  ["iam:createrole", "role"],
  ["iam:attachrolepolicy", "role"],
  ["iam:putrolepolicy", "role"],
  ["iam:updateassumerolepolicy", "role"],
  ["sts:assumerole", "role"],
]);

const passRole = passRoleAction.toLowerCase();

/** The grants of each member of a path or combination. */
export type Members = readonly (readonly ActionGrant[])[];

/** A path or combination. */
interface Wanted {
  readonly lowerActions: readonly string[];
  /** Services that assume a passed role; empty: any. */
  readonly passedTo: readonly string[];
}

/** @returns null unless every member is granted, on an identity that the others reach too. */
export function membersOf(
  { lowerActions, passedTo }: Wanted,
  grants: GrantsByAction,
  context: CheckContext<unknown>,
): Members | null {
  for (const lower of lowerActions) if (!grants.has(lower)) return null;
  const members = lowerActions.map((lower) => {
    const all = lower === passRole ? passRoleGrants(grants, passedTo) : (grants.get(lower) ?? []);
    const keys = lowerActions.length > 1 ? endedBy.get(lower) : undefined;
    if (!keys) return all;
    return all.filter(({ limited }) => {
      const condition = grantCondition(limited, context);
      return !keys.some((key) => condition.limitedBy(key));
    });
  });
  if (members.some((list) => list.length === 0)) return null;
  return meetOnIdentity(lowerActions, members) ? members : null;
}

function meetOnIdentity(names: readonly string[], members: Members): boolean {
  for (const type of ["user", "role"] as const) {
    const same = members.filter((_, at) => actsOn.get(names[at] ?? "") === type);
    const [first, second] = same;
    if (!first || !second) continue;
    if (!first.some((one) => second.some((other) => resourcesOverlap(one, other)))) return false;
  }
  return true;
}

/** A documented path of which the policy grants every action. */
export interface GrantedPath {
  readonly path: EscalationPathRow;
  readonly members: Members;
}

const noPaths: readonly GrantedPath[] = [];
const granted = new FactSlot<Policy, readonly GrantedPath[]>();

/** @returns the documented paths that an identity policy grants, in the order of the table. */
export function grantedPaths(context: Context): readonly GrantedPath[] {
  if (context.policy.type !== "IDENTITY_POLICY" || !rulesOf(context.options).findsPaths) {
    return noPaths;
  }
  let paths = granted.get(context.policy);
  if (!paths) {
    paths = findPaths(context);
    granted.set(context.policy, paths);
  }
  return paths;
}

function findPaths(context: Context): readonly GrantedPath[] {
  const grants = grantsByAction(context);
  if (grants.size === 0) return noPaths;
  const paths: GrantedPath[] = [];
  for (const path of escalationPaths) {
    const members = membersOf(path, grants, context);
    if (members) paths.push({ path, members });
  }
  return paths;
}

/** Actions that are a path by themselves, in lower case. */
const aloneActions: ReadonlySet<string> = new Set(
  escalationPaths.flatMap(({ lowerActions }) => (lowerActions.length === 1 ? lowerActions : [])),
);

const byAction = new FactSlot<Policy, ReadonlyMap<string, readonly string[]>>();

/**
 * @returns ids of granted paths by the action that is a path by itself, in lower case: its
 * `missing_condition` finding names them.
 */
export function pathsByAction(context: Context): ReadonlyMap<string, readonly string[]> {
  let ids = byAction.get(context.policy);
  if (!ids) {
    const found = new Map<string, string[]>();
    for (const { path } of grantedPaths(context)) {
      for (const lower of path.lowerActions) {
        if (!aloneActions.has(lower)) continue;
        found.set(lower, [...(found.get(lower) ?? []), path.id]);
      }
    }
    ids = found;
    byAction.set(context.policy, ids);
  }
  return ids;
}

/** @returns whether the action is a documented path by itself. */
export function isPathAlone(action: string): boolean {
  return aloneActions.has(action.toLowerCase());
}
