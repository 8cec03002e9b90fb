import { z } from "zod";
import { SeverityCounts } from "./severity.ts";

export const Outcome = z.enum(["success", "tool_error", "cancelled", "internal_error"]);
export type Outcome = z.infer<typeof Outcome>;

/** One line on standard output per hosted tool call. Exactly these keys, sorted; never policy content. */
export const AuditRecord = z
  .strictObject({
    config_digest: z.string().regex(/^[0-9a-f]{64}$/),
    duration_s: z.number().min(0).describe("Seconds, rounded to 6 decimals."),
    outcome: Outcome,
    policy_count: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe("Policies submitted; 1 for analyze_policy, 0 for tools that take no policy."),
    scopes: z.array(z.string()).describe("Scopes of the caller's token, sorted."),
    severity_counts: SeverityCounts.describe(
      "Findings by severity, counted before the response was cut to fit.",
    ),
    subject: z.string().describe("Token subject, else client id, else `anonymous`."),
    timestamp: z.iso
      .datetime({ offset: true })
      .describe("UTC time at which the record was written."),
    tool: z.string(),
  })
  .describe("Audit record of one tool call.");
export type AuditRecord = z.infer<typeof AuditRecord>;
