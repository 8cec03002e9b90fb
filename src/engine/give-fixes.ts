import type { LeanFinding } from "../../spec/finding.ts";
import { accessTypeOf } from "../access/types.ts";
import { type Proof, type ProofContext, type Proving, prove } from "../fixes/effects.ts";
import { FixDefect, type MadeFix, makeFix } from "../fixes/make.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import type { Policy } from "../policy/model.ts";
import { Yielder } from "../yielder.ts";
import type { Check, Report } from "./check.ts";
import type { Engine } from "./types.ts";

/** A finding whose check proposes a fix. */
export interface Proposed<Shown extends LeanFinding> {
  readonly finding: Shown;
  readonly check: Check;
  readonly propose: NonNullable<Report["fix"]>;
}

/** Length of all fixes of a policy, in UTF-16 code units; findings after that have none. */
const maxTotalLength = 4_000_000;

/** Findings of a policy whose fix is worked out at most; the later ones have none. */
const maxFixes = 500;
/** Each fix takes time in proportion to the document, with the proof some 80 ms for a megabyte: a third of a second for all. */
const maxFixedBytes = 4_000_000;

/** @returns how many fixes are worked out: 195 in the longest policy that AWS takes, 64 in one of 63 KB. */
function mostFixes({ document }: Policy): number {
  return Math.min(maxFixes, Math.ceil(maxFixedBytes / document.compactBytes));
}

/** Steps of the access procedure that all proofs of a policy may take. */
const proofSteps = 60_000;
/** Values that all of them may read: a third of a second. A statement of 5,000 address ranges took 20 s without it. */
const proofValues = 600_000;

/**
 * Gives the findings that are left their fixes. A proposal that is wrong is a defect of its check:
 * the finding stays without a fix, and the log names the check. A promise that is not proven for this
 * policy is lowered to `changes`.
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
  const context: ProofContext = {
    type: accessTypeOf(policy.type),
    services: engine.services,
    budget: { steps: proofSteps, values: proofValues },
  };
  const known = new Map<FixProposal, { readonly path: string; readonly made: MadeFix | null }>();
  const { raw } = policy.document;
  const most = mostFixes(policy);
  let length = 0;
  let tried = 0;
  for (const { finding, check, propose } of proposed) {
    if (yielder.shouldYield) await yielder.yieldNow();
    if (!left.has(finding)) continue;
    if (++tried > most) return;
    try {
      const proposal = propose();
      if (!proposal) continue;
      if (!isProposal(proposal)) throw new FixDefect("A check proposes a fix without edits.");
      // Findings that one edit repairs share the proposal.
      const again = known.get(proposal);
      const isKnown = again?.path === finding.path;
      const made = isKnown ? again.made : makeFix(proposal, raw, finding.path);
      if (made && !isKnown) {
        const proving = proofOf(proposal, raw, made.after, context);
        // The texts of nearly all fixes prove them: only the others wait for the proof.
        const proof = typeof proving === "string" ? proving : await finished(proving, yielder);
        if (lowers(proof, proposal)) made.fix.effect = "changes";
      }
      if (again === undefined) known.set(proposal, { path: finding.path, made });
      if (!made) continue;
      length += made.length;
      if (length > maxTotalLength) return;
      finding.fix = again === undefined ? made.fix : { ...made.fix };
    } catch (error) {
      signal?.throwIfAborted();
      engine.onCheckError(check.check_id, error);
    }
  }
}

/** @returns `holds` for a fix that promises nothing. */
function proofOf(
  { effect }: FixProposal,
  before: unknown,
  after: unknown,
  context: ProofContext,
): Proof | Proving {
  const isPromise = effect === "equivalent" || effect === "narrows";
  return isPromise ? prove(effect, before, after, context) : "holds";
}

function lowers(proof: Proof, { argument }: FixProposal): boolean {
  return proof === "fails" || (proof === "undecided" && argument === undefined);
}

async function finished(proving: Proving, yielder: Yielder): Promise<Proof> {
  for (;;) {
    const step = proving.next();
    if (step.done) return step.value;
    if (yielder.shouldYield) await yielder.yieldNow();
  }
}

/** Custom checks may propose anything. */
function isProposal(value: FixProposal): boolean {
  return Array.isArray(value.edits);
}
