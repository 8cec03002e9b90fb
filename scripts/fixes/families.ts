/** The two families of checks, whose shares of findings with a fix have goals. */

export type Family = "validity" | "security";

/** Checks of what a document is and what its parts mean; all others are about what is granted. */
const validity: ReadonlySet<string> = new Set([
  "policy_structure",
  "sid_uniqueness",
  "policy_size",
  "policy_type_validation",
  "action_validation",
  "resource_validation",
  "condition_key_validation",
  "condition_type_mismatch",
  "set_operator_validation",
  "ifexists_condition_usage",
  "action_resource_matching",
  "not_principal_validation",
  "mfa_condition_antipattern",
  "rcp_best_practices",
  "condition_effect",
  "policy_variables",
  "arn_fields",
  "redundancy",
  "empty_elements",
  "address_ranges",
]);

export function familyOf(checkId: string): Family {
  return validity.has(checkId) ? "validity" : "security";
}
