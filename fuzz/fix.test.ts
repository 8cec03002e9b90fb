import { expect, test } from "vitest";
import { readCorpus } from "./make/corpus.ts";
import { Policies } from "./make/policies.ts";
import { Random } from "./random.ts";
import { generateFix, runFix } from "./targets/fix.ts";

const policies = new Policies(readCorpus());

test("fixes of generated policies apply, keep their promises and edit text and object alike", async () => {
  let fixes = 0;
  for (let number = 0; number < 150; number++) {
    fixes += await runFix(generateFix(policies, new Random("fixes", number), 30));
  }
  expect(fixes).toBeGreaterThan(200);
}, 120_000);
