import { asciiLower } from "../../ascii.ts";
import type { CodePlace } from "../../engine/check.ts";
import { removeEntries, replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { pointerOf } from "../../json/node.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { matchAction } from "../../services/match-action.ts";
import type { ServiceLookup } from "../../services/model.ts";

/** Removes an action that the resource of the policy does not have, where others are left. */
export function withoutForeignAction({ issue, statement }: CodePlace): FixProposal | null {
  const found = entryAt(issue.nodes[0], statement?.actions ?? []);
  if (!found || !statement) return null;
  const service = serviceOf(found);
  const isAlone = statement.actions.every((entry) => serviceOf(entry) === service);
  if (isAlone) return null;
  return {
    title: `Remove the actions of \`${service}\``,
    effect: "repairs",
    edits: removeEntries(statement.actions.filter((entry) => serviceOf(entry) === service)),
  };
}

/** Names the bucket that a template attaches the policy to in place of `*`: the bucket, its objects, or both. */
export function ownBucket({ issue, statement, policy, services }: CodePlace): FixProposal | null {
  const found = entryAt(issue.nodes[0], statement?.resources ?? []);
  const bucket = policy.attached?.service === "s3" ? policy.attached.name : null;
  if (found?.text !== "*" || !statement || bucket === null) return null;
  const arns = ["", "/*"]
    .filter((_, index) => worksOn(statement, index === 0 ? "bucket" : "object", services))
    .map((rest) => `arn:aws:s3:::${bucket}${rest}`);
  if (arns.length === 0 || statement.resources.length > 1) return null;
  return {
    title: "Name the bucket that the policy is attached to",
    effect: "repairs",
    edits: [replaceValue(statement.at("Resource"), arns.length === 1 ? arns[0] : arns)],
  };
}

function worksOn({ actions }: Statement, type: string, services: ServiceLookup): boolean {
  return actions.some(({ text }) => {
    const match = matchAction(services, text);
    if (match.kind === "any") return true;
    const meant =
      match.kind === "pattern" ? match.actions : match.kind === "action" ? [match.action] : [];
    return meant.some(
      ({ service, resourceTypes }) => service === "s3" && resourceTypes.includes(type),
    );
  });
}

function entryAt(
  node: CodePlace["issue"]["nodes"][number] | undefined,
  entries: readonly Entry[],
): Entry | undefined {
  if (!node) return undefined;
  const path = pointerOf(node);
  return entries.find((entry) => pointerOf(entry.node) === path);
}

const serviceOf = ({ text }: Entry) => asciiLower(text.slice(0, Math.max(0, text.indexOf(":"))));
