import type { RecognisedType } from "../../spec/policy.ts";
import type { Statement } from "./model.ts";
import { globMatches } from "./wildcard.ts";

const trustActions = [
  "sts:assumerole",
  "sts:assumerolewithsaml",
  "sts:assumerolewithwebidentity",
  "sts:tagsession",
  "sts:setsourceidentity",
  "sts:setcontext",
];

/**
 * @returns The type suggested by the content of a policy. The types that `policyTypes` does not call
 * recognised cannot be distinguished from these and must be declared.
 */
export function detectPolicyType(statements: readonly Statement[]): RecognisedType {
  if (!statements.some(namesPrincipals)) return "IDENTITY_POLICY";
  const specific = statements.some(({ resources }) =>
    resources.some(({ text }) => text !== "*" && !text.endsWith(":*")),
  );
  return !specific && statements.some(grantsTrust) ? "TRUST_POLICY" : "RESOURCE_POLICY";
}

/** @returns whether every statement says which principals assume a role, and none has a resource, as in no other type. */
export function isTrustPolicy(statements: readonly Statement[]): boolean {
  const isTrustOnly = (statement: Statement) =>
    namesPrincipals(statement) &&
    statement.actions.length > 0 &&
    statement.actions.every(({ text }) => isTrust(text)) &&
    !hasResource(statement);
  return statements.length > 0 && statements.every(isTrustOnly);
}

/**
 * @returns whether some statement can belong to a trust policy: it names principals and has no resource. A
 * resource is a mistake there, so a grant of the STS may have one; a bucket policy of trusted accounts has others.
 */
export function hasTrustForm(statements: readonly Statement[]): boolean {
  return statements.some(
    (statement) =>
      namesPrincipals(statement) &&
      (hasResource(statement)
        ? mayAllow(statement) && statement.actions.some(({ text }) => isOf("sts", text))
        : !isOfRepository(statement)),
  );
}

/** @returns whether a statement has `Principal` or `NotPrincipal`. */
export function namesPrincipals(statement: Statement): boolean {
  return statement.has("Principal") || statement.has("NotPrincipal");
}

function grantsTrust(statement: Statement): boolean {
  return (
    mayAllow(statement) &&
    namesPrincipals(statement) &&
    statement.actions.some(({ text }) => isTrust(text))
  );
}

function mayAllow(statement: Statement): boolean {
  return !statement.has("Effect") || statement.effect?.toLowerCase() === "allow";
}

function hasResource(statement: Statement): boolean {
  return statement.has("Resource") || statement.has("NotResource");
}

/**
 * Repository policies of ECR have no resource either.
 * https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html
 */
function isOfRepository({ actions }: Statement): boolean {
  return actions.length > 0 && actions.every(({ text }) => isOf("ecr", text));
}

function isOf(service: string, action: string): boolean {
  return action.slice(0, service.length + 1).toLowerCase() === `${service}:`;
}

/** `*` is not evidence of a trust policy: it may just as well be the action of a bucket policy. */
function isTrust(action: string): boolean {
  if (!isOf("sts", action)) return false;
  return trustActions.some((name) => globMatches(action, name, { ignoreCase: true }));
}
