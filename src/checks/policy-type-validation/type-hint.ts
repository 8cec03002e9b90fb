import { type PolicyType, policyTypes } from "../../../spec/policy.ts";
import type { Report } from "../../engine/check.ts";
import { isOnlyForEndpoint } from "../../engine/only-endpoint.ts";
import { detectPolicyType, namesPrincipals } from "../../policy/detect-type.ts";
import type { Policy } from "../../policy/model.ts";
import { policyTypeFacts, typeInWords } from "../../policy/type-facts.ts";
import { bareStatement } from "../shared/bare-statement.ts";
import { looksLikeRcp } from "../shared/rcp-shape.ts";

/** @returns the hint that the type of a policy does not suit its content, or null. */
export function typeHint(policy: Policy): Report | null {
  const [first] = policy.statements;
  if (!first) return null;
  const about = {
    issue_type: "policy_type_hint",
    severity: "info",
    statement: bareStatement(0, first.node, "policy type"),
  } as const;
  const against = policy.typeSource === "config-glob" ? contradiction(policy) : null;
  if (against) {
    return {
      ...about,
      message: `A file name pattern makes this ${typeInWords(policy.type)}, but ${against}.`,
      suggestion:
        "If it is another type, declare that type, or give the file a name that does not match the pattern.",
    };
  }
  if (isOnlyForEndpoint(policy)) {
    return {
      ...about,
      message:
        "The policy names principals, but resources of the services of its actions have no policies, so it can only be the policy of a VPC endpoint.",
      suggestion: `Declare its type: \`${policyTypes.ENDPOINT_POLICY.short}\`. For callers of your account, write an identity policy instead.`,
    };
  }
  const meant = lookAlike(policy);
  if (!meant) return null;
  return {
    ...about,
    message: `The policy is checked as ${policy.type}, but ${meant.why}.`,
    suggestion: `If it is one, declare its type: \`${policyTypes[meant.type].short}\`. Other rules then apply to it.`,
  };
}

/** Why the content of a policy cannot be of the type that its label says. */
function contradiction({ type, statements }: Policy): string | null {
  const { principal, resource } = policyTypeFacts[type];
  const names = statements.some(namesPrincipals);
  if (principal === "refused") return names ? "it has `Principal`" : null;
  if (!names) return "it has no `Principal`";
  const hasResource = ({ resources, notResources }: Policy["statements"][number]) =>
    resources.length + notResources.length > 0;
  return resource === "refused" && statements.some(hasResource) ? "it has `Resource`" : null;
}

function lookAlike(policy: Policy): { type: PolicyType; why: string } | null {
  const { type, statements } = policy;
  if (type !== "IDENTITY_POLICY" && type !== "RESOURCE_POLICY") return null;
  if (looksLikeRcp(policy)) {
    return {
      type: "RESOURCE_CONTROL_POLICY",
      why: 'it has the form of a RESOURCE_CONTROL_POLICY: every statement denies `"Principal": "*"` actions of named services on `"Resource": "*"`',
    };
  }
  if (type !== "IDENTITY_POLICY" || !statements.some(namesPrincipals)) return null;
  return detectPolicyType(statements) === "TRUST_POLICY"
    ? {
        type: "TRUST_POLICY",
        why: "its content is that of a TRUST_POLICY: it says who may assume a role",
      }
    : {
        type: "RESOURCE_POLICY",
        why: "its content is that of a RESOURCE_POLICY: it names principals",
      };
}
