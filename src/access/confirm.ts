import type { Forbidden } from "./answers.ts";
import {
  actionIsOneOf,
  blockHolds,
  type Evaluation,
  resourceIsOneOf,
  type StatementOutcome,
} from "./evaluate.ts";
import type { QuestionKeys } from "./keys.ts";
import type { AccessRequest } from "./request.ts";
import type { Confirmation } from "./witness-rules.ts";

/** Whether a policy allows a request. */
export function isAllowed({ outcome, statements }: Evaluation): Confirmation {
  if (outcome === "unknown") return openBy(statements);
  return outcome === "allowed" ? "yes" : "no";
}

/** Whether a policy allows a request that its baseline does not allow. */
export function isNewlyAllowed(policy: Evaluation, baseline: Evaluation): Confirmation {
  if (baseline.outcome === "allowed") return "no";
  const now = isAllowed(policy);
  if (now !== "yes") return now;
  return baseline.outcome === "unknown" ? openBy(baseline.statements) : "yes";
}

/** Whether a policy allows a request that is forbidden. */
export function isForbidden(
  policy: Evaluation,
  request: AccessRequest,
  { actions, resources, unless }: Forbidden,
  keys: QuestionKeys,
): Confirmation {
  if (actions.length > 0 && !actionIsOneOf(actions, request.action)) return "no";
  if (resources.length > 0 && !resourceIsOneOf(resources, request, keys)) return "no";
  const blocks = unless.map((block) => blockHolds(block, request, keys));
  if (blocks.includes("yes")) return "no";
  const now = isAllowed(policy);
  return now === "yes" && blocks.includes("maybe") ? "set_operator_missing" : now;
}

/** Whether one document's Deny statements match a request that those of the other do not match. */
export function isOnlyDeniedBy(inner: Evaluation, outer: Evaluation): Confirmation {
  const [own, other] = [isDenied(inner), isDenied(outer)];
  if (other === "yes") return "no";
  if (own !== "yes") return own;
  return other === "no" ? "yes" : other;
}

function isDenied({ statements }: Evaluation): Confirmation {
  const denies = statements.filter(({ effect }) => effect !== "allow");
  return denies.some(({ outcome }) => outcome === "yes") ? "yes" : firstOpen(denies);
}

/** What left open whether a request is allowed: a Deny where some Allow matches, else an Allow. */
function openBy(statements: readonly StatementOutcome[]): string {
  const isMatched = statements.some((one) => one.effect === "allow" && one.outcome === "yes");
  const settled = isMatched ? "allow" : "deny";
  return firstOpen(statements.filter(({ effect }) => effect !== settled));
}

/** The construct that left the first statement open; `no` where none was. */
function firstOpen(statements: readonly StatementOutcome[]): string {
  return statements.find(({ outcome }) => outcome === "maybe")?.construct ?? "no";
}
