import type { LeanFinding } from "../../spec/finding.ts";

/** Minimum JSON size of a finding in every level of detail, without its texts. */
const bytesAround = JSON.stringify({
  message: "",
  suggestion: null,
  statement_index: 0,
  statement_sid: null,
  path: "",
  location: null,
  fix: null,
} satisfies Partial<LeanFinding>).length;

/**
 * Detects early that the findings of a call cannot fit in the response, so that they need not be kept
 * until all policies are validated. It underestimates their size, so it never reports this too early.
 */
export class IssueBudget {
  #left: number;

  /** @param maxResultBytes Maximum size of the complete result, which contains each finding twice. */
  constructor(maxResultBytes: number) {
    this.#left = maxResultBytes / 2;
  }

  /** @returns false once the findings so far cannot fit. */
  spend(findings: readonly LeanFinding[]): boolean {
    for (const { message, path } of findings) {
      if (this.#left < 0) break;
      this.#left -= bytesAround + message.length + path.length;
    }
    return this.#left >= 0;
  }
}
