import type { PolicyType } from "../../../spec/policy.ts";
import type { Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { policyTypeFacts, typeInWords } from "../../policy/type-facts.ts";
import { correctedStatement } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { inCondition, inConditionFix, needsCondition } from "./refused-principals.ts";

/** Reports the principal elements that a statement must have or must not have; RCPs have own rules. */
export function* checkPrincipals(statement: Statement, type: PolicyType): Iterable<Report> {
  const about = { severity: "error", statement, field_name: "principal" } as const;
  const { principal: rule } = policyTypeFacts[type];
  if (rule === "everyone") return;
  if (rule === "refused") {
    for (const element of ["Principal", "NotPrincipal"] as const) {
      if (!statement.has(element)) continue;
      yield {
        ...about,
        node: statement.at(element),
        ...unexpected(element, type),
        ...removal(statement, element, type),
      };
    }
    return;
  }
  if (rule === "trust" && statement.has("NotPrincipal")) {
    yield {
      ...about,
      node: statement.at("NotPrincipal"),
      issue_type: "invalid_not_principal",
      message:
        "The statement has `NotPrincipal`, which a role trust policy cannot have; IAM refuses the document.",
      suggestion:
        "Name those who may assume the role in `Principal`; keep others out with a condition on `aws:PrincipalArn`.",
      aws_issue_code: "ROLE_TRUST_POLICY_SYNTAX_ERROR_NOTPRINCIPAL",
    };
  }
  if (!statement.has("Principal") && !statement.has("NotPrincipal")) {
    yield { ...about, ...missing(type) };
  }
}

function unexpected(element: "Principal" | "NotPrincipal", type: PolicyType): Report {
  const { refusedBy } = policyTypeFacts[type];
  const organization = refusedBy === "Organizations";
  return {
    issue_type:
      element === "NotPrincipal"
        ? "invalid_not_principal"
        : organization
          ? "invalid_principal"
          : "unexpected_principal",
    message: `The statement has \`${element}\`, which ${typeInWords(type)} cannot have; ${refusedBy} refuses the document.`,
    suggestion: organization
      ? "Remove it: an SCP applies to the principals of the accounts it is attached to. To single some out, use a condition on `aws:PrincipalArn`."
      : "Remove it: the statement applies to the user, group or role that has the policy. To say who may use a resource, write a resource policy.",
    aws_issue_code: organization ? "SCP_SYNTAX_ERROR_PRINCIPAL" : "UNSUPPORTED_PRINCIPAL",
  };
}

function removal(statement: Statement, element: "Principal" | "NotPrincipal", type: PolicyType) {
  const isNamed = needsCondition(statement, element, type);
  return isNamed
    ? fixedBy(() => inCondition(statement, element), inConditionFix)
    : fixedBy(() => withoutElement(statement, element), {
        title: "Remove the element, which a policy of this type cannot have",
        effect: "repairs",
      });
}

/** The statement without the element: it applies to the holder of the policy. */
function withoutElement(statement: Statement, element: "Principal" | "NotPrincipal") {
  return correctedStatement(statement, { [element]: undefined });
}

function missing(type: PolicyType): Report {
  const trust = policyTypeFacts[type].principal === "trust";
  return {
    issue_type: "missing_principal",
    message: trust
      ? "The statement has no `Principal`. A trust policy must say who may assume the role, and IAM refuses one that does not."
      : `The statement has no \`Principal\`. ${upper(typeInWords(type))} must say who is meant, and AWS refuses one that does not.`,
    suggestion: trust
      ? "Add a `Principal` with the accounts, roles, services or identity providers that are meant."
      : "Add a `Principal` with the accounts, roles or services that are meant.",
    aws_issue_code: "MISSING_PRINCIPAL",
  };
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
