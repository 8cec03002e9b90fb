import type { CheckContext, Correction } from "../../engine/check.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { correctedStatement, splitStatement } from "../shared/corrected.ts";
import { areDead } from "../shared/dead-actions.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { sampleRegion } from "../shared/required-region.ts";
import { sampleArns } from "../shared/sample-arn.ts";
import type { BroadEntry } from "./broad.ts";
import type { KeptAction } from "./kept.ts";

/** Resource types that one statement names; a longer list is not what anybody wants to paste. */
const mostArns = 6;

/**
 * The statement with one ARN for each type that its actions work on in place of the broad entries.
 * Actions that need `*` go to a separate statement.
 * @returns null where an entry is a pattern, unknown, or needs more ARNs than one would paste.
 */
export function correctionOf(
  statement: Statement,
  broad: readonly BroadEntry[],
  kept: readonly KeptAction[],
  context: Pick<CheckContext, "match" | "policy" | "services">,
): Correction | null {
  const arns = new Set<string>();
  const concerned = new Set(kept.map(({ text }) => text));
  const starOnly: Entry[] = [];
  for (const entry of statement.actions) {
    const meaning = context.match(entry.text);
    if (meaning.kind !== "action") return null;
    if (!concerned.has(entry.text)) starOnly.push(entry);
    else for (const arn of sampleArns(meaning.action, meaning.service, mostArns + 1)) arns.add(arn);
  }
  if (arns.size === 0 || arns.size > mostArns) return null;
  const replaced = new Set(broad.map(({ entry }) => entry));
  const others = statement.resources.flatMap((entry) => (replaced.has(entry) ? [] : entry.text));
  const region = sampleRegion(statement);
  const named = [
    ...others,
    ...Array.from(arns, (arn) => arn.replace(":us-east-1:", `:${region}:`)),
  ];
  const members = { Resource: named.length === 1 ? named[0] : named };
  if (starOnly.length === 0) return correctedStatement(statement, members);
  // What moves keeps the resources; where those do not fit it, it would stay without effect.
  const grants = grantsOf(statement, context);
  if (!starOnly.some(({ text }) => grants.breadthOfEntry(text) !== "none")) return null;
  if (areDead(starOnly, statement, context)) return null;
  return splitStatement(context.policy, statement, new Set(starOnly), { rest: members, moved: {} });
}
