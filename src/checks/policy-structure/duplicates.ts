import { isSameJson } from "../../fixes/json.ts";
import { valueAt } from "../../fixes/patch.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { stepsOf } from "../../json/node.ts";
import type { TextFault } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";

type Duplicate = Extract<TextFault, { readonly kind: "duplicate" }>;

/**
 * Writes a repeated member once: equal values as they are, and the tests of a condition together. They all have
 * to hold, so none of them gets lost and no new one is added.
 * @returns null where the values differ, or the text is not JSON.
 */
export function mergedMember(raw: unknown, { node, earlier }: Duplicate): FixProposal | null {
  if (!earlier) return null;
  const steps = stepsOf(node);
  const last = valueAt(raw, steps);
  const isInCondition = steps.indexOf("Condition") >= 0;
  let merged: unknown = last;
  for (const text of earlier.toReversed()) {
    const value: unknown = JSON.parse(text);
    if (isSameJson(value, merged)) continue;
    const both = isInCondition ? joined(value, merged) : null;
    if (!both) return null;
    merged = both;
  }
  return {
    title: isSameJson(merged, last)
      ? "Write the repeated member once"
      : "Write the repeated tests of the condition as one",
    effect: "repairs",
    edits: [{ kind: "replace", node: { ...node, part: "value" }, value: merged, whole: true }],
  };
}

/** The members of both objects; null where a member differs and is not an object in turn. */
function joined(first: unknown, second: unknown): Readonly<Record<string, unknown>> | null {
  if (!isRecord(first) || !isRecord(second)) return null;
  const members = new Map(Object.entries(first));
  const names = new Map(Object.keys(first).map((name) => [name.toLowerCase(), name]));
  for (const [name, value] of Object.entries(second)) {
    const there = names.get(name.toLowerCase()) ?? name;
    const old = members.get(there);
    const both = old === undefined || isSameJson(old, value) ? value : joined(old, value);
    if (both === null) return null;
    members.set(there, both);
  }
  return Object.fromEntries(members);
}
