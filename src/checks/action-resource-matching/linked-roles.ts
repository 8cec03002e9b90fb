import type { Report } from "../../engine/check.ts";
import { hasVariable, splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { globsOverlap } from "../../policy/wildcard.ts";
import { quote } from "../shared/quote.ts";

const ofLinkedRoles = /^iam:(?:create|delete)servicelinkedrole$/i;

/**
 * Service-linked roles have ARNs below `role/aws-service-role/`, which other roles cannot have.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create-service-linked-role.html#service-linked-role-permissions
 */
export function otherThanLinkedRoles(statement: Statement): Report | null {
  const { actions, resources, allows } = statement;
  const [first] = resources;
  if (!first || !resources.every(({ text }) => isOtherRole(text))) return null;
  const entry = actions.find(({ text }) => ofLinkedRoles.test(text));
  if (!entry) return null;
  const isAll = actions.every(({ text }) => ofLinkedRoles.test(text));
  const isCertain = allows && isAll;
  return {
    issue_type: isCertain ? "statement_never_applies" : "resource_mismatch",
    severity: isCertain ? "error" : allows ? "medium" : "high",
    action: entry.text,
    field_name: "resource",
    resource: first.text,
    node: resources.length === 1 ? first.node : statement.at("Resource"),
    message: `${quote(first.text)} is not a service-linked role. The ARNs of these have \`role/aws-service-role/\` and the name of the service, so the statement does not ${allows ? "grant" : "deny"} ${quote(entry.text)}.`,
    suggestion:
      "Write the ARN with the path, such as `arn:aws:iam::*:role/aws-service-role/autoscaling.amazonaws.com/*`.",
  };
}

function isOtherRole(text: string): boolean {
  if (!text.includes(":role/")) return false;
  const arn = splitArn(text);
  if (arn?.service !== "iam" || hasVariable(text) || !arn.resource.startsWith("role/"))
    return false;
  return !globsOverlap(arn.resource, "role/aws-service-role/*");
}
