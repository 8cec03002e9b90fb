import { expect, test } from "vitest";
import { Random } from "./random.ts";
import { generateAccess, runAccess } from "./targets/access.ts";
import { runGranted, runPublic } from "./targets/access-alone.ts";

/** Enough to see a fault that is not rare; the fuzzer runs as many as it is given time for. */
const pairs = 200;

test("no request of a random pair contradicts a proof, and few pairs stay undecided", () => {
  const seed = process.env.FUZZ_SEED ?? String(Date.now());
  let undecided = 0;
  let compared = 0;
  for (let index = 0; index < pairs; index++) {
    const input = generateAccess(new Random(seed, index), 20);
    const label = `FUZZ_SEED=${seed}, pair ${index}`;
    expect(() => {
      const seen = runAccess(input);
      compared += seen.compared;
      if (seen.verdict === "undecided") undecided++;
    }, label).not.toThrow();
  }
  expect(compared, `FUZZ_SEED=${seed}`).toBeGreaterThan(500);
  expect(undecided, `FUZZ_SEED=${seed}`).toBeLessThanOrEqual(pairs * 0.05);
}, 60_000);

test("no request contradicts a proof about what is forbidden or who is let in", () => {
  const seed = process.env.FUZZ_SEED ?? String(Date.now());
  for (let index = 0; index < pairs; index++) {
    const input = generateAccess(new Random(seed, index), 20);
    expect(() => {
      runGranted(input);
      runPublic(input);
    }, `FUZZ_SEED=${seed}, pair ${index}`).not.toThrow();
  }
}, 60_000);
