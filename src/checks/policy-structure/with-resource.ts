import type { CheckContext } from "../../engine/check.ts";
import { addMember } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { openArns } from "../shared/placeholders.ts";

/** Actions whose resources are filled in at once. */
const mostActions = 8;

/** Levels that an edit may allow on everything. */
const reads: ReadonlySet<string> = new Set(["list", "read"]);

/**
 * The resources of a statement that has none: `*` where AWS offers no others, else the ARN formats of
 * the actions. Patterns of actions, and a mix of both kinds, are for the author to decide.
 */
export function withResource(statement: Statement, context: CheckContext): FixProposal | null {
  const { actions } = statement;
  if (actions.length === 0 || actions.length > mostActions) return null;
  const named: { action: Action; service: Service }[] = [];
  for (const { text } of actions) {
    const found = context.match(text);
    if (found.kind !== "action") return null;
    named.push(found);
  }
  const limited = named.filter(({ action }) => action.resourceTypes.length > 0);
  if (limited.length > 0 && limited.length < named.length) return null;
  const { arns, inputs } = openArns(
    limited.map(({ action, service }) => ({ actions: [action], service })),
    context,
  );
  if (limited.length > 0 && arns.length === 0) return null;
  const isOpen = limited.length === 0 && statement.allows;
  if (isOpen && !named.every(({ action }) => reads.has(action.accessLevel))) return null;
  const [first] = arns;
  return {
    title:
      limited.length === 0
        ? "Add Resource *, the only resource of these actions"
        : "Add the resources that the actions work on",
    effect: "repairs",
    edits: [addMember(statement.node, "Resource", arns.length > 1 ? arns : (first ?? "*"))],
    needs_input: inputs,
  };
}
