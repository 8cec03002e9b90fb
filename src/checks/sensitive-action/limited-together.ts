import type { CheckContext } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { grantsAction } from "../shared/action-grants.ts";
import { grantCondition } from "../shared/grants/grant-conditions.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { typesTogether } from "../shared/grants/types-together.ts";
import type { KnownAction } from "./sensitive.ts";

type Context = Pick<CheckContext, "match" | "policy" | "services">;
/** `condition`: all statements have one that limits; `named`: all have one, or name the resources. */
type Limit = "condition" | "named" | null;

/**
 * What limits a call that needs a resource of each of several kinds, where the statement grants it on some of the kinds
 * only: AWS's guide allows `ssm:SendCommand` on instances with a tag in one statement, and on documents in another.
 * @returns how the other statements limit a kind that is left out; null: they do not, or have none of it.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/run-command-setting-up.html
 */
export function limitedTogether(statement: Statement, known: KnownAction, context: Context): Limit {
  const { action, service } = known;
  let limit: Limit = null;
  for (const types of typesTogether(action) ?? []) {
    if (grantsOf(statement, context).breadthOfTypes(action, service, types) !== "none") continue;
    const found = limitOf(known, types, context);
    if (found === "condition") return found;
    limit ??= found;
  }
  return limit;
}

/** Policies with more are read statement by statement: a managed policy has room for fewer, and all are read in one turn. */
const mostStatements = 100;

const limits = new FactSlot<Policy, Map<string, Limit>>();

/** How the statements of the policy limit the action on some of its types; worked out once for all of them. */
function limitOf(known: KnownAction, types: readonly string[], context: Context): Limit {
  const { policy } = context;
  if (policy.statements.length > mostStatements) return null;
  const byKind = limits.get(policy) ?? new Map<string, Limit>();
  limits.set(policy, byKind);
  const key = `${known.action.qualified} ${types.join(" ")}`;
  let limit = byKind.get(key);
  if (limit === undefined) {
    limit = limitIn(policy.statements, known, types, context);
    byKind.set(key, limit);
  }
  return limit;
}

function limitIn(
  statements: readonly Statement[],
  { action, service }: KnownAction,
  types: readonly string[],
  context: Context,
): Limit {
  let limit: Limit = null;
  for (const one of statements) {
    const grants =
      one.allows && one.actions.some(({ text }) => grantsAction(text, action.qualified, context));
    const breadth = grants ? grantsOf(one, context).breadthOfTypes(action, service, types) : "none";
    if (breadth === "none") continue;
    if (grantCondition(one, context).counts) limit ??= "condition";
    else if (breadth === "everything") return null;
    else limit = "named";
  }
  return limit;
}
