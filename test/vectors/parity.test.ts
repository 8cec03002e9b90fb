import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { measureParity, readAnswers } from "../../scripts/parity/measure.ts";
import { issueCodes } from "../../src/access-analyzer/codes.ts";
import { embeddedServices } from "../../src/services/embedded.ts";

const folder = process.env.VALIDATOR_VECTORS_DIR ?? "";
const file = join(folder, "aa-oracle-sample.jsonl.gz");
const Catalogue = z.array(
  z.looseObject({ code: z.string(), type: z.string(), since: z.string(), evidence: z.string() }),
);

if (!existsSync(file)) {
  console.info("parity: not measured, VALIDATOR_VECTORS_DIR has no aa-oracle-sample.jsonl.gz");
}

describe.runIf(existsSync(file))("the local analysis beside real answers of ValidatePolicy", () => {
  if (!existsSync(file)) return;
  const catalogue = Catalogue.parse(
    JSON.parse(readFileSync(join(folder, "access-analyzer-codes.json"), "utf8")),
  );
  const since = new Map(catalogue.map(({ code, since: day }) => [code, day]));

  test("agrees in every finding, place, span and order that the date of the data does not explain", async () => {
    const { adjusted, order, errorsOnClean } = await measureParity(
      readAnswers(file),
      embeddedServices(),
      since,
    );
    const wrong = [...adjusted].filter(([, { finding, span }]) =>
      [finding, span].some(({ extra, missed }) => extra + missed > 0),
    );
    expect(wrong).toEqual([]);
    expect(order.same).toBe(order.several);
    expect(errorsOnClean).toEqual([]);
  }, 120_000);

  test("knows every code that is not stale", () => {
    const current = catalogue.filter(({ evidence }) => evidence !== "stale");
    expect(issueCodes).toEqual(current.map(({ code }) => code).sort());
  });
});
