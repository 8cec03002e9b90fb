import { type Claim, type Claims, first, testsOf, texts } from "./case.ts";
import { element } from "./principals.ts";

const both =
  (one: string, other: string): Claim =>
  (example) =>
    first(element(one, true)(example), element(other, true)(example));

const isEmptyList: Claim = ({ node }) =>
  Array.isArray(node) && node.length === 0 ? null : "the list has values";

export const structureClaims: Claims = {
  "policy_structure/missing_version": ({ policy }) => ("Version" in policy ? "it has one" : null),
  "policy_structure/outdated_version": ({ policy }) =>
    policy.Version === "2008-10-17" ? null : "another version",
  "policy_structure/invalid_version": ({ policy }) =>
    /^(?:2012-10-17|2008-10-17)$/.test(String(policy.Version)) ? "it is valid" : null,
  "policy_structure/unknown_policy_field": ({ policy, quoted: [name = ""] }) =>
    first(
      !(name in policy) && "it is not there",
      /^(?:Version|Id|Statement)$/.test(name) && "known",
    ),
  "policy_structure/missing_statement": ({ policy }) =>
    "Statement" in policy ? "it is there" : null,
  "policy_structure/empty_statement": ({ policy }) =>
    [policy.Statement].flat().length === 0 ? null : "there is a statement",
  "policy_structure/unknown_field": ({ statement, quoted: [name = ""] }) =>
    name in statement ? null : "it is not there",
  "policy_structure/missing_effect": element("Effect", false),
  "policy_structure/invalid_effect": ({ statement }) =>
    /^(?:Allow|Deny)$/.test(String(statement.Effect)) ? "it is valid" : null,
  "policy_structure/invalid_sid_type": ({ statement }) =>
    typeof statement.Sid === "string" ? "it is a text" : null,
  "policy_structure/missing_action": element("Action", false),
  "policy_structure/missing_resource": element("Resource", false),
  "policy_structure/unexpected_resource": ({ statement }) =>
    "Resource" in statement || "NotResource" in statement ? null : "it has none",
  "policy_structure/action_conflict": both("Action", "NotAction"),
  "policy_structure/resource_conflict": both("Resource", "NotResource"),
  "policy_structure/principal_conflict": both("Principal", "NotPrincipal"),
  "policy_structure/empty_element": isEmptyList,
  "policy_structure/invalid_element_type": ({ node, finding }) =>
    typeof node === "string" && !/must be an object/.test(finding.message) ? "it is a text" : null,
  "not_action_not_resource/not_resource_deny_ineffective": ({ statement }) =>
    texts(statement.NotResource).includes("*") ? null : "`*` is not listed",
  "set_operator_validation/null_with_qualifier": ({ statement }) =>
    testsOf(statement).some(({ operator }) => /^For\w+:Null/.test(operator))
      ? null
      : "no such test",
  "empty_elements/empty_sid": ({ statement }) => (statement.Sid === "" ? null : "it is not empty"),
  "empty_elements/empty_condition": ({ statement }) =>
    testsOf(statement).length === 0 ? null : "it has a test",
  "empty_elements/empty_operator": ({ node }) =>
    typeof node === "object" && node !== null && Object.keys(node).length === 0
      ? null
      : "the operator has a key",
  "address_ranges/host_bits_set": ({ node }) =>
    texts(node).some((text) => text.includes("/")) ? null : "no range",
  "policy_type_validation/invalid_rcp_not_principal": element("NotPrincipal", true),
  "policy_type_validation/invalid_rcp_not_action": element("NotAction", true),
  "policy_type_validation/missing_rcp_principal": element("Principal", false),
  "policy_type_validation/missing_rcp_resource": element("Resource", false),
  "policy_type_validation/invalid_rcp_wildcard_action": ({ statement }) =>
    texts(statement.Action).includes("*") ? null : "no action is `*`",
};
