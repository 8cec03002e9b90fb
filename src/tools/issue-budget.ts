import type { LeanFinding } from "../../spec/finding.ts";

/** The JSON of a finding that every level of detail shows, without its texts and at its shortest. */
const bytesAround = JSON.stringify({
  message: "",
  suggestion: null,
  statement_index: 0,
  statement_sid: null,
  path: "",
  location: null,
} satisfies Partial<LeanFinding>).length;

/**
 * Tells early when the findings of a call cannot fit its answer, so that they need not be kept until
 * all policies are judged. Never tells too early: it counts less than the findings take.
 */
export class IssueBudget {
  #left: number;

  /** @param maxResultBytes Bound on the complete result, which holds each finding twice. */
  constructor(maxResultBytes: number) {
    this.#left = maxResultBytes / 2;
  }

  /** @returns false once the findings spent so far are more than fit. */
  spend(findings: readonly LeanFinding[]): boolean {
    for (const { message, path } of findings) {
      if (this.#left < 0) break;
      this.#left -= bytesAround + message.length + path.length;
    }
    return this.#left >= 0;
  }
}
