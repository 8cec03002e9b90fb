import { z } from "zod";
import { defaultEngine } from "../../scripts/verdicts/measure.ts";
import { PolicyType } from "../../spec/policy.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { holds } from "../broken.ts";
import { readCorpus } from "../make/corpus.ts";
import { Policies } from "../make/policies.ts";
import { Random } from "../random.ts";
import type { Target } from "../target.ts";
import { applied, editsText, keepsOut, keepsPromise } from "../verify/fixes.ts";

const FixCase = z.strictObject({
  policy: z.unknown(),
  type: PolicyType.nullable(),
  /** Where the requests come from. */
  seed: z.int(),
  requests: z.int(),
});
type FixCase = z.infer<typeof FixCase>;

const engine = defaultEngine();

/** Larger documents take too long for so many validations of them. */
const maxLength = 20_000;

export function generateFix(policies: Policies, random: Random, requests = 60): FixCase {
  return {
    policy: JSON.parse(JSON.stringify(policies.any(random) ?? null)),
    type: random.chance(0.5) ? null : random.pick(PolicyType.options),
    seed: random.below(1_000_000_000),
    requests,
  };
}

/**
 * Holds every fix of a document to what it promises.
 * @returns how many fixes there were.
 * @throws {Broken}
 */
export async function runFix({ policy, type, seed, requests }: FixCase): Promise<number> {
  if (typeof policy !== "object" || policy === null) return 0;
  if (JSON.stringify(policy).length > maxLength) return 0;
  const input = { name: null, declaredType: type, label: "policy" };
  const document = await parseDocument(policy);
  const { findings, policy: read } = await validatePolicy({ ...input, document }, engine);
  const random = new Random(seed);
  let fixes = 0;
  for (const finding of findings) {
    const { fix } = finding;
    if (!fix) continue;
    fixes++;
    const after = applied(fix, policy);
    for (const { placeholder } of fix.needs_input) {
      holds(
        JSON.stringify(after).includes(placeholder),
        "a fix asks for what it does not use",
        () => `${finding.check_id}/${finding.issue_type} ${placeholder}`,
      );
    }
    keepsOut(finding, policy, after);
    keepsPromise(fix, policy, after, read.type, random, requests);
  }
  if (fixes > 0) await editsText(policy, input, engine);
  return fixes;
}

export async function open(): Promise<Target<FixCase>> {
  const policies = new Policies(readCorpus());
  return {
    schema: FixCase,
    generate: (random) => generateFix(policies, random),
    run: async (input) => void (await runFix(input)),
    close: async () => {},
  };
}
