import type { CheckContext, Report } from "../../engine/check.ts";
import type { InvalidKey } from "./invalid-key.ts";
import { codeFor } from "./issue-code.ts";
import { adviceFor, problemOf } from "./wording.ts";

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
    aws_issue_code: codeFor(first, context),
  };
}
