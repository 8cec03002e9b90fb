import { describe, expect, test } from "vitest";
import { corpora } from "../../scripts/fixes/corpora.ts";
import { engineFor, type Recorded } from "../../scripts/fixes/engine.ts";
import { tryFix, validated } from "../../scripts/fixes/try.ts";

const recorded: Recorded = { claims: new Map(), defects: [] };
const plain = engineFor({}, recorded);

describe("a fix applies, removes its finding and adds none that is more severe", () => {
  const labelled = [...corpora(undefined)].filter(([corpus]) => corpus !== "managed policies");
  test.each(labelled)("%s", { timeout: 120_000 }, async (_, subjects) => {
    const faults: string[] = [];
    let tried = 0;
    for (const subject of subjects) {
      const { policy } = subject;
      if (typeof policy !== "object") continue;
      const engine = subject.checks ? engineFor(subject.checks, recorded) : plain;
      const { findings } = await validated(policy, subject, engine);
      for (const finding of findings) {
        if (!finding.fix) continue;
        tried++;
        const { faults: found } = await tryFix(
          subject,
          policy,
          findings,
          finding,
          finding.fix,
          engine,
        );
        for (const fault of found) faults.push(`${subject.id} ${finding.issue_type}: ${fault}`);
      }
    }
    expect([...faults, ...recorded.defects]).toEqual([]);
    expect(tried).toBeGreaterThan(50);
  });
});
