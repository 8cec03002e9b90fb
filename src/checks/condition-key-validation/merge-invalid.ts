import type { CheckContext, Report } from "../../engine/check.ts";
import { withCondition } from "../../fixes/condition-block.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { countingActions } from "../shared/counting-actions.ts";
import { splitEdits } from "../shared/fix-split.ts";
import { isPowerful } from "../shared/powerful.ts";
import type { InvalidKey } from "./invalid-key.ts";
import { codeFor } from "./issue-code.ts";
import { lacksTag } from "./statement-keys.ts";
import { adviceFor, kindOf, problemOf } from "./wording.ts";

/**
 * One report for all keys with the same action and the same text before the first slash, in order of
 * first appearance: five request tags on an action without tags are one fault.
 */
export function* mergeInvalid(
  invalid: readonly InvalidKey[],
  context: CheckContext,
): Iterable<Report> {
  const groups = new Map<string, [InvalidKey, ...InvalidKey[]]>();
  for (const one of invalid) {
    const [base = ""] = one.entry.key.split("/", 1);
    const id = JSON.stringify([one.action?.entry.text ?? null, base]);
    const group = groups.get(id);
    if (group) group.push(one);
    else groups.set(id, [one]);
  }
  for (const group of groups.values()) yield reportOf(group, context);
}

function isTagKind({ entry }: InvalidKey): boolean {
  const kind = kindOf(entry.keyLower);
  return kind === "request tag" || kind === "resource tag";
}

/** The actions of an Allow that send no tags, all at once, in a statement without the tests of tags. */
function apart(
  group: readonly [InvalidKey, ...InvalidKey[]],
  context: CheckContext,
): FixProposal | null {
  const { policy } = context;
  const [{ action, statement }] = group;
  if (!action || !statement.allows || action.actions.some(isPowerful)) return null;
  const alike = countingActions(statement, context).filter(
    (one) => group.every(({ entry }) => lacksTag(one, entry.key)) && !one.actions.some(isPowerful),
  );
  const texts = new Set(alike.map(({ entry }) => entry.text));
  const moved = statement.actions.filter(({ text }) => texts.has(text));
  if (moved.length === statement.actions.length) return null;
  const left = withCondition(
    statement,
    {},
    group.map(({ entry }) => entry),
  );
  if (!left) return null;
  const Condition = Object.keys(left).length > 0 ? left : undefined;
  const edits = splitEdits(policy, statement, moved, { rest: {}, moved: { Condition } });
  return (
    edits && {
      title: "Move what sends no tags to a statement without the test",
      effect: "changes",
      edits,
    }
  );
}

function reportOf(group: readonly [InvalidKey, ...InvalidKey[]], context: CheckContext): Report {
  const [first] = group;
  const keys = [...new Set(group.map(({ entry }) => entry.key))];
  return {
    issue_type: "invalid_condition_key",
    ...(first.action || first.effect !== "Deny" ? {} : { severity: "high" }),
    field_name: "condition",
    action: first.action?.entry.text ?? null,
    condition_key: first.entry.key,
    node: first.entry.keyNode,
    message: problemOf(first, keys, context),
    ...adviceFor(first, keys.length > 1, context),
    ...(isTagKind(first) ? { fix: () => apart(group, context) } : {}),
    aws_issue_code: codeFor(first, context),
  };
}
