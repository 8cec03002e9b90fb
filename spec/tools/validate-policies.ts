import { z } from "zod";
import { AccessAnswer } from "../access.ts";
import { Unwrapped } from "../container.ts";
import { defineToolContract } from "../contract.ts";
import { Finding, FixEffect, FixFinding, LeanFinding } from "../finding.ts";
import { declaredTypeWords, PolicyType, PolicyTypeSource, policyTypeWords } from "../policy.ts";
import { reportFormats } from "../report-formats.ts";
import { SeverityCounts } from "../severity.ts";
import { SuppressedFindings } from "../suppression.ts";

const formatIds = reportFormats.map(({ id }) => id);
const mustBeDeclared = `${declaredTypeWords.slice(0, -1).join(", ")} and ${declaredTypeWords.at(-1)}`;
export const ReportFormat = z.enum(["json", ...formatIds]);
export type ReportFormat = z.infer<typeof ReportFormat>;

export const Detail = z.enum(["summary", "findings", "fix", "full"]);
export type Detail = z.infer<typeof Detail>;

const policyTypeWord = z
  .string()
  .nullish()
  .describe(`One of ${policyTypeWords.join(", ")}; any letter case.`)
  .meta({ examples: ["identity", "RESOURCE_POLICY"] });

/** One policy of a call: a document, its JSON or YAML text, or a wrapper `{policy, name?, policy_type?, baseline?}`. */
export const PolicyInput = z
  .union([
    z
      .string()
      .describe(
        "JSON or YAML text; findings then have a line and column. Also a template, a Terraform plan or an AWS response that contains policies: each policy has a separate result.",
      ),
    z
      .looseObject({
        policy: z.union([z.string(), z.looseObject({})]).describe("The document or its text."),
        name: z
          .string()
          .nullish()
          .describe("Name of the policy, returned with its result; never opened as a file."),
        policy_type: policyTypeWord,
        baseline: z
          .union([z.string(), z.looseObject({})])
          .nullish()
          .describe(
            "An earlier version of the policy, or its text: does the policy allow a request that the baseline does not? Not asked of policies inside templates, plans and other files.",
          ),
      })
      .describe("Wrapper."),
    z.looseObject({}).describe("The document itself."),
  ])
  .describe("A policy document, its text, or a wrapper around either.");

const { $schema: _, ...policyInputSchema } = z.toJSONSchema(PolicyInput, { io: "input" });

export const Summary = z
  .strictObject({
    total_statements: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    allow_statements: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    deny_statements: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    services_used: z.array(z.string()).describe("Service prefixes of all actions, sorted."),
    actions_count: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    has_wildcards: z.boolean(),
    has_conditions: z.boolean(),
  })
  .describe("What the policy contains.");
export type Summary = z.infer<typeof Summary>;

export const ValidationResult = z.strictObject({
  name: z.string().nullable(),
  is_valid: z
    .boolean()
    .describe(
      "No finding has a severity listed in fail_on_severity. False for a document that could not be read or fully checked.",
    ),
  fails_policy: z.boolean().describe("The opposite of is_valid."),
  severity_counts: SeverityCounts,
  policy_type: PolicyType,
  policy_type_source: PolicyTypeSource.describe("cli-flag: given in the request."),
  issues: z
    // The short form first: most results have it, and a list that matches no branch is slow to refuse.
    .union([z.array(LeanFinding), z.array(Finding), z.array(FixFinding)])
    .nullable()
    .optional()
    .describe("Null with detail summary; absent if dropped to fit the size limit."),
  suppressed: SuppressedFindings.optional().describe(
    "Findings that exceptions left out; absent if there are none. They count nowhere else.",
  ),
  answers: z
    .array(AccessAnswer)
    .describe("Proven answers to the questions about access that were asked of this policy."),
  fixed_policy: z
    .union([z.string(), z.looseObject({})])
    .nullable()
    .optional()
    .describe(
      "Only with the input fix: the policy with the fixes applied, as text if it was given as text; " +
        "null if no fix was applied. All other members describe the fixed policy. For a template, the first of its results " +
        "has the whole template and the others null. Absent if dropped to fit the size limit.",
    ),
  fixes_applied: z
    .partialRecord(FixEffect, z.int().min(1).max(Number.MAX_SAFE_INTEGER))
    .optional()
    .describe("Only with the input fix: how many fixes were applied, by effect."),
  unwrapped: Unwrapped.optional().describe(
    "Where the policy is in a template, a plan, an AWS response or a wrapper; absent for a bare policy.",
  ),
  summary: Summary.nullable()
    .optional()
    .describe("Null with detail findings and fix; absent if dropped to fit the size limit."),
});
export type ValidationResult = z.infer<typeof ValidationResult>;

export const validatePolicies = defineToolContract({
  name: "validate_policies",
  title: "Validate IAM policies",
  tag: "validate",
  description:
    "Validate AWS IAM policies (identity, resource, trust, SCP, RCP, permissions boundary, session, " +
    "VPC endpoint) against this organisation's checks: does AWS accept them, do they do what they " +
    "appear to do, are they safe. Each finding says what is wrong, where, and what to write instead.",
  input: z.strictObject({
    // Published as PolicyInput but not parsed here: the number of entries is checked before any
    // entry is, and each invalid entry gets a separate error.
    policies: z
      .array(z.unknown().meta(policyInputSchema), {
        error: ({ input }) =>
          input === undefined
            ? 'missing; send an array, also for one policy: {"policies": [<policy>]}'
            : 'expected an array, also for one policy: {"policies": [<policy>]}',
      })
      .describe("Policies to validate.")
      .meta({ minItems: 1 }),
    policy_type: policyTypeWord.describe(
      `Type of every entry without its own policy_type; one of ${policyTypeWords.join(", ")}. Required for ${mustBeDeclared}, which cannot be recognised from their content.`,
    ),
    detail: Detail.default("findings").describe(
      "summary: counts only. findings: what is wrong, where, and how to fix it. fix: message, place and what to write. full: all fields.",
    ),
    fix: z
      .array(FixEffect)
      .max(FixEffect.options.length)
      .nullish()
      .describe(
        "Effects of the fixes to apply to a copy of each policy, e.g. equivalent and repairs; it is " +
          "returned as fixed_policy. Null or empty: none. Fixes with needs_input are never applied.",
      )
      .meta({ examples: [["equivalent", "repairs"]] }),
    format: ReportFormat.default("json").describe("Any format but json also returns a report."),
  }),
  output: z.strictObject({
    results: z
      .array(ValidationResult)
      .describe("One per policy, in order; a template has one per policy in it."),
    config_digest: z.string().describe("Identifies the exact config and checks used."),
    truncated: z.boolean().describe("Whether the response was shortened to fit the size limit."),
    truncated_count: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe("Number of entries dropped from the end of results."),
    report: z.string().optional().describe("The report; only if format is not json."),
  }),
  errors: [
    "invalid_arguments",
    "too_many_policies",
    "policy_too_large",
    "request_too_large",
    "request_timeout",
    "no_policies",
    "invalid_policy_entry",
    "unknown_policy_type",
    "overloaded",
    "not_ready",
  ],
});
