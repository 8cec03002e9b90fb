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
    !(statement.has("Resource") || statement.has("NotResource"));
  return statements.length > 0 && statements.every(isTrustOnly);
}

/** @returns whether a statement has `Principal` or `NotPrincipal`. */
export function namesPrincipals(statement: Statement): boolean {
  return statement.has("Principal") || statement.has("NotPrincipal");
}

function grantsTrust(statement: Statement): boolean {
  const mayAllow = !statement.has("Effect") || statement.effect?.toLowerCase() === "allow";
  return (
    mayAllow && namesPrincipals(statement) && statement.actions.some(({ text }) => isTrust(text))
  );
}

/** `*` is not evidence of a trust policy: it may just as well be the action of a bucket policy. */
function isTrust(action: string): boolean {
  if (action.slice(0, "sts:".length).toLowerCase() !== "sts:") return false;
  return trustActions.some((name) => globMatches(action, name, { ignoreCase: true }));
}
