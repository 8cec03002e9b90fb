import type { CheckContext, Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { lockOutReports } from "../principal-validation/lock-out.ts";
import { deniesOf, takenBackBy } from "../shared/grants/denies.ts";
import { joinWords, quote } from "../shared/quote.ts";

/** More actions in a statement than anybody writes. */
const mostActions = 200;

/** Reports an Allow that Denies of the same policy take back for every request: an explicit Deny always wins. */
export function* deniedWholly(
  allow: Statement,
  { policy, services }: CheckContext,
): Generator<Report> {
  const denies = deniesOf(policy, services.date);
  const actions = allow.has("NotAction") ? ["*"] : allow.actions.map(({ text }) => text);
  if (actions.length === 0 || actions.length > mostActions) return;
  const taking = takenBackBy(denies, allow, actions);
  if (!taking) return;
  // That finding tells about the same fault, at the Deny.
  const locksOut = (deny: Statement) => !lockOutReports(deny, policy, services.date).next().done;
  if (taking.some(locksOut)) return;
  const isOne = taking.length === 1;
  const names = joinWords(taking.map(({ sid, index }) => (sid ? quote(sid) : String(index + 1))));
  yield {
    issue_type: "denied_grant",
    severity: "high",
    related: taking.map(({ node }) => node),
    message: `${isOne ? "The Deny of statement" : "The Denies of statements"} ${names} ${isOne ? "covers" : "cover"} everything that this statement allows, so it grants nothing.`,
    suggestion: "Narrow the Deny to what must never happen, or remove this statement.",
  };
}
