import type { CheckContext } from "../../engine/check.ts";
import { replaceVariables } from "../../policy/arn.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches, globsOverlap, isAnyAction } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
import { readCondition } from "../shared/condition-limits.ts";
import { grantCondition } from "../shared/grants/grant-conditions.ts";
import { type Breadth, grantsOf } from "../shared/grants/grants.ts";
import { underDenies } from "../shared/grants/under-denies.ts";
import { namesGranted } from "./grants.ts";
import { notableActions } from "./notable.ts";
import { escalationPaths } from "./path-table.ts";
import {
  completeAmong,
  mayBeWanted,
  passRoleAction,
  wantedBy,
  wantedIn,
} from "./wanted-actions.ts";

/** One entry of `Action` that grants an action of a path or combination. */
export interface ActionGrant {
  /** `service:Name` in AWS's spelling. */
  readonly name: string;
  readonly statement: Statement;
  /** The statement with what the Denies of the policy ask of the action. */
  readonly limited: Statement;
  readonly entry: Entry;
  readonly breadth: Breadth;
  /** The statement, or a Deny, has a condition that limits. */
  readonly isConditioned: boolean;
  /** The entry is `*` or an element `NotAction`, which other checks report. */
  readonly isWide: boolean;
}

export type GrantsByAction = ReadonlyMap<string, readonly ActionGrant[]>;

const known = new FactSlot<Policy, GrantsByAction>();

type Context = CheckContext<unknown>;

/**
 * @returns what the policy grants of the built-in combinations, pairs and paths of which it may grant all, by lower-case
 * action.
 */
export function grantsByAction(context: Context): GrantsByAction {
  let grants = known.get(context.policy);
  if (!grants) {
    grants = finished(collect(context, true));
    known.set(context.policy, grants);
  }
  return grants;
}

/**
 * The same for a check whose ignore patterns differ from those of `sensitive_action`, with the actions that
 * complete no path.
 */
export function grantsFor(context: Context): GrantsByAction {
  return finished(collect(context, false));
}

/** The same, ahead of time; yields null where control may be handed back. */
export function* readGrants(context: Context): Generator<null, GrantsByAction> {
  const grants = known.get(context.policy) ?? (yield* collect(context, true));
  known.set(context.policy, grants);
  return grants;
}

