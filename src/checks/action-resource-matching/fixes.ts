import type { CheckContext } from "../../engine/check.ts";
import { appendEntry, removeEntries, replaceValue } from "../../fixes/edits.ts";
import { isSameJson } from "../../fixes/json.ts";
import type { Edit, FixProposal } from "../../fixes/proposal.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { type CountingAction, countingActions, namedActions } from "../shared/counting-actions.ts";
import { areDead } from "../shared/dead-actions.ts";
import { hasRoomFor, splitEdits } from "../shared/fix-split.ts";
import { type OpenArns, openArnsOfTypes } from "../shared/placeholders.ts";
import { isOnEscalationPath, isPowerful } from "../shared/powerful.ts";
import { isOtherWay } from "../shared/sample-arn.ts";
import { relatedArns } from "./related-arns.ts";
import { keysForAliases, withMeantArns, withoutFields } from "./replaced.ts";
import { isUnbound } from "./unbound.ts";

/**
 * Gives the fix for one of the actions that no resource of the statement fits: all of its kind in one
 * edit. Those that AWS compares with `*` alone move to a statement with that resource, the others get
 * their ARNs. Findings that one edit repairs get the same proposal.
 * @param unfit At least the actions that the fixes are asked for.
 */
export function repairs(
  unfit: readonly CountingAction[],
  statement: Statement,
  context: CheckContext,
): (one: CountingAction) => FixProposal | null {
  let kinds: ReturnType<typeof kindsOf> | undefined;
  const moves = new Map<number, FixProposal | null>();
  let shared: FixProposal | null | undefined;
  let unbound: FixProposal | undefined;
  return (one) => {
    const [action] = one.actions;
    if (!action) return null;
    kinds ??= kindsOf(unfit, statement, context);
    if (isUnbound(one, context)) {
      unbound ??= withoutActions(kinds.unbound, statement);
      return unbound;
    }
    if (isStarOnly(action)) {
      const at = kinds.moving.findIndex(({ actions: [other] }) => other === action);
      if (at < 0) return null;
      const start = kinds.isPartial ? at - (at % mostMoved) : 0;
      let move = moves.get(start);
      if (move === undefined) {
        const end = kinds.isPartial ? start + mostMoved : undefined;
        move = movedToStar(kinds.moving.slice(start, end), statement, context);
        moves.set(start, move);
      }
      return move;
    }
    const { named } = kinds;
    if (named.length > mostTogether) {
      const own = named.filter(({ actions: [other] }) => other === action);
      return own.length === 0 ? null : withTheirArns(own, statement, context);
    }
    if (!named.some(({ actions: [other] }) => other === action)) return null;
    if (shared === undefined) shared = withTheirArns(named, statement, context);
    return shared;
  };
}

/**
 * Gives the fix for a statement of which no action has a resource: both kinds of actions in one edit, so that
 * none is left without effect.
 */
export function repairOfAll(
  unfit: readonly CountingAction[],
  statement: Statement,
  context: CheckContext,
): FixProposal | null {
  const [first] = unfit;
  if (!first) return null;
  const { moving, named } = kindsOf(unfit, statement, context);
  if (moving.length === 0 || named.length === 0) return repairs(unfit, statement, context)(first);
  if (moving.length > mostMoved || named.length > mostTogether) return null;
  const move = movedToStar(moving, statement, context);
  const arns = withTheirArns(named, statement, context);
  // One statement that is not in a list is replaced as a whole, which leaves no room for the second edit.
  if (!move || !arns || move.edits.some(({ kind }) => kind === "split")) return null;
  return {
    title: "Give each action the resources that it works on",
    effect: "changes",
    edits: [...arns.edits, ...move.edits],
    needs_input: arns.needs_input ?? [],
  };
}

/** The actions that may be repaired, by what they need: another policy, the resource `*`, or ARNs. */
function kindsOf(unfit: readonly CountingAction[], statement: Statement, context: CheckContext) {
  const isPartial = namedActions(statement) > unfit.length;
  const unbound: CountingAction[] = [];
  const moving: CountingAction[] = [];
  const named: CountingAction[] = [];
  for (const one of unfit) {
    const [action] = one.actions;
    if (!action) continue;
    if (isUnbound(one, context)) {
      unbound.push(one);
      continue;
    }
    // What works for the first time can complete a path, which weighs more than one action without effect.
    if (isPartial && statement.allows && isOnEscalationPath(action)) continue;
    if (!isStarOnly(action)) named.push(one);
    else if (!statement.allows || !isPowerful(action)) moving.push(one);
  }
  return { isPartial, unbound, moving, named };
}

function isStarOnly({ resourceTypes }: Action): boolean {
  return resourceTypes.length === 0;
}

function withTheirArns(
  unfit: readonly CountingAction[],
  statement: Statement,
  context: CheckContext,
): FixProposal | null {
  return (
    withoutFields(unfit, statement, context) ??
    keysForAliases(unfit, statement, countingActions(statement, context), context) ??
    withMeantArns(unfit, statement, context) ??
    withArns(unfit, statement, context)
  );
}

