import { z } from "zod";
import { BaselineEntry } from "../../baseline.ts";
import { defineToolContract } from "../../contract.ts";
import { Finding, FixFinding, LeanFinding } from "../../finding.ts";
import { Severity } from "../../severity.ts";
import { validatePolicies as hosted, ValidationResult } from "../validate-policies.ts";

const { policies, policy_type, detail, fix, format } = hosted.input.shape;

const file = z
  .string()
  .nullable()
  .describe("Path of the file, relative to the root; null for an entry of policies.");

const LocalFinding = Finding.extend({ file });

const LocalLeanFinding = LeanFinding.extend({ file });
const LocalFixFinding = FixFinding.extend({ file });

export const LocalValidationResult = ValidationResult.extend({
  file,
  document: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .nullable()
    .describe("Index of the document in a file with several YAML documents, from 0; else null."),
  fixed_policy: ValidationResult.shape.fixed_policy.describe(
    "Only with the input fix: the policy with the fixes applied, as text if it was given as text; null if no fix was " +
      "applied. With path and glob it is the text of the whole file, in the first of its results; no file is written. For a " +
      "template, the first of its results has the whole template. All other members describe the fixed policy. Absent if dropped to fit the size limit.",
  ),
  issues: z
    .union([z.array(LocalLeanFinding), z.array(LocalFinding), z.array(LocalFixFinding)])
    .nullable()
    .optional()
    .describe(
      "With line and column of the file in location. Null with detail summary; absent if dropped to fit the size limit.",
    ),
});
export type LocalValidationResult = z.infer<typeof LocalValidationResult>;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const Totals = z.strictObject({
  policies: count,
  invalid: count.describe("Policies whose is_valid is false."),
  severity_counts: z.record(Severity, count).describe("Findings by severity, 0 included."),
});

/** A policy inside a file that only the earlier version of the file has. */
export const RemovedPolicy = z.strictObject({
  file: z.string().nullable().describe("Path of the file."),
  address: z.string().describe("Place in the earlier version, as in unwrapped.address."),
  earlier_line: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .nullable()
    .describe("Its first line in the earlier version."),
  resource_type: z.string().nullable(),
});
export type RemovedPolicy = z.infer<typeof RemovedPolicy>;

/** `validate_policies` of local mode: policies inline, or files. */
export const localValidatePolicies = defineToolContract({
  ...hosted,
  description: `${hosted.description} Give exactly one of policies, path and glob.`,
  input: z.strictObject({
    policies: policies.nullish().describe("Policies to validate; at least one."),
    path: z
      .string()
      .min(1)
      .nullish()
      .describe("A .json, .yaml or .yml file below the root, or a directory of such files."),
    glob: z
      .string()
      .min(1)
      .nullish()
      .describe("Files below the root, e.g. policies/**/*.json; supports *, ?, ** and {a,b}."),
    policy_type,
    detail,
    fix,
    format,
  }),
  output: z.strictObject({
    ...hosted.output.shape,
    results: z
      .array(LocalValidationResult)
      .describe("One per policy, in order; a file with several YAML documents has several."),
    skipped: count
      .optional()
      .describe(
        "Files, or documents in them, that were found in a directory or by a glob and are not policies. Only for path and glob.",
      ),
    baseline: z
      .strictObject({
        gone: z.array(BaselineEntry).describe("Entries, with the number of findings that is gone."),
      })
      .optional()
      .describe("Only in the JSON of the command line with --baseline."),
    removed: z
      .array(RemovedPolicy)
      .optional()
      .describe(
        "Policies inside files that only the earlier versions have. Only in the JSON of compare, and of validate with --against.",
      ),
    unused_exceptions: z
      .array(count)
      .optional()
      .describe(
        "Indexes of exceptions that match no finding. Only in the JSON of the command line.",
      ),
    totals: Totals.optional().describe("Over all results. Only in the JSON of the command line."),
  }),
});
