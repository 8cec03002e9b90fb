import type { LeanFinding } from "../../spec/finding.ts";

/**
 * Findings in the order in which people read the policy: by their place in the text, or by statement
 * for a policy given as an object; at one place in the order of the checks.
 */
export function inPlaceOrder<Shown extends LeanFinding>(findings: readonly Shown[]): Shown[] {
  return findings.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Those about the whole document come first. */
function placeOf({ location, statement_index }: LeanFinding): number {
  if (statement_index < 0 && !location) return -1;
  return location ? location.start.offset : statement_index;
}
