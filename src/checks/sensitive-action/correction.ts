import type { NeededInput } from "../../../spec/finding.ts";
import type { CheckContext, Correction } from "../../engine/check.ts";
import { type ConditionBlock, withCondition } from "../../fixes/condition-block.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { ConditionEntry, Entry, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { readCondition } from "../shared/condition-limits.ts";
import { splitResources, splitStatement, statementWithCondition } from "../shared/corrected.ts";
import { countingActions } from "../shared/counting-actions.ts";
import { splitEdits } from "../shared/fix-split.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { accountInput, input } from "../shared/placeholders.ts";
import { setsTags } from "../shared/sets-tags.ts";
import { createsResource, knownActions, mayReachOtherAccounts } from "./advice.ts";
import { removesBoundary } from "./boundary-removal.ts";
import { formsByKind, needsDocument } from "./by-kind.ts";
import type { Selected } from "./selection.ts";
import type { KnownAction } from "./sensitive.ts";

type Context = Pick<CheckContext, "match" | "policy" | "services">;

/**
 * The statement under a condition that all of the sensitive actions support. Where it has other
 * actions too, the sensitive ones go to a separate statement.
 * @returns null where the actions come from a pattern, or have no such key.
 */
export function correctionOf(
  statement: Statement,
  selection: readonly Selected[],
  context: Context,
): Correction | null {
  const split = byKind(statement, selection, context);
  if (split) return split;
  const limit = limitOf(statement, selection, context);
  if (!limit) return null;
  const block = limit.example;
  const replaced = [...(limit.replaces ?? []), ...opened(statement, block)];
  const moved = new Set(selection.map(({ entry }) => entry));
  const texts = new Set([...moved].map(({ text }) => text));
  if (statement.actions.every(({ text }) => texts.has(text))) {
    return statementWithCondition(statement, block, {}, replaced);
  }
  if (!staysUseful(statement, moved, context)) return null;
  const Condition = withCondition(statement, block, replaced);
  return (
    Condition &&
    splitStatement(context.policy, statement, moved, { rest: {}, moved: { Condition } })
  );
}

/** The statement for the instances alone, with a test of their tag, and one for the documents; null for other calls. */
function byKind(
  statement: Statement,
  selection: readonly Selected[],
  context: Context,
): Correction | null {
  const [known, ...others] = knownActions(selection);
  const isWhole =
    statement.actions.length === 1 &&
    statement.actions.every(({ text }) => !hasWildcard(text)) &&
    statement.resources.every(({ text }) => text === "*");
  if (!known || others.length > 0 || !isWhole || !needsDocument(known.action)) return null;
  const { tagged, rest } = formsByKind(known.action, known.service);
  const Condition = withCondition(statement, ofResourceTag.example);
  if (!Condition) return null;
  const parts = [{ Resource: tagged, Condition }, { Resource: rest }] as const;
  return splitResources(context.policy, statement, parts);
}

/** Tests of a key of the block that every request passes: beside the new test they say nothing. */
function opened(statement: Statement, block: ConditionBlock): readonly ConditionEntry[] {
  const keys = new Set(
    Object.values(block)
      .flatMap(Object.keys)
      .map((key) => key.toLowerCase()),
  );
  return readCondition(statement).entries.flatMap(({ entry, openness }) =>
    openness !== null && keys.has(entry.keyLower) ? [entry] : [],
  );
}

/** What stays has to grant something, or the edit would only move the fault. */
function staysUseful(statement: Statement, moved: ReadonlySet<Entry>, context: Context): boolean {
  const grants = grantsOf(statement, context);
  return statement.actions.some(
    (entry) => !moved.has(entry) && grants.breadthOfEntry(entry.text) !== "none",
  );
}

/** The condition of {@link correctionOf}, with placeholders for what the author has to say. */
export function limited(
  statement: Statement,
  selection: readonly Selected[],
  context: Context,
): FixProposal | null {
  const limit = limitOf(statement, selection, context);
  if (!limit) return null;
  const texts = new Set(selection.map(({ entry }) => entry.text));
  const moved = statement.actions.filter(({ text }) => texts.has(text));
  const all = moved.length === statement.actions.length;
  if (!all && !staysUseful(statement, new Set(moved), context)) return null;
  const Condition = withCondition(statement, limit.open, limit.replaces);
  if (!Condition) return null;
  const edits = splitEdits(context.policy, statement, moved, { rest: {}, moved: { Condition } });
  return (
    edits && {
      title: "Limit the sensitive actions with a condition",
      effect: "narrows",
      edits,
      needs_input: limit.inputs,
      argument: "Each of the statements allows a part of what the one allowed.",
    }
  );
}

