import { z } from "zod";
import { Expression } from "./expression.ts";
import { Finding } from "./finding.ts";
import { SeverityCounts } from "./severity.ts";

/** Maximum number of exceptions in a config. */
export const maxExceptions = 1000;

/** Maximum number of expressions in the exceptions for one check: each finding of it is compared with all. */
export const maxExpressionsPerCheck = 200;

const oneOrSome = <Item extends z.ZodType>(item: Item, max: number) =>
  z.union([item, z.array(item).min(1).max(max)]);

const expression = Expression.max(512);
/** An expression or a list, in an exception. */
export const exceptionExpressions = oneOrSome(expression, 20);

/** A name or a list, in an exception. */
export const exceptionNames = oneOrSome(z.string().min(1).max(200), 50);

const Fingerprint = z
  .string()
  .regex(/^[0-9a-f]{16}$/, { error: "is not a fingerprint; it has 16 hex digits" })
  .describe("Fingerprint of a finding, as results and reports show it.");

const Reason = z
  .string({
    error: ({ input }) =>
      input === undefined ? "is missing; say why this finding is accepted" : undefined,
  })
  .trim()
  .min(1, { error: "is empty; say why this finding is accepted" })
  .max(1000);

/** Fields of an exception that are compared with the finding as regular expressions. */
export const exceptionPatterns = [
  "filepath",
  "sid",
  "action",
  "resource",
  "condition_key",
] as const;
export type ExceptionPattern = (typeof exceptionPatterns)[number];

/** A finding that the operator accepts: which one, why, who is responsible, and for how long. */
export const ConfigException = z
  .strictObject({
    fingerprint: oneOrSome(Fingerprint, 100).optional(),
    check: exceptionNames.optional().describe("Id of the check, or a list."),
    issue_type: exceptionNames.optional().describe("Issue type, or a list."),
    filepath: exceptionExpressions
      .optional()
      .describe(
        "File of the policy; names given by callers only with settings.trust_policy_names.",
      ),
    sid: exceptionExpressions.optional().describe("Without `*`: the exact Sid of the statement."),
    action: exceptionExpressions.optional(),
    resource: exceptionExpressions.optional(),
    condition_key: exceptionExpressions.optional(),
    reason: Reason.describe("Why the finding is accepted; shown in reports."),
    owner: z.string().trim().min(1).max(200).optional().describe("Who is responsible for it."),
    expires: z.iso
      .date({ error: "is not a date; write YYYY-MM-DD" })
      .optional()
      .describe("Last day, in UTC, on which the exception applies: YYYY-MM-DD."),
  })
  .refine(({ fingerprint, check }) => fingerprint !== undefined || check !== undefined, {
    error: "needs fingerprint or check; an exception for every check would hide all findings",
  })
  .describe("Leaves out findings for which every given field matches.");
export type ConfigException = z.infer<typeof ConfigException>;

/** Why a finding was left out. */
export const Suppression = z.strictObject({
  kind: z
    .enum(["exception", "baseline"])
    .describe("exception: of the config. baseline: a known finding; only on the command line."),
  reason: z.string().nullable().describe("As the config gives it; null for the baseline."),
  owner: z.string().nullable(),
  expires: z.string().nullable().describe("Last day in UTC, YYYY-MM-DD; null: it does not end."),
});
export type Suppression = z.infer<typeof Suppression>;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What was left out of a result. */
export const SuppressedFindings = z
  .strictObject({
    exceptions: count.describe("Findings that exceptions of the config left out."),
    baseline: count.describe("Findings that the baseline of the command line left out."),
    severity_counts: SeverityCounts,
    findings: z
      .array(Finding.extend({ suppression: Suppression }))
      .optional()
      .describe("Only with detail full; absent if dropped to fit the size limit."),
  })
  .describe("Findings that were left out. They count nowhere else and fail no policy.");
export type SuppressedFindings = z.infer<typeof SuppressedFindings>;
