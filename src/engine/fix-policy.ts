import type { Fix, FixEffect, LeanFinding } from "../../spec/finding.ts";
import { applicable, applyFixes } from "../fixes/round.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { Yielder } from "../yielder.ts";
import type { Engine, PolicyToValidate, ValidatedPolicy } from "./types.ts";

/** A policy that still changes after so many rounds has fixes that undo each other. */
export const maxRounds = 10;

/** How many fixes were applied, by effect; only effects that occur. */
export type FixCounts = Partial<Record<FixEffect, number>>;

/** The result of a policy with its fixes. */
export interface FixedPolicy<Shown extends LeanFinding> {
  readonly validated: ValidatedPolicy<Shown>;
  /** Null: no fix was applied. */
  readonly document: PolicyDocument | null;
  readonly counts: FixCounts;
}

export interface FixOptions<Shown extends LeanFinding> {
  /** Effects of the fixes to apply. */
  readonly effects: ReadonlySet<FixEffect>;
  readonly validate: (
    input: PolicyToValidate,
    engine: Engine,
    signal?: AbortSignal,
  ) => Promise<ValidatedPolicy<Shown>>;
  /** Whether a fixed policy is still within the limits; one that is not stays as it was. */
  readonly fits: (document: PolicyDocument) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Validates a policy, applies its fixes to a copy, and repeats both until there is none left.
 * @throws What `validate` throws.
 */
export async function fixPolicy<Shown extends LeanFinding>(
  input: PolicyToValidate,
  engine: Engine,
  { effects, validate, fits, signal }: FixOptions<Shown>,
): Promise<FixedPolicy<Shown>> {
  const yielder = new Yielder(signal);
  const pause = async () => {
    if (yielder.shouldYield) await yielder.yieldNow();
  };
  const counts: FixCounts = {};
  let document: PolicyDocument | null = null;
  let validated = await validate(input, engine, signal);
  for (let round = 0; ; round++) {
    const current: PolicyDocument = document ?? input.document;
    const fixes = applicable(
      validated.findings.map(({ fix }) => fix),
      effects,
    );
    const { findings } = validated;
    const onLostEdit = (fix: Fix) => engine.onCheckError(checksOf(findings, [fix]), new LostEdit());
    const applying = { parse: parseDocument, pause, onLostEdit };
    const next = fixes.length > 0 ? await applyFixes(current, fixes, applying) : null;
    if (!next || !fits(next.document)) break;
    if (round === maxRounds) {
      engine.onCheckError(checksOf(validated.findings, next.applied), new EndlessFixes());
      break;
    }
    for (const { effect } of next.applied) counts[effect] = (counts[effect] ?? 0) + 1;
    document = next.document;
    validated = await validate({ ...input, document }, engine, signal);
  }
  return { validated, document, counts };
}

/** Fixes that undo each other, which is a defect of their checks. */
export class EndlessFixes extends Error {
  override readonly name = "EndlessFixes";
}

/** The edit of a text does not say what its patch says. The fix is not applied. */
export class LostEdit extends Error {
  override readonly name = "LostEdit";
}

/** The checks that some fixes are of. */
export function checksOf(findings: readonly LeanFinding[], applied: readonly unknown[]): string {
  const ids = findings.filter(({ fix }) => applied.includes(fix)).map(({ check_id }) => check_id);
  return [...new Set(ids)].join(", ");
}
