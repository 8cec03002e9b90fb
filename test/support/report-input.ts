import type { Finding, Location } from "../../spec/finding.ts";
import type { ReportInput, ReportPolicy } from "../../src/reports/types.ts";

/** A finding of the kind checks make; what a test is about is put in its place. */
export function findingWith(fields: Partial<Finding> = {}): Finding {
  return {
    severity: "high",
    check_id: "service_wildcard",
    issue_type: "overly_permissive",
    message: "`iam:*` grants every action of iam.",
    suggestion: "List the actions that are used.",
    statement_index: 0,
    statement_sid: "Admin",
    path: "/Statement/0/Action",
    location: null,
    fix: null,
    action: "iam:*",
    resource: null,
    condition_key: null,
    field_name: "action",
    example: null,
    example_path: null,
    risk_explanation: "It grows with each action that AWS adds.",
    risk_category: "privilege_escalation",
    documentation_url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html",
    remediation_steps: ["List the actions."],
    aws_issue_code: null,
    aws_finding_type: null,
    related: [],
    escalation_paths: null,
    fingerprint: "0123456789abcdef",
    ...fields,
  };
}

/** A policy with these findings; it fails when one of them is an error, critical or high. */
export function policyWith(
  findings: readonly Finding[],
  { file = "policy-0", text = null }: { file?: string; text?: string | null } = {},
): ReportPolicy {
  const fails = findings.some(({ severity }) => /^(error|critical|high)$/.test(severity));
  return {
    file,
    text,
    result: {
      is_valid: !fails,
      fails_policy: fails,
      severity_counts: {},
      policy_type: "IDENTITY_POLICY",
      policy_type_source: "default",
      findings,
    },
  };
}

export function reportInput(
  policies: readonly ReportPolicy[],
  rest: Partial<ReportInput> = {},
): ReportInput {
  return {
    policies,
    rules: [
      {
        check_id: "wildcard_resource",
        description: "An Allow statement does not reach all resources.",
        docstring: null,
        default_severity: "medium",
        severity: "none",
      },
      {
        check_id: "service_wildcard",
        description: "An Allow statement does not grant every action of a service.",
        docstring: "Reports each entry such as `iam:*`.\n\n- **One.** First\n  and more\n- Two",
        default_severity: "high",
        severity: "medium",
        documentation_url: "https://docs.aws.amazon.com/IAM/",
      },
    ],
    version: "1.2.3",
    config_digest: "ab".repeat(32),
    dataDate: "2026-01-31",
    generatedAt: new Date("2026-02-03T04:05:06.789Z"),
    ...rest,
  };
}

/** Where a piece of a one-line-per-`\n` text stands. */
export function locationOf(text: string, piece: string): Location {
  const at = (offset: number) => {
    const before = text.slice(0, offset).split("\n");
    return { line: before.length, column: before.at(-1)?.length ?? 0, offset };
  };
  const start = text.indexOf(piece);
  return { start: at(start), end: at(start + piece.length) };
}
