import type { CheckContext } from "../../engine/check.ts";
import { appendEntry, removeEntries, replaceValue } from "../../fixes/edits.ts";
import { isSameJson } from "../../fixes/json.ts";
import type { Edit, FixProposal } from "../../fixes/proposal.ts";
import { memo } from "../../memo.ts";
import { replaceVariables } from "../../policy/arn.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { type ArnFormat, arnFormatsOf } from "../../services/arn-overlap.ts";
import type { Action, Service } from "../../services/model.ts";
import { type CountingAction, countingActions } from "../shared/counting-actions.ts";
import { hasRoomFor, splitEdits } from "../shared/fix-split.ts";
import { type OpenArns, openArnsOfTypes } from "../shared/placeholders.ts";
import { isOnEscalationPath, isPowerful } from "../shared/powerful.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";
import { keysForAliases, withMeantArns, withoutFields } from "./replaced.ts";

/** Entries of `Resource` beyond which no related ARN is looked for. */
const mostResources = 50;

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
  return (one) => {
    const [action] = one.actions;
    if (!action) return null;
    kinds ??= kindsOf(unfit, statement);
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

/** The actions that may be repaired, by what they need: the resource `*`, or ARNs. */
function kindsOf(unfit: readonly CountingAction[], statement: Statement) {
  const isPartial = new Set(statement.actions.map(({ text }) => text)).size > unfit.length;
  const moving: CountingAction[] = [];
  const named: CountingAction[] = [];
  for (const one of unfit) {
    const [action] = one.actions;
    if (!action) continue;
    // What works for the first time can complete a path, which weighs more than one action without effect.
    if (isPartial && statement.allows && isOnEscalationPath(action)) continue;
    if (!isStarOnly(action)) named.push(one);
    else if (!statement.allows || !isPowerful(action)) moving.push(one);
  }
  return { isPartial, moving, named };
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
  { policy }: CheckContext,
): FixProposal | null {
  const edits =
    joinedTo(starStatement(statement, policy), unfit, statement) ??
    splitEdits(
      policy,
      statement,
      unfit.map(({ entry }) => entry),
      { rest: {}, moved: { Resource: "*" } },
    );
  return (
    edits && {
      title: "Give the actions that work on no named resource the resource they need",
      effect: "changes",
      edits,
    }
  );
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

/** Access points are another way to a bucket, which has the action's own type as well. */
function mainTypes({ resourceTypes }: Action): string[] {
  const [first] = resourceTypes.filter((type) => !/accesspoint/i.test(type));
  return first === undefined ? resourceTypes.slice(0, 1) : [first];
}

/** The statement with further resources. */
export function withResources(
  statement: Statement,
  added: readonly string[],
  needs_input: OpenArns["inputs"],
  { policy }: Pick<CheckContext, "policy">,
): FixProposal | null {
  const present = statement.resources.map(({ text }) => text);
  const more = added.filter((text) => !present.includes(text));
  if (more.length === 0 || !statement.has("Resource")) return null;
  if (!hasRoomFor(policy, [more])) return null;
  return {
    title: "Add the ARNs that the actions work on",
    effect: "changes",
    edits: [replaceValue(statement.at("Resource"), [...present, ...more])],
    needs_input,
  };
}

/**
 * ARNs of a type that the action works on, of the resources that the statement names: the objects of its
 * buckets, the indexes of its tables, or the buckets of its objects.
 */
export function relatedArns(
  action: Action,
  service: Service,
  { resources }: Statement,
  { policy }: Pick<CheckContext, "policy">,
): string[] {
  const formats = arnFormatsOf(service);
  const wanted = action.resourceTypes.flatMap(
    (type) => formats.get(service.resourceType(type)?.name ?? type) ?? [],
  );
  const found = resources.slice(0, mostResources).flatMap(({ text, node }) => {
    const candidates = wanted.flatMap((format) => [
      ...shortened(text, format),
      ...lengthened(text, format, service),
    ]);
    const fits = (candidate: string) =>
      new ResourcesOfStatement([{ text: candidate, node }], true, policy.type).fits(
        service,
        action,
      );
    const [first] = [...new Set(candidates)].filter(fits);
    return first === undefined ? [] : [first];
  });
  return [...new Set(found)];
}

const special = /[.*+?^${}()|[\]\\]/g;

/** One field or segment for each placeholder of a format. */
function patternOf(format: string): string {
  return replaceVariables(format, "\u0000")
    .split("\u0000")
    .map((text) => text.replace(special, "\\$&"))
    .join("[^:/]*");
}

/** Expressions of a format, for a text of the format and for one that begins with it. */
const expressionsOf = memo(({ text }: ArnFormat) => {
  const pattern = patternOf(text);
  return { whole: new RegExp(`^${pattern}$`), start: new RegExp(`^(${pattern})[:/]`) };
});

/** `arn:aws:s3:::bucket/key` as an ARN of the format `arn:${Partition}:s3:::${BucketName}`. */
function shortened(text: string, format: ArnFormat): string[] {
  const match = expressionsOf(format).start.exec(text);
  const short = match?.[1];
  return short === undefined || namesNothing.test(short) ? [] : [short];
}

/** Shortened to it, `arn:aws:s3:::*\/logs/*` would reach every bucket, and every object with it. */
const namesNothing = /:\**$/;

/** What makes an ARN of a longer format of one of a shorter: the expression it fits, and the text to add. */
interface Extension {
  readonly whole: RegExp;
  readonly rest: string;
}

/** By service and longer format. */
const extensions = memo((_: Service) => new Map<ArnFormat, readonly Extension[]>());

function extensionsTo(longer: ArnFormat, service: Service): readonly Extension[] {
  const known = extensions(service);
  let found = known.get(longer);
  if (!found) {
    const all = [...arnFormatsOf(service).values()].flat();
    found = all.flatMap((shorter) => {
      const rest = longer.text.slice(shorter.text.length);
      if (!longer.text.startsWith(shorter.text) || !/^[:/]/.test(rest)) return [];
      const added = replaceVariables(rest, "*").replace(/\*(?:[^*]*\*)+$/, "*");
      return [{ whole: expressionsOf(shorter).whole, rest: added }];
    });
    known.set(longer, found);
  }
  return found;
}

/** `arn:aws:s3:::bucket` with what the longer format adds, as a wildcard. */
function lengthened(text: string, longer: ArnFormat, service: Service): string[] {
  return extensionsTo(longer, service).flatMap(({ whole, rest }) =>
    whole.test(text) ? [`${text}${rest}`] : [],
  );
}
