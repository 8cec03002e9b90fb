import { z } from "zod";
import { defineToolContract } from "../contract.ts";
import { PolicyType } from "../policy.ts";
import { ConfiguredSeverity, Severity } from "../severity.ts";

export const CheckDescription = z.strictObject({
  check_id: z.string(),
  description: z.string().describe("One line."),
  default_severity: Severity,
  docstring: z.string().nullable().describe("Markdown: what the check reports, and why."),
  applies_to_policy_types: z.array(PolicyType).nullable().describe("Null: all types."),
  supersedes: z
    .array(z.string())
    .describe("Checks whose findings are dropped on statements that this check reports."),
  config: z.record(z.string(), z.unknown()).describe("Options as configured."),
  enabled: z.boolean(),
  severity: ConfiguredSeverity.describe("Severity as configured."),
  source: z.enum(["builtin", "entry_point", "config_module", "discovered"]),
});
export type CheckDescription = z.infer<typeof CheckDescription>;

export const describeChecks = defineToolContract({
  name: "describe_checks",
  title: "Describe the checks",
  tag: "validate",
  description:
    "List the checks of this server: what each reports and why, its options, its severity, and whether it is enabled.",
  input: z.strictObject({
    check_ids: z
      .array(z.string())
      .nullish()
      .describe("Only these checks; unknown ids are ignored. Default: all."),
  }),
  output: z.strictObject({ checks: z.array(CheckDescription).describe("Sorted by check_id.") }),
  errors: ["invalid_arguments"],
});