/** ARNs for more actions than these are too many to fill in at once. */
const mostTogether = 8;
/** Moving more actions than these at once would make a fix longer than one may be: a long list moves in parts. */
const mostMoved = 40;

function movedToStar(
  unfit: readonly CountingAction[],
  statement: Statement,
  context: CheckContext,
): FixProposal | null {
  const { policy } = context;
  const entries = unfit.map(({ entry }) => entry);
  // The condition goes with them.
  if (areDead(entries, statement, context)) return null;
  const edits =
    joinedTo(starStatement(statement, policy), unfit, statement) ??
    splitEdits(policy, statement, entries, { rest: {}, moved: { Resource: "*" } });
  return (
    edits && {
      title: "Give the actions that work on no named resource the resource they need",
      effect: "changes",
      edits,
    }
  );
}

/** The policy of one resource has no statement where such actions would work. */
function withoutActions(unfit: readonly CountingAction[], statement: Statement): FixProposal {
  const texts = new Set(unfit.map(({ entry }) => entry.text));
  return {
    title: "Remove the actions that the policy of one resource cannot grant",
    effect: statement.allows ? "narrows" : "changes",
    edits: removeEntries(statement.actions.filter(({ text }) => texts.has(text))),
  };
}

/** Another statement that differs in actions and in the resource `*` only. */
function starStatement(statement: Statement, { statements }: Policy): Statement | undefined {
  const othersOf = ({ raw }: Statement) => {
    const { Sid: _sid, Action: _action, Resource: _resource, ...others } = raw;
    return others;
  };
  return statements.find(
    (one) =>
      one !== statement &&
      one.resources.length === 1 &&
      one.resources[0]?.text === "*" &&
      Array.isArray(one.raw.Action) &&
      isSameJson(othersOf(one), othersOf(statement)),
  );
}

function joinedTo(
  target: Statement | undefined,
  unfit: readonly CountingAction[],
  statement: Statement,
): Edit[] | null {
  const texts = new Set(unfit.map(({ entry }) => entry.text));
  const moved = statement.actions.filter(({ text }) => texts.has(text));
  if (!target || moved.length === statement.actions.length) return null;
  return [
    ...removeEntries(moved),
    ...[...texts].map((text) => appendEntry(target.at("Action"), text)),
  ];
}

function withArns(
  unfit: readonly CountingAction[],
  statement: Statement,
  context: CheckContext,
): FixProposal | null {
  const texts = new Set<string>();
  const open: { types: readonly string[]; service: Service }[] = [];
  for (const { service, actions } of unfit) {
    const [action] = actions;
    if (!action) continue;
    const related = relatedArns(action, service, statement, context);
    for (const text of related) texts.add(text);
    if (related.length === 0) open.push({ types: mainTypes(action), service });
  }
  const { arns, inputs }: OpenArns = openArnsOfTypes(open, context);
  return withResources(statement, [...texts, ...arns], inputs, context);
}

/** The first type that is not another way to a resource of the others. */
function mainTypes({ resourceTypes }: Action): string[] {
  const [first] = resourceTypes.filter((type) => !isOtherWay(type));
  return first === undefined ? resourceTypes.slice(0, 1) : [first];
}

/** The statement with further resources. */
export function withResources(
  statement: Statement,
  added: readonly string[],
  inputs: OpenArns["inputs"],
  { policy }: Pick<CheckContext, "policy">,
): FixProposal | null {
  const present = statement.resources.map(({ text }) => text);
  const known = fieldsOf(present);
  const more = added.map((text) => filledIn(text, known)).filter((text) => !present.includes(text));
  if (more.length === 0 || !statement.has("Resource")) return null;
  if (!hasRoomFor(policy, [more])) return null;
  return {
    title: "Add the ARNs that the actions work on",
    effect: "changes",
    edits: [replaceValue(statement.at("Resource"), [...present, ...more])],
    needs_input: inputs.filter(({ placeholder }) => !known.has(placeholder)),
  };
}

/** The Region and the account that all of the ARNs have which have one. */
function fieldsOf(texts: readonly string[]): ReadonlyMap<string, string> {
  const arns = texts.flatMap((text) => splitArn(text) ?? []);
  const regions = new Set(arns.map(({ region }) => region).filter((text) => text !== ""));
  const accounts = new Set(arns.map(({ account }) => account).filter((text) => text !== ""));
  const [region, account] = [[...regions], [...accounts]].map(([only, ...others]) =>
    only !== undefined && others.length === 0 && /^[a-z0-9-]+$/.test(only) ? only : null,
  );
  const known = new Map<string, string>();
  if (region) known.set("<region>", region);
  if (account) known.set("<account-id>", account);
  return known;
}

function filledIn(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/<[a-z-]+>/g, (placeholder) => known.get(placeholder) ?? placeholder);
}
