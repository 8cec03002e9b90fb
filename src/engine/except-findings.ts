import type { Finding, LeanFinding } from "../../spec/finding.ts";
import type { Yielder } from "../yielder.ts";
import { dayOf, hasExpired, type Suppressed } from "./exceptions.ts";
import { isFull } from "./project.ts";
import type { Engine } from "./types.ts";

/** What is left of the findings of a policy, and what was left out. */
export interface Excepted<Shown extends LeanFinding> {
  readonly findings: readonly Shown[];
  readonly suppressed: readonly Suppressed[];
}

/**
 * Leaves out the findings for which there is an exception. A finding whose exception has expired stays,
 * and its message says so.
 * @param findings With all fields, of a policy that was read and wholly checked: no exception applies to
 * another one.
 * @param label Name of the policy.
 */
export async function exceptFindings<Shown extends LeanFinding>(
  findings: readonly Shown[],
  label: string,
  { exceptions, settings, now }: Pick<Engine, "exceptions" | "settings" | "now">,
  yielder: Yielder,
): Promise<Excepted<Shown>> {
  const filepath = settings.trust_policy_names ? label : null;
  const today = dayOf(now());
  const kept: Shown[] = [];
  const suppressed: Suppressed[] = [];
  for (const shown of findings) {
    if (yielder.shouldYield) await yielder.yieldNow();
    const finding = requireFull(shown);
    const matching = exceptions.matching(finding, filepath);
    const exception = matching.find(({ suppression }) => !hasExpired(suppression, today));
    if (exception) {
      suppressed.push({ finding, suppression: exception.suppression, exception });
      continue;
    }
    const [expired] = matching;
    kept.push(shown);
    if (!expired) continue;
    // The engine's own record, so it may change.
    shown.message = `${shown.message} The exception for this finding expired on ${expired.suppression.expires}.`;
  }
  return { findings: kept, suppressed };
}

function requireFull(finding: LeanFinding): Finding {
  if (isFull(finding)) return finding;
  throw new Error("exceptions need findings with all their fields");
}
