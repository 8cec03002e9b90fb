import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import type { CountingAction } from "../shared/counting-actions.ts";
import { quote } from "../shared/quote.ts";

/**
 * Services whose resource policies are each for one resource. Account-wide policies, such as those of Organizations
 * and of ECR registries, grant actions without resource types, too.
 * https://docs.aws.amazon.com/kms/latest/developerguide/kms-api-permissions-reference.html (policy type),
 * https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html,
 * https://docs.aws.amazon.com/AmazonECR/latest/public/public-repository-policies.html
 */
const ofOneResource: ReadonlySet<string> = new Set([
  "dynamodb",
  "ecr",
  "ecr-public",
  "kinesis",
  "kms",
  "lambda",
  "s3",
  "secretsmanager",
  "sns",
  "sqs",
]);

export const unboundAdvice =
  "Grant such actions in a policy of the callers, or name the actions on the resource that are meant.";

/** Whether an action works on no single resource, in the policy of one. */
export function isUnbound(
  { service, actions: [action] }: Pick<CountingAction, "service" | "actions">,
  { policy }: Pick<CheckContext, "policy">,
): boolean {
  return (
    policy.type === "RESOURCE_POLICY" &&
    ofOneResource.has(service.prefix) &&
    action?.resourceTypes.length === 0 &&
    // It returns what `GetSecretValue` allows.
    action.qualified !== "secretsmanager:BatchGetSecretValue"
  );
}

/** What is wrong with such an action, in one sentence. */
export function unboundMessage(
  action: string,
  { denies }: Statement,
  { services }: Pick<CheckContext, "services">,
): string {
  return `The reference lists no resource type for ${quote(action)}, so the policy of one resource cannot ${denies ? "deny" : "grant"} it (reference data of ${services.date}).`;
}

/** A sentence for a statement that has other actions as well. */
export const othersCanWork = " For its other actions the statement can still work.";
