import { z } from "zod";
import { defineToolContract } from "../contract.ts";
import { PolicyType } from "../policy.ts";
import { ConfiguredSeverity, Severity } from "../severity.ts";

export const CheckDescription = z.strictObject({
  check_id: z.string(),
  description: z.string().describe("One line."),
  default_severity: Severity,
  docstring: z.string().nullable().describe("Markdown: what is reported, and why."),
  applies_to_policy_types: z.array(PolicyType).nullable().describe("Null: all types."),
  supersedes: z.array(z.string()).describe("Checks it stands for where it reports."),
  config: z.record(z.string(), z.unknown()).describe("Options in force."),
  enabled: z.boolean(),
  severity: ConfiguredSeverity.describe("In force."),
  source: z.enum(["builtin", "entry_point", "config_module", "discovered"]),
});
export type CheckDescription = z.infer<typeof CheckDescription>;

export const describeChecks = defineToolContract({
  name: "describe_checks",
  title: "Describe the checks",
  tag: "validate",
  description:
    "List the checks this server runs: what each reports and why, its options, severity and whether it is on.",
  input: z.strictObject({
    check_ids: z
      .array(z.string())
      .nullish()
      .describe("Only these; unknown ids are left out. Absent: all."),
  }),
  output: z.strictObject({ checks: z.array(CheckDescription).describe("Sorted by check_id.") }),
  errors: ["invalid_arguments"],
});
