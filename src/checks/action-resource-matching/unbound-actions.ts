import type { CheckContext, Report } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { onlyService } from "../../policy/only-service.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { allCount, countingActions, namedActions } from "../shared/counting-actions.ts";
import { joinWords, quote, quoteList } from "../shared/quote.ts";
import { repairs } from "./fixes.ts";
import { isUnbound, othersCanWork, unboundAdvice, unboundMessage } from "./unbound.ts";

/** An Allow on the resource itself, of actions that work on no single resource. */
export function* unboundActions(statement: Statement, context: CheckContext): Iterable<Report> {
  if (context.policy.type !== "RESOURCE_POLICY" || !statement.allows) return;
  const counting = countingActions(statement, context);
  const [first] = counting;
  if (!first || !allCount(statement, counting)) return;
  if (isOfKey(context.policy) && counting.every(({ service }) => service.prefix !== "kms")) {
    const others = [...new Set(counting.map(({ service }) => quote(service.prefix)))];
    yield {
      issue_type: "statement_never_applies",
      severity: "error",
      field_name: "action",
      action: counting.map(({ entry }) => entry.text).join(", "),
      node: first.entry.node,
      message: `The policy is that of a key, which grants actions of \`kms\` only, and the statement has actions of ${joinWords(others)}. The statement as a whole grants nothing.`,
      suggestion: unboundAdvice,
    };
    return;
  }
  if (!counting.every((one) => !hasWildcard(one.entry.text) && isUnbound(one, context))) return;
  const names = counting.map(({ entry }) => entry.text);
  yield {
    issue_type: "statement_never_applies",
    severity: "error",
    field_name: "action",
    action: names.join(", "),
    node: first.entry.node,
    message: `The reference lists no resource type for ${quoteList(names, 3)}, so the policy of one resource cannot grant ${names.length === 1 ? "it" : "them"} (reference data of ${context.services.date}). The statement as a whole grants nothing.`,
    suggestion: unboundAdvice,
  };
}

const policiesOfKeys = new FactSlot<Policy, boolean>();

/**
 * Whether the policy lets a named principal administer a key, as only the policy of the key does.
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-overview.html
 */
function isOfKey(policy: Policy): boolean {
  let answer = policiesOfKeys.get(policy);
  if (answer === undefined) {
    answer = policy.statements.some(
      ({ allows, principals, actions, resources }) =>
        allows &&
        principals.length > 0 &&
        principals.every(({ type, text }) => type === "AWS" && text !== "*") &&
        resources.every(({ text }) => text === "*") &&
        actions.some(({ text }) => /^kms:(?:\*|Put\*|PutKeyPolicy)$/i.test(text)),
    );
    policiesOfKeys.set(policy, answer);
  }
  return answer;
}

/**
 * Such actions beside others in the policy of a repository of ECR, whose statements have no `Resource`. ECR asks for
 * `ecr:GetAuthorizationToken` in an IAM policy.
 * https://docs.aws.amazon.com/AmazonECR/latest/userguide/set-repository-policy.html
 */
export function* unboundAmongOthers(statement: Statement, context: CheckContext): Iterable<Report> {
  if (context.policy.type !== "RESOURCE_POLICY" || !statement.allows) return;
  if (statement.resources.length > 0 || onlyService(statement) !== "ecr") return;
  const counting = countingActions(statement, context);
  const unbound = counting.filter((one) => !one.isPattern && isUnbound(one, context));
  if (unbound.length === 0 || unbound.length === namedActions(statement)) return;
  const repairOf = repairs(unbound, statement, context);
  for (const one of unbound) {
    yield {
      issue_type: "resource_mismatch",
      field_name: "action",
      action: one.entry.text,
      node: one.entry.node,
      message: `${unboundMessage(one.entry.text, statement, context)}${othersCanWork}`,
      suggestion: unboundAdvice,
      fix: () => repairOf(one),
    };
  }
}
