import type { PolicyType } from "../../../spec/policy.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

const types: ReadonlySet<PolicyType> = new Set<PolicyType>([
  "IDENTITY_POLICY",
  "SERVICE_CONTROL_POLICY",
  "PERMISSIONS_BOUNDARY",
]);

/** Keys that tell the calls of services apart. */
const ofServices = /^aws:(?:viaawsservice|calledvia(?:first|last)?|principalisawsservice)$/;

/**
 * A Deny of every action outside some addresses. A service that calls for the caller does so from its own address.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_examples_aws_deny-ip.html
 */
export function stoppedServiceCalls(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Effect | null {
  const { operator, operatorText, key, keyLower } = entry;
  if (!types.has(type) || !statement.denies || keyLower !== "aws:sourceip") return null;
  if (operator.base.type !== "IPAddress" || !operator.base.negated) return null;
  if (statement.conditions.some((one) => ofServices.test(one.keyLower))) return null;
  if (!statement.has("NotAction") && !statement.actions.some(({ text }) => /^\*+$/.test(text))) {
    return null;
  }
  return {
    kind: "forwarded",
    entry,
    // Many teams write it so, and notice when the first service call fails.
    severity: "medium",
    reason: `${quote(operatorText)} on ${quote(key)} also holds for the calls that AWS services such as CloudFormation or Athena make for the caller, because they come from the addresses of the service.`,
    consequence: "This Deny stops these calls too.",
    suggestion: 'Add `"BoolIfExists": {"aws:ViaAWSService": "false"}` to the condition.',
    ...fixedBy(
      () => statementWithCondition(statement, { BoolIfExists: { "aws:ViaAWSService": "false" } }),
      { title: "Exempt the calls that services make for the caller", effect: "changes" },
    ),
  };
}
