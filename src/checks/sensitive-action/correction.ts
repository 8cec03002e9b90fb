import type { CheckContext, Correction } from "../../engine/check.ts";
import { type ConditionBlock, withCondition } from "../../fixes/condition-block.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { splitStatement, statementWithCondition } from "../shared/corrected.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { type KnownAction, knownActions } from "./advice.ts";
import type { Selected } from "./selection.ts";

/**
 * The statement under a condition that all of the sensitive actions support. Where it has other
 * actions too, the sensitive ones go to a statement of their own.
 * @returns null where the actions come from a pattern, or have no such key.
 */
export function correctionOf(
  statement: Statement,
  selection: readonly Selected[],
  context: Pick<CheckContext, "match" | "policy" | "services">,
): Correction | null {
  if (selection.some(({ entry, breadth }) => hasWildcard(entry.text) || breadth === "self")) {
    return null;
  }
  const known = knownActions(selection, context);
  if (known.length < selection.length) return null;
  const block = blockFor(known);
  if (!block) return null;
  const moved = new Set(selection.map(({ entry }) => entry));
  const texts = new Set([...moved].map(({ text }) => text));
  if (statement.actions.every(({ text }) => texts.has(text))) {
    return statementWithCondition(statement, block);
  }
  const grants = grantsOf(statement, context);
  const stays = statement.actions.filter((entry) => !moved.has(entry));
  // What stays has to grant something, or the example would only move the fault.
  if (!stays.some(({ text }) => grants.breadthOfEntry(text) !== "none")) return null;
  return splitStatement(context.policy, statement, moved, {
    rest: {},
    moved: { Condition: withCondition(statement, block) },
  });
}

/** Candidates, best first; each is taken where all actions support its key. */
const candidates: readonly (readonly [key: string, block: ConditionBlock])[] = [
  [
    "iam:PermissionsBoundary",
    {
      StringEquals: {
        "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/example-boundary",
      },
    },
  ],
  ["iam:PolicyARN", { ArnEquals: { "iam:PolicyARN": "arn:aws:iam::aws:policy/ReadOnlyAccess" } }],
  [
    "aws:ResourceTag/team",
    { StringEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" } },
  ],
];

function blockFor(known: readonly KnownAction[]): ConditionBlock | null {
  for (const [key, block] of candidates) {
    if (known.every(({ action }) => action.supportsKey(key))) return block;
  }
  // The account of the resource is in the request wherever the action works on resources.
  return known.every(({ action }) => action.resourceTypes.length > 0)
    ? { StringEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" } }
    : { StringEquals: { "aws:PrincipalTag/team": "example-team" } };
}
