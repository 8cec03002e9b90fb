import { z } from "zod";

/** Maximum number of entries in a baseline. */
const maxBaselineEntries = 100_000;

/** Findings that are alike: the same fingerprint in one file. */
export const BaselineEntry = z.strictObject({
  file: z
    .string()
    .describe("Path of the file from the folder of the config or the root of the repository."),
  check_id: z.string(),
  issue_type: z.string(),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{16}$/, { error: "is not a fingerprint (16 hex digits)" }),
  count: z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe("Findings with this fingerprint."),
});
export type BaselineEntry = z.infer<typeof BaselineEntry>;

/** The file of `validate --baseline`: known findings, which do not fail a run. */
export const Baseline = z
  .strictObject({
    version: z.literal(1),
    findings: z
      .array(BaselineEntry)
      .max(maxBaselineEntries)
      .describe("By file, check, issue type and fingerprint."),
  })
  .describe("Known findings, written by validate --update-baseline.");
export type Baseline = z.infer<typeof Baseline>;
