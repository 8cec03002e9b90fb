import { describe, expect, test } from "vitest";
import { firstFinding } from "./planted-finding.ts";

/** Their cases run many connections at once: the same case need not go the same way twice. */
const plantedInFloods = [
  ["forgets-refusals", "a missing audit record"],
  ["keeps-all", "memory without a bound"],
  ["queue-breaks", "internal error"],
] as const;

describe("a defect planted on purpose", () => {
  test.each(plantedInFloods)("in floods is found: %s", async (name, kind) => {
    const module = new URL(`planted/${name}.ts`, import.meta.url).pathname;
    expect(await firstFinding("floods", module, 60_000, undefined, 1)).toMatchObject({ kind });
  });
});
