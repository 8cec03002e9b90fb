import { z } from "zod";
import { defineToolContract } from "../contract.ts";
import { Finding, FixFinding, LeanFinding } from "../finding.ts";
import { PolicyType, PolicyTypeSource, policyTypeWords } from "../policy.ts";
import { SeverityCounts } from "../severity.ts";

export const ReportFormat = z.enum(["csv", "html", "json", "markdown", "sarif"]);
export type ReportFormat = z.infer<typeof ReportFormat>;

export const Detail = z.enum(["summary", "findings", "fix", "full"]);
export type Detail = z.infer<typeof Detail>;

const policyTypeWord = z
  .string()
  .nullish()
  .describe(`One of ${policyTypeWords.join(", ")}; any letter case.`)
  .meta({ examples: ["identity", "RESOURCE_POLICY"] });

/** One policy of a call: the document, its JSON or YAML text, or a wrapper `{policy, name?, policy_type?}`. */
export const PolicyInput = z
  .union([
    z.string().describe("JSON or YAML text; findings then carry line and column."),
    z
      .looseObject({
        policy: z.union([z.string(), z.looseObject({})]).describe("The document or its text."),
        name: z.string().nullish().describe("Label, echoed back; never opened as a file."),
        policy_type: policyTypeWord,
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
    services_used: z.array(z.string()).describe("Sorted prefixes of all actions."),
    actions_count: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    has_wildcards: z.boolean(),
    has_conditions: z.boolean(),
  })
  .describe("What the policy holds.");
export type Summary = z.infer<typeof Summary>;

export const ValidationResult = z.strictObject({
  name: z.string().nullable(),
  is_valid: z
    .boolean()
    .describe(
      "No finding has a severity in settings.fail_on_severity; false in any case for a document that was not read or not wholly checked.",
    ),
  fails_policy: z.boolean().describe("Not is_valid."),
  severity_counts: SeverityCounts,
  policy_type: PolicyType,
  policy_type_source: PolicyTypeSource.describe("cli-flag: given in the request."),
  issues: z
    // The short form first: most results have it, and a list that fits no branch costs much to refuse.
    .union([z.array(LeanFinding), z.array(Finding), z.array(FixFinding)])
    .nullable()
    .optional()
    .describe("Null for detail summary; absent when dropped to fit."),
  summary: Summary.nullable()
    .optional()
    .describe("Null for detail findings and fix; absent when dropped to fit."),
});
export type ValidationResult = z.infer<typeof ValidationResult>;

export const validatePolicies = defineToolContract({
  name: "validate_policies",
  title: "Validate IAM policies",
  tag: "validate",
  description:
    "Judge AWS IAM policies (identity, resource, trust, SCP, RCP, permissions boundary, session, VPC endpoint) by this organisation's checks: " +
    "would AWS accept them, do they mean what they say, are they safe. Each finding says what is " +
    "wrong, where, and what to write instead.",
  input: z.strictObject({
    // Published as PolicyInput, but taken as it comes: the number of entries is judged before any of
    // them is looked at, and a bad entry gets an error of its own.
    policies: z
      .array(z.unknown().meta(policyInputSchema))
      .describe("Policies to judge.")
      .meta({ minItems: 1 }),
    policy_type: policyTypeWord.describe(
      `Type of every entry that names none; one of ${policyTypeWords.join(", ")}. Needed for scp, rcp, boundary, session and endpoint, which cannot be told from content.`,
    ),
    detail: Detail.default("findings").describe(
      "summary: counts only; fix: message, place and what to write; full: all fields.",
    ),
    format: ReportFormat.default("json").describe("Other than json: adds a report text."),
  }),
  output: z.strictObject({
    results: z.array(ValidationResult).describe("One per policy, in order."),
    config_digest: z.string().describe("Identifies the exact config and checks used."),
    truncated: z.boolean().describe("The response was cut to fit the size limit."),
    truncated_count: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe("Entries cut from the end of results."),
    report: z.string().optional().describe("Only when format is not json."),
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