function finished(reading: Generator<null, GrantsByAction>): GrantsByAction {
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

/** Entries that are read before control may be handed back. */
const entriesAtOnce = 128;

const nothing: GrantsByAction = new Map();

/**
 * How far the entries reach is asked only of actions that may count: most policies have some of a path, and few have
 * all of one.
 */
function* collect(context: Context, complete: boolean): Generator<null, GrantsByAction> {
  const entries = yield* wantedEntries(context);
  if (entries.size === 0) return nothing;
  const found = new Map<string, ActionGrant[]>();
  let read = 0;
  for (const lower of complete ? completeAmong(entries) : entries.keys()) {
    for (const { name, statement, entry, known } of entries.get(lower) ?? []) {
      if (++read % entriesAtOnce === 0) yield null;
      const grants = grantsOf(statement, context);
      const breadth = known
        ? grants.breadthOf(known.action, known.service)
        : grants.breadthOfEntry(name);
      add(grantOf(name, breadth, statement, entry, context), found);
    }
  }
  return found;
}

/** An entry of `Action` that matches an action of a path or combination. */
interface WantedEntry {
  readonly name: string;
  readonly statement: Statement;
  readonly entry: Entry;
  /** Null where the entry is not the name of a known action. */
  readonly known: { readonly action: Action; readonly service: Service } | null;
}

/** By lower-case action. */
function* wantedEntries(
  context: Context,
): Generator<null, ReadonlyMap<string, readonly WantedEntry[]>> {
  const found = new Map<string, WantedEntry[]>();
  let read = 0;
  for (const statement of context.policy.statements) {
    if (!statement.allows || statement.actions.length === 0) continue;
    for (const { entry, meaning } of notableActions(statement, context)) {
      if (++read % entriesAtOnce === 0) yield null;
      if (meaning.kind === "action") {
        const name = wantedIn(meaning.service).get(meaning.action);
        if (name === undefined || context.ignoresAction({ action: name, statement: null }))
          continue;
        add({ name, statement, entry, known: meaning }, found);
        continue;
      }
      if ("service" in meaning && !mayBeWanted(meaning.service)) continue;
      for (const name of wantedBy(entry.text)) {
        const isGranted =
          namesGranted(entry.text, { text: name, isExpression: false }, context).length > 0;
        if (!isGranted || context.ignoresAction({ action: name, statement: null })) continue;
        add({ name, statement, entry, known: null }, found);
      }
    }
  }
  return found;
}

function grantOf(
  name: string,
  breadth: Breadth,
  statement: Statement,
  entry: Entry,
  context: Context,
  isWide = false,
): ActionGrant | null {
  if (breadth === "none") return null;
  const limited = underDenies(statement, name, context);
  const isConditioned = grantCondition(limited, context).counts;
  return { name, statement, limited, entry, breadth, isConditioned, isWide };
}

function add<One extends { readonly name: string }>(
  one: One | null,
  found: Map<string, One[]>,
): void {
  if (!one) return;
  const lower = one.name.toLowerCase();
  const list = found.get(lower);
  if (list) list.push(one);
  else found.set(lower, [one]);
}

/** @returns whether the statement grants by `*` or `NotAction`. */
export function isWide({ allows, actions, notActions }: Statement): boolean {
  return allows && (notActions.length > 0 || actions.some(({ text }) => isAnyAction(text)));
}

/** @returns `grants` with what the statements add that grant by `*` or `NotAction`. */
export function withWideGrants(grants: GrantsByAction, context: Context): GrantsByAction {
  const found = new Map(Array.from(grants, ([name, list]) => [name, [...list]]));
  for (const statement of context.policy.statements) {
    if (!isWide(statement)) continue;
    const [excluded] = statement.notActions;
    const entry = excluded ?? statement.actions.find(({ text }) => isAnyAction(text));
    if (!entry) continue;
    for (const name of ofPaths) {
      const isExcluded = statement.notActions.some(({ text }) =>
        globMatches(text, name, { ignoreCase: true }),
      );
      if (isExcluded) continue;
      const breadth = grantsOf(statement, context).breadthOfEntry(name);
      add(grantOf(name, breadth, statement, entry, context, true), found);
    }
  }
  return found;
}

const ofPaths: ReadonlySet<string> = new Set(escalationPaths.flatMap(({ actions }) => actions));

/**
 * @param services Service principals, one of which would assume the role.
 * @returns the grants of `iam:PassRole` whose condition lets the role go to one of them: without
 * `iam:PassedToService`, or with a value that fits.
 */
export function passRoleGrants(
  grants: GrantsByAction,
  services: readonly string[],
): readonly ActionGrant[] {
  const all = grants.get(passRoleAction.toLowerCase()) ?? [];
  return services.length === 0 ? all : all.filter(({ limited }) => mayPassTo(limited, services));
}

function mayPassTo(statement: Statement, services: readonly string[]): boolean {
  return readCondition(statement)
    .of("iam:PassedToService")
    .filter(({ isNull }) => !isNull)
    .every(({ entry, negated }) => {
      const like = entry.operator?.base.name.includes("Like") === true;
      const isListed = (service: string) =>
        entry.values.some(({ text }) => fitsValue(text, service, like));
      return negated ? services.some((one) => !isListed(one)) : services.some(isListed);
    });
}

/**
 * The suffix of some services in the partition of China, such as `ec2.amazonaws.com.cn`.
 * https://github.com/aws/aws-cdk/blob/main/packages/aws-cdk-lib/region-info/lib/default.ts
 */
const chinaSuffix = /\.amazonaws\.com\.cn$/i;

function fitsValue(value: string, service: string, like: boolean): boolean {
  // A variable or placeholder may be any service.
  const pattern = replaceVariables(value, "*").replace(chinaSuffix, ".amazonaws.com");
  const ignoreCase = { ignoreCase: true } as const;
  return like || pattern !== value
    ? globMatches(pattern, service, ignoreCase)
    : value.toLowerCase() === service.toLowerCase();
}

/** @returns whether some resource may be meant by both; `*` and broad ARNs overlap with everything. */
export function resourcesOverlap(one: ActionGrant, other: ActionGrant): boolean {
  if (one.statement === other.statement) return true;
  const left = one.statement.resources;
  const right = other.statement.resources;
  if (left.length === 0 || right.length === 0 || left.length * right.length > mostPairs)
    return true;
  return left.some(({ text }) =>
    right.some((entry) =>
      globsOverlap(replaceVariables(text, "*"), replaceVariables(entry.text, "*")),
    ),
  );
}

/** Larger lists are taken to overlap. */
const mostPairs = 2_500;
