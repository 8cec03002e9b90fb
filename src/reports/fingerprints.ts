import { createHash } from "node:crypto";
import type { Finding } from "../../spec/finding.ts";

/** The id of a finding's rule: its check, else its issue type. */
export function ruleIdOf({ check_id, issue_type }: Finding): string {
  return check_id || issue_type;
}

/**
 * Identities of findings that are unique within a report: a digest of file and finding, and an ordinal
 * for twins, so that adding a policy does not change the identities of others.
 * @returns A function that must be called once for each finding, in order.
 */
export function reportFingerprints(): (file: string, finding: Finding) => string {
  const seen = new Map<string, number>();
  return (file, finding) => {
    const key = JSON.stringify([file, ruleIdOf(finding), finding.fingerprint]);
    const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
    const ordinal = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, ordinal);
    return `${digest}:${ordinal}`;
  };
}
