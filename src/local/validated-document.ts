import type { Finding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { BatchResult } from "../engine/batch.ts";
import { fingerprintOf } from "../engine/fingerprint.ts";
import { countSeverities } from "../engine/verdict.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { summarisePolicy } from "../policy/summary.ts";

/** The result for one document of a file. */
export interface ValidatedDocument extends Omit<BatchResult, "entry"> {
  /** Path as shown. Null: no file. */
  readonly file: string | null;
  /** Index in the file, from 0. Null: the file has only one document. */
  readonly document: number | null;
  /** Text of the whole file; locations of findings refer to it. Null: it could not be read. */
  readonly text: string | null;
  /** The file was read, and every check completed. */
  readonly was_checked: boolean;
  /** Absolute path of the file as named. Null: no file. */
  readonly place: string | null;
}

/** Reports an unparsable file even if `policy_structure` is off or ignored, so it never passes silently. */
export function unparsed(label: string, { faults }: PolicyDocument): Finding[] {
  const fault = faults.find((one) => one.kind !== "duplicate");
  const message = fault?.message ?? "The text is not a policy.";
  return [faultOf(label, "invalid_syntax", message, { location: fault?.location ?? null })];
}

/** @param fault Why the file was not validated, as in "it is too large". */
export function unread(
  { label, place }: { readonly label: string; readonly place: string | null },
  fault: string,
  declaredType: PolicyType | null,
): ValidatedDocument {
  const findings = [
    faultOf(label, "unreadable_file", `${fault}, so it was not validated.`, {
      location: null,
    }),
  ];
  return {
    name: label,
    label,
    file: label,
    document: null,
    place,
    text: null,
    was_checked: false,
    is_valid: false,
    severity_counts: countSeverities(findings),
    policy_type: declaredType ?? "IDENTITY_POLICY",
    policy_type_source: declaredType ? "cli-flag" : "default",
    findings,
    suppressed: [],
    answers: [],
    summary: summarisePolicy({ statements: [] }),
  };
}

function faultOf(
  label: string,
  issue_type: string,
  message: string,
  { location }: Pick<Finding, "location">,
): Finding {
  const about = {
    check_id: "policy_structure",
    issue_type,
    action: null,
    resource: null,
    condition_key: null,
  };
  return {
    ...about,
    severity: "error",
    message,
    suggestion: "Fix the file, or exclude it.",
    statement_index: -1,
    statement_sid: null,
    path: "",
    location,
    fix: null,
    field_name: null,
    example: null,
    example_path: null,
    risk_explanation: "A policy that cannot be read has not been validated.",
    risk_category: null,
    documentation_url: null,
    remediation_steps: null,
    aws_issue_code: null,
    aws_finding_type: null,
    related: [],
    escalation_paths: null,
    fingerprint: fingerprintOf(label, null, about),
  };
}
