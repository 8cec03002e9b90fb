import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Entry, ownEntries, sampleEntries } from "../../scripts/verdicts/entries.ts";
import { defaultEngine, measure, type Score, scoreOf } from "../../scripts/verdicts/measure.ts";

/** Shares that were reached, in percent. Raise them when the checks get better; never lower them. */
const floors = {
  "own set": { soundThatPass: 100, faultyThatFail: 100, faultsReported: 100 },
  sample: { soundThatPass: 100, faultyThatFail: 100, faultsReported: 100 },
} satisfies Record<string, Record<"soundThatPass" | "faultyThatFail" | "faultsReported", number>>;

const folder = process.env.VALIDATOR_VECTORS_DIR;
const sample = folder ? join(folder, "judged-sample.jsonl") : "";
const sets: [keyof typeof floors, Entry[]][] = [["own set", ownEntries()]];
if (existsSync(sample)) sets.push(["sample", sampleEntries(sample)]);
else
  console.info("labelled sample: not measured, VALIDATOR_VECTORS_DIR has no judged-sample.jsonl");

describe.each(sets)("%s of labelled policies", (name, entries) => {
  test("keeps the shares that were reached, without a finding that a label forbids", {
    timeout: 120_000,
  }, async () => {
    const score: Score = scoreOf(await measure(entries, defaultEngine()));
    for (const [key, floor] of Object.entries(floors[name])) {
      const { hits, of } = score[key as keyof (typeof floors)[typeof name]];
      if (of > 0) expect((100 * hits) / of, key).toBeGreaterThanOrEqual(floor);
    }
    expect(score.unwanted, "findings that a label forbids").toBe(0);
  });

  test("has labels for every faulty policy", () => {
    const unlabelled = entries.filter(
      ({ kind, mustReport }) => kind === "bad" && !mustReport.length,
    );
    expect(unlabelled.map(({ id }) => id)).toEqual([]);
  });
});
