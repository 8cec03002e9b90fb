/** A config that switches on what is off by default, and gives the checks rules to trip over. */
export const eccentricConfig = {
  settings: {
    suppress_superseded_findings: false,
    allow_template_variables: false,
    trust_policy_names: true,
    documentation: { base_url: "https://docs.example.com/checks/", include_aws_docs: true },
  },
  policy_types: [{ pattern: "*/b.*", type: "RESOURCE_POLICY" }],
  action_condition_enforcement: {
    enabled: true,
    action_condition_requirements: [
      {
        action_patterns: ["^(s3|iam):(Get|Put|.*)+$"],
        required_conditions: [{ condition_key: "aws:SourceIp" }],
      },
    ],
  },
  wildcard_resource: {
    severity: "critical",
    ignore_patterns: [
      { sid: "(a|a*)*b", action: "(.*)*x" },
      { filepath: "^a/", resource: "^arn:aws:s3:::(.*)+$" },
    ],
  },
  principal_validation: { enabled: true },
  trust_policy_validation: { enabled: true },
  rcp_best_practices: { enabled: true },
  sensitive_action: { severity: "low" },
  policy_size: { organizations_measurement: "compact" },
} as const;