/** A condition that limits actions, with example values and with placeholders. */
interface Limit {
  readonly example: ConditionBlock;
  readonly open: ConditionBlock;
  readonly inputs: readonly NeededInput[];
  /** Tests of the same key that this one makes stricter. */
  readonly replaces?: readonly ConditionEntry[];
}

const resourceTag = "aws:ResourceTag/team";

const ofResourceTag: Limit = {
  example: { StringEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" } },
  open: { StringEquals: { "aws:ResourceTag/<tag-key>": "<tag-value>" } },
  inputs: [
    input("tag-key", "Key of the tag that the resources have", "team"),
    input("tag-value", "Value of that tag", "payments"),
  ],
};

/** Candidates, best first; each is taken where all actions support its key. */
const candidates: readonly (Limit & { readonly key: string })[] = [
  {
    key: "iam:PermissionsBoundary",
    example: {
      StringEquals: {
        "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/example-boundary",
      },
    },
    open: {
      StringEquals: {
        "iam:PermissionsBoundary": "arn:aws:iam::<account-id>:policy/<boundary>",
      },
    },
    inputs: [accountInput, input("boundary", "Name of the permissions boundary")],
  },
  {
    key: "iam:PolicyARN",
    example: { ArnEquals: { "iam:PolicyARN": "arn:aws:iam::aws:policy/ReadOnlyAccess" } },
    open: { ArnEquals: { "iam:PolicyARN": "arn:aws:iam::aws:policy/<policy-name>" } },
    inputs: [input("policy-name", "The managed policy that may be attached", "ReadOnlyAccess")],
  },
  { key: resourceTag, ...ofResourceTag },
];

const ownAccount: ConditionBlock = {
  StringEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" },
};

const ofOwnAccount: Limit = { example: ownAccount, open: ownAccount, inputs: [] };

const ofTaggedCallers: Limit = {
  example: { StringEquals: { "aws:PrincipalTag/team": "example-team" } },
  open: { StringEquals: { "aws:PrincipalTag/<tag-key>": "<tag-value>" } },
  inputs: [
    input("tag-key", "Key of the tag that the callers have", "team"),
    input("tag-value", "Value of that tag", "payments"),
  ],
};

/** Whether the policy lets callers set any tag in one of the services: then a test of a tag limits no caller. */
function setsTagsFreely(known: readonly KnownAction[], { policy, match }: Context): boolean {
  const services = new Set(known.map(({ service }) => service));
  return policy.statements.some(
    (one) =>
      one.allows &&
      one.conditions.length === 0 &&
      countingActions(one, { match }).some(
        ({ service, actions }) => services.has(service) && actions.some(setsTags),
      ),
  );
}

/** Whether the resources have tags that others set. */
function hasTags(known: readonly KnownAction[], context: Context): boolean {
  return !known.some(({ action }) => createsResource(action)) && !setsTagsFreely(known, context);
}

/** The author's own test of the key, of which only `IfExists` lets requests without the key through. */
function withoutIfExists({ conditions }: Statement, key: string): Limit | null {
  const tested = conditions.find(({ keyLower, operator, values }) => {
    if (keyLower !== key.toLowerCase() || !operator?.ifExists || operator.setPrefix) return false;
    return !operator.base.negated && values.every(({ text }) => text !== "*");
  });
  if (!tested?.operator || tested.values.length === 0) return null;
  const texts = tested.values.map(({ text }) => text);
  const values = texts.length === 1 ? texts[0] : texts;
  const block = { [tested.operator.base.name]: { [tested.key]: values } };
  return { example: block, open: block, inputs: [], replaces: [tested] };
}

/** @returns null where the actions come from a pattern, or have no key that limits them. */
function limitOf(
  statement: Statement,
  selection: readonly Selected[],
  context: Context,
): Limit | null {
  if (selection.some(({ entry, breadth }) => hasWildcard(entry.text) || breadth === "self")) {
    return null;
  }
  // No test makes it harmless to remove a boundary; leaving the action out is for the author to decide.
  if (selection.some(({ name }) => removesBoundary(name))) return null;
  const known = knownActions(selection);
  if (known.length < selection.length) return null;
  // AWS tests a condition for each resource of a call, and its own documents have no tags and no account of the caller.
  if (known.some(({ action }) => needsDocument(action))) return ofTaggedCallers;
  for (const candidate of candidates) {
    const lower = candidate.key.toLowerCase();
    if (!known.every(({ action }) => action.supportsKey(lower))) continue;
    if (candidate.key === resourceTag && !hasTags(known, context)) continue;
    return withoutIfExists(statement, candidate.key) ?? candidate;
  }
  return known.every(({ action }) => mayReachOtherAccounts(action))
    ? ofOwnAccount
    : ofTaggedCallers;
}
