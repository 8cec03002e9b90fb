import type { LeanFinding } from "../../spec/finding.ts";
import { FixDefect, makeFix } from "../fixes/make.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import type { Policy } from "../policy/model.ts";
import type { Check, Report } from "./check.ts";
import type { Engine } from "./types.ts";
import { Yielder } from "./yielder.ts";

/** A finding whose check proposes a fix. */
export interface Proposed<Shown extends LeanFinding> {
  readonly finding: Shown;
  readonly check: Check;
  readonly propose: NonNullable<Report["fix"]>;
}

/** Length of all fixes of a policy, in UTF-16 code units; findings after that have none. */
const maxTotalLength = 4_000_000;

/**
 * Gives the findings that are left their fixes. A proposal that is wrong is a defect of its check:
 * the finding stays without a fix, and the log names the check.
 */
export async function giveFixes<Shown extends LeanFinding>(
  proposed: readonly Proposed<Shown>[],
  findings: readonly Shown[],
  policy: Policy,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (proposed.length === 0) return;
  const left = new Set<LeanFinding>(findings);
  const yielder = new Yielder(signal);
  let length = 0;
  for (const { finding, check, propose } of proposed) {
    if (yielder.shouldYield) await yielder.yieldNow();
    if (!left.has(finding)) continue;
    try {
      const proposal = propose();
      if (!proposal) continue;
      if (!isProposal(proposal)) throw new FixDefect("A check proposes a fix without edits.");
      const made = makeFix(proposal, policy.document.raw, finding.path);
      if (!made) continue;
      length += JSON.stringify(made.fix).length;
      if (length > maxTotalLength) return;
      finding.fix = made.fix;
    } catch (error) {
      engine.onCheckError(check.check_id, error);
    }
  }
}

/** Custom checks may propose anything. */
function isProposal(value: FixProposal): boolean {
  return Array.isArray(value.edits);
}
