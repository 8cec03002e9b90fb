import type { Report } from "../../engine/check.ts";
import type { ConditionEntry, Policy, Statement } from "../../policy/model.ts";
import { limitingEntries } from "../shared/condition-limits.ts";
import { switchValue } from "../shared/switch-value.ts";

/** Keys that say whose callers or whose resources the endpoint serves. */
const perimeterKeys =
  /^aws:(?:principal(?:account|arn|orgid|orgpaths|tag\/.+)|resource(?:account|orgid|orgpaths)|userid|username)$/;

/**
 * Reports an endpoint policy that limits neither callers nor resources: through it, anyone in the
 * network can copy data into another account.
 * Source: https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html
 */
export function openEndpoint({ type, statements }: Policy): Report | null {
  if (type !== "ENDPOINT_POLICY" || statements.some(deniesByPerimeter)) return null;
  const statement = statements.find(isOpen);
  if (!statement) return null;
  return {
    issue_type: "endpoint_policy_open",
    severity: "info",
    statement,
    field_name: "principal",
    node: statement.at("Principal"),
    message: isDefault(statement)
      ? "The endpoint lets every principal reach every resource, also with credentials and in accounts that are not yours. That is AWS's default."
      : "The endpoint lets every principal use the actions of the statement on every resource, also with credentials and in accounts that are not yours.",
    suggestion:
      "To keep data inside the organization, allow only its callers and its resources with `aws:PrincipalOrgID` and `aws:ResourceOrgID`.",
  };
}

function isDefault({ actions, conditions }: Statement): boolean {
  return conditions.length === 0 && actions.some(({ text }) => text === "*");
}

function isOpen(statement: Statement): boolean {
  const { allows, principals, notPrincipals, resources, notResources } = statement;
  if (!allows) return false;
  const everyone = notPrincipals.length > 0 || principals.some(({ text }) => text === "*");
  const everything = notResources.length > 0 || resources.some(({ text }) => text === "*");
  return everyone && everything && !limitsPerimeter(statement) && !testsAddress(statement);
}

/** Requests through an endpoint have no such key; `condition_effect` reports what follows. */
function testsAddress({ conditions }: Statement): boolean {
  return conditions.some(({ keyLower }) => keyLower === "aws:sourceip");
}

function limitsPerimeter(statement: Statement): boolean {
  return limitingEntries(statement).some(
    (entry) => perimeterKeys.test(entry.keyLower) || asksForServices(entry),
  );
}

/** AWS's samples of a data perimeter let services in beside the callers of the organization. */
function asksForServices({ keyLower, values }: ConditionEntry): boolean {
  return keyLower === "aws:principalisawsservice"
    ? switchValue(values) === true
    : keyLower.startsWith("aws:principalservicename");
}

/** A Deny on callers or resources outside a perimeter limits what an Allow beside it opens. */
function deniesByPerimeter(statement: Statement): boolean {
  const { denies, conditions } = statement;
  return denies && conditions.some(({ keyLower }) => perimeterKeys.test(keyLower));
}
