import { z } from "zod";
import { defineToolContract } from "../contract.ts";
import { PolicyType } from "../policy.ts";
import { ConfiguredSeverity, Severity } from "../severity.ts";

const IssueSeverity = z
  .strictObject({
    applies: ConfiguredSeverity.nullable().describe("Null: it depends on the finding."),
    range: z
      .array(Severity)
      .nullable()
      .describe("Where it depends on the finding: the severities that occur, highest first."),
    set: z.boolean().describe("The operator's config file decides it."),
  })
  .describe("Severity of one issue type.");

/** Severities of a check's findings, by issue type. */
export const IssueSeverities = z.record(z.string(), IssueSeverity);
export type IssueSeverities = z.infer<typeof IssueSeverities>;

const CheckExample = z.strictObject({
  title: z.string(),
  policy: z.unknown(),
  policy_type: PolicyType.nullable().describe("Null: the content decides."),
});

/** Everything that callers can know about a check. */
export const CheckDescription = z.strictObject({
  check_id: z.string(),
  description: z.string().describe("One line."),
  severity: ConfiguredSeverity.describe("The severity in effect."),
  enabled: z.boolean(),
  default_severity: Severity,
  severity_set: z.boolean().describe("The operator's config file decides the severity."),
  severities: IssueSeverities.describe("By issue type."),
  docstring: z.string().nullable().describe("Markdown: what the check reports, and why."),
  applies_to_policy_types: z.array(PolicyType).nullable().describe("Null: all types."),
  supersedes: z.array(z.string()).describe("Checks whose findings it replaces on a statement."),
  config: z.record(z.string(), z.unknown()).describe("Configured options, with defaults."),
  source: z.enum(["builtin", "entry_point", "config_module", "discovered"]),
  examples: z.strictObject({
    reported: z.array(CheckExample),
    accepted: z.array(CheckExample),
  }),
});
export type CheckDescription = z.infer<typeof CheckDescription>;

/** A check in the answer: short in the list of all, complete when it was asked for by id. */
export const ListedCheck = CheckDescription.partial().required({
  check_id: true,
  description: true,
  severity: true,
  enabled: true,
});
export type ListedCheck = z.infer<typeof ListedCheck>;

export const describeChecks = defineToolContract({
  name: "describe_checks",
  title: "Describe the checks",
  tag: "validate",
  description:
    "List the checks this server runs, with severity and whether they are on. By id also: documentation, severity of each issue type, options, examples.",
  input: z.strictObject({
    check_ids: z
      .array(z.string())
      .nullish()
      .describe(
        "Only these checks, with all members; unknown ids are ignored. Default: all checks, in short.",
      ),
  }),
  output: z.strictObject({
    checks: z
      .array(ListedCheck)
      .describe("Sorted by check_id. Without check_ids: check_id, description, severity, enabled."),
  }),
  errors: ["invalid_arguments"],
});
