import type { NeededInput } from "../../../spec/finding.ts";
import type { CheckContext } from "../../engine/check.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { memo } from "../../memo.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { isAnyResource } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
import { actionsOf } from "../../services/statement-actions.ts";
import { areDead, testsUnsentKey } from "../shared/dead-actions.ts";
import { splitEdits } from "../shared/fix-split.ts";
import { type OpenArns, openArns } from "../shared/placeholders.ts";
import { requiredRegions } from "../shared/required-region.ts";
import type { BroadEntry } from "./broad.ts";
import type { KeptActions } from "./kept.ts";

type Context = Pick<CheckContext, "match" | "policy" | "services">;

/**
 * ARNs with placeholders in place of the broad entries. Actions that AWS compares with `*` alone, and
 * those that the config excuses, go to a separate statement.
 * @returns null where a pattern covers actions of both kinds: it cannot be split without naming them.
 */
export function namedResources(
  statement: Statement,
  broad: readonly BroadEntry[],
  kept: KeptActions,
  context: Context,
): FixProposal | null {
  const limitable: Limitable[] = [];
  const others: Entry[] = [];
  const excused: (Limitable & { readonly entry: Entry })[] = [];
  for (const [at, { entry, meaning }] of actionsOf(statement, context.match).read.entries()) {
    const one = kept.byEntry[at];
    if (!one || one.isExcused) {
      others.push(entry);
      if (one && meaning.kind === "action") {
        const { service, action } = meaning;
        excused.push({ entry, actions: [action], service });
      }
    } else if (meaning.kind === "action") {
      limitable.push({ actions: [meaning.action], service: meaning.service });
    } else if (meaning.kind === "pattern") {
      const { actions, service } = meaning;
      if (!areLimitable(actions)) return null;
      limitable.push({ actions, service });
    } else return null;
  }
  const needed = openArns(limitable, context);
  // An action that the config excuses stays with the others where its ARN asks for nothing more.
  const asked = new Set(needed.inputs.map(({ placeholder }) => placeholder));
  const joining = excused.filter((one) => asksNoMore(openArns([one], context), asked));
  const joined = new Set(joining.map(({ entry }) => entry));
  const moved = joined.size === 0 ? others : others.filter((entry) => !joined.has(entry));
  if (moved.length > 0 && !canStandAlone(moved, statement, context)) return null;
  const { arns, inputs } = inRegions(
    joining.length === 0 ? needed : openArns([...limitable, ...joining], context),
    requiredRegions(statement),
  );
  if (arns.length === 0 || arns.length > mostArns) return null;
  const replaced = new Set(broad.map(({ entry }) => entry));
  const stay = statement.resources.flatMap((entry) => (replaced.has(entry) ? [] : entry.text));
  const named = [...stay, ...arns];
  const edits = splitEdits(context.policy, statement, moved, {
    rest: { Resource: named.length === 1 ? named[0] : named },
    moved: {},
  });
  return (
    edits && {
      title:
        moved.length === 0
          ? "Name the resources that the actions work on"
          : "Name the resources, and keep the wildcard for actions that need it",
      effect: "narrows",
      edits,
      needs_input: inputs,
      argument: "Each of the statements allows a part of what the one allowed.",
    }
  );
}

/** Whether a statement of these actions alone would apply, with the condition that they have now. */
function canStandAlone(moved: readonly Entry[], statement: Statement, context: Context): boolean {
  return (
    statement.resources.some(({ text }) => isAnyResource(text)) &&
    !areDead(moved, statement, context) &&
    !testsUnsentKey(moved, statement, context)
  );
}

const region = "<region>";

/** One Region is written into the ARNs; the first of several is the example. */
function inRegions(open: OpenArns, [first, ...others]: readonly string[]): OpenArns {
  if (first === undefined) return open;
  if (others.length > 0) {
    const withExample = (one: NeededInput) =>
      one.placeholder === region ? { ...one, example: first } : one;
    return { arns: open.arns, inputs: open.inputs.map(withExample) };
  }
  return {
    arns: open.arns.map((arn) => arn.replace(region, first)),
    inputs: open.inputs.filter(({ placeholder }) => placeholder !== region),
  };
}

interface Limitable {
  readonly actions: readonly Action[];
  readonly service: Service;
}

function asksNoMore({ arns, inputs }: OpenArns, asked: ReadonlySet<string>): boolean {
  return arns.length > 0 && inputs.every(({ placeholder }) => asked.has(placeholder));
}

/** More types of resource than a person fills in. */
const mostArns = 40;

/** Of what a pattern matches: whether each action works on some type of resource. */
const areLimitable = memo((actions: readonly Action[]) =>
  actions.every(({ resourceTypes }) => resourceTypes.length > 0),
);
