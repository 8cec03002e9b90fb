import { z } from "zod";
import { Severity } from "./severity.ts";

const position = z.strictObject({
  line: z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe("Counted from 1."),
  column: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe("UTF-16 code units from 0."),
  offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe("UTF-16 code units from 0."),
});

/** A span in the text of a policy. */
export const Location = z
  .strictObject({ start: position, end: position.describe("Exclusive.") })
  .describe("Position of the element in the submitted text.");
export type Location = z.infer<typeof Location>;

export const FieldName = z.enum([
  "action",
  "not_action",
  "resource",
  "not_resource",
  "condition",
  "principal",
  "effect",
  "sid",
]);
export type FieldName = z.infer<typeof FieldName>;

/** A documented way to gain more rights, with the page that describes it. */
export const EscalationPath = z
  .strictObject({
    id: z.string().describe("Id in the catalogue pathfinding.cloud, e.g. lambda-001."),
    url: z.string().describe("Address of its page."),
  })
  .describe("A documented privilege escalation path.");
export type EscalationPath = z.infer<typeof EscalationPath>;

/** What a fix promises about the requests that the policy allows and explicitly denies. */
export const FixEffect = z
  .enum(["equivalent", "narrows", "repairs", "changes"])
  .describe(
    "equivalent: allows and denies the same requests. narrows: allows no more and denies no less. " +
      "repairs: AWS rejects or ignores the element as written. changes: none of these is proven.",
  );
export type FixEffect = z.infer<typeof FixEffect>;

const pointer = z.string().describe("JSON Pointer (RFC 6901).");
const anyValue = z.unknown().describe("JSON value.");

/** One operation of RFC 6902. */
export const PatchOperation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("test"), path: pointer, value: anyValue }),
  z.strictObject({ op: z.literal("add"), path: pointer, value: anyValue }),
  z.strictObject({ op: z.literal("replace"), path: pointer, value: anyValue }),
  z.strictObject({ op: z.literal("remove"), path: pointer }),
  z.strictObject({ op: z.literal("move"), from: pointer, path: pointer }),
]);
export type PatchOperation = z.infer<typeof PatchOperation>;

/** A text in a patch that the author of the policy must replace. */
export const NeededInput = z.strictObject({
  placeholder: z
    .string()
    .regex(/^<[a-z0-9_-]+>$/)
    .describe("As it occurs in the patch, e.g. <bucket>."),
  meaning: z.string(),
  example: z.string(),
});
export type NeededInput = z.infer<typeof NeededInput>;

/** The edit that repairs a finding. */
export const Fix = z
  .strictObject({
    title: z.string().max(80).describe("What the edit does."),
    effect: FixEffect,
    needs_input: z
      .array(NeededInput)
      .describe("Placeholders in the patch to replace first; empty: ready to apply."),
    patch: z
      .array(PatchOperation)
      .describe(
        "JSON Patch (RFC 6902) for the document as submitted; the first operation is a test. For a policy in a " +
          'template it applies to the template, where `!Sub x` is `{"Fn::Sub": x}`. For a text that ' +
          "does not parse, the document is the text. A test alone: write the JSON without white space.",
      ),
  })
  .describe("An edit that fixes the finding.");
export type Fix = z.infer<typeof Fix>;

const lean = {
  severity: Severity,
  check_id: z.string().describe("The check that reported it; see describe_checks."),
  issue_type: z.string().describe("Stable code of the fault, e.g. invalid_action."),
  message: z.string().describe("What is wrong, in Markdown; policy values are in back-ticks."),
  suggestion: z.string().nullable().describe("How to fix it."),
  statement_index: z
    .int()
    .min(-1)
    .max(Number.MAX_SAFE_INTEGER)
    .describe("From 0; -1 for a finding about the whole document."),
  statement_sid: z.string().nullable(),
  path: z.string().describe("JSON Pointer (RFC 6901) to the element in the document."),
  location: Location.nullable().describe("Null for a policy given as an object."),
  fix: Fix.nullable().describe(
    "An edit to apply; null: the right one depends on facts that the server does not know.",
  ),
};

/** A finding with `detail: findings`. All keys are always present. */
export const LeanFinding = z.strictObject(lean).describe("One finding.");
export type LeanFinding = z.infer<typeof LeanFinding>;

/** A finding with `detail: full`, and as the engine records it. All keys are always present. */
export const Finding = z
  .strictObject({
    ...lean,
    action: z.string().nullable().describe("The action concerned, as written."),
    resource: z.string().nullable().describe("The resource concerned, as written."),
    condition_key: z.string().nullable().describe("The condition key concerned, as written."),
    field_name: FieldName.nullable(),
    example: z
      .string()
      .nullable()
      .describe("Corrected JSON, complete: it replaces the element at example_path."),
    example_path: z
      .string()
      .nullable()
      .describe(
        "JSON Pointer (RFC 6901) to the element that example replaces, usually the whole statement. " +
          "Null if there is no example, or if it only illustrates (an example from the configuration).",
      ),
    risk_explanation: z.string().nullable().describe("Why it matters."),
    risk_category: z.string().nullable(),
    documentation_url: z.string().nullable(),
    remediation_steps: z.array(z.string()).nullable(),
    aws_issue_code: z
      .string()
      .nullable()
      .describe("The code of the equivalent IAM Access Analyzer finding, if there is one."),
    aws_finding_type: z
      .enum(["ERROR", "SECURITY_WARNING", "WARNING", "SUGGESTION"])
      .nullable()
      .describe("Class that AWS gives aws_issue_code; null without a code."),
    related: z
      .array(z.strictObject({ path: lean.path, location: lean.location }))
      .describe("Further places, in AWS's order: the entries that the same fault is about."),
    escalation_paths: z
      .array(EscalationPath)
      .nullable()
      .describe("Documented privilege escalation paths that this finding concerns; null: none."),
    fingerprint: z
      .string()
      .describe("16 hex digits; unchanged when the policy is reformatted or statements reordered."),
  })
  .describe("One finding with all details.");
export type Finding = z.infer<typeof Finding>;

const leanKeys = Object.keys(lean) as (keyof LeanFinding)[];

/** @returns The finding with only the fields of `detail: findings`. */
export function leanFinding(finding: Finding): LeanFinding {
  return Object.fromEntries(leanKeys.map((key) => [key, finding[key]])) as LeanFinding;
}

/** A finding as `detail: fix` shows it: what is wrong, where, and what to write. All keys are always present. */
export const FixFinding = z
  .strictObject({
    message: lean.message,
    statement_index: lean.statement_index,
    statement_sid: lean.statement_sid,
    path: lean.path,
    location: lean.location,
    fix: lean.fix,
    example: Finding.shape.example,
    example_path: Finding.shape.example_path,
    suggestion: lean.suggestion.describe("How to fix it; null where there is a fix or an example."),
  })
  .describe("One finding, reduced to the place and what to write there.");
export type FixFinding = z.infer<typeof FixFinding>;

/** @returns the projection of a finding for `detail: fix`; of what to write, the first that has a value. */
export function fixFinding(finding: Finding): FixFinding {
  const { message, statement_index, statement_sid, path, location } = finding;
  const { fix, example, example_path, suggestion } = finding;
  return {
    message,
    statement_index,
    statement_sid,
    path,
    location,
    fix,
    example: fix ? null : example,
    example_path: fix ? null : example_path,
    suggestion: fix || example !== null ? null : suggestion,
  };
}
