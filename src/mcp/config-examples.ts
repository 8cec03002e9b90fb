/** A config file for one posture. */
export interface ConfigExample {
  readonly title: string;
  /** Who would want it. */
  readonly purpose: string;
  /** The whole file; ends with a line break. */
  readonly yaml: string;
}

export const configExamples: readonly ConfigExample[] = [
  {
    title: "Strict enterprise",
    purpose: "Wildcards and missing conditions stop a policy from being merged.",
    yaml: `settings:
  fail_on_severity: [error, critical, high]
wildcard_action:
  severity: critical
wildcard_resource:
  severity: critical
full_wildcard:
  severity: critical
service_wildcard:
  severity: critical
sensitive_action:
  severity: high
action_condition_enforcement:
  severity: error
`,
  },
  {
    title: "Permissive development",
    purpose: "Sandbox accounts: only policies that grant everything or do not work fail.",
    yaml: `settings:
  fail_on_severity: [error, critical]
sensitive_action:
  enabled: false
wildcard_action:
  severity: medium
wildcard_resource:
  severity: medium
full_wildcard:
  severity: critical
`,
  },
  {
    title: "Compliance",
    purpose: "Evidence that policies are well-formed and have the effect that they appear to have.",
    yaml: `settings:
  fail_on_severity: [error, critical, high]
action_validation:
  severity: error
condition_key_validation:
  severity: error
condition_type_mismatch:
  severity: error
policy_structure:
  severity: error
policy_size:
  severity: error
`,
  },
  {
    title: "Security audit",
    purpose: "Review of existing policies: everything that needs a closer look fails.",
    yaml: `settings:
  fail_on_severity: [error, critical, high, medium]
wildcard_action:
  severity: high
wildcard_resource:
  severity: high
full_wildcard:
  severity: critical
service_wildcard:
  severity: high
sensitive_action:
  severity: high
action_condition_enforcement:
  severity: high
not_action_not_resource:
  severity: high
`,
  },
  {
    title: "Minimal",
    purpose: "A first gate in a pipeline: broken documents and full access, nothing else.",
    yaml: `settings:
  fail_on_severity: [error, critical]
  parallel_execution: true
policy_structure:
  severity: error
full_wildcard:
  severity: critical
action_validation:
  enabled: false
sensitive_action:
  enabled: false
condition_key_validation:
  enabled: false
`,
  },
];
