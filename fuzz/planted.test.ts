import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Finding, readFinding } from "./findings.ts";
import { fuzzTarget, replay } from "./supervise.ts";

const folder = mkdtempSync(join(tmpdir(), "validator-planted-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function firstFinding(
  target: string,
  module: string,
  hangMs: number,
  reduceMs = 2_000,
): Promise<Finding> {
  const { found } = await fuzzTarget({
    target,
    module,
    seed: "planted",
    forMs: 200_000,
    hangMs,
    folder,
    untilFound: true,
    reduceMs,
  });
  const [path = "none"] = [...found.values()].flatMap(({ paths }) => paths);
  return readFinding(path);
}

/** Each has one defect; what the fuzzer must say of it. */
const planted = [
  ["documents", "check-throws", "a check threw"],
  ["documents", "busy-loop", "hang"],
  ["documents", "wrong-place", "a path that leads nowhere"],
  ["rpc", "logs-input", "the log shows what was sent"],
  ["rpc", "off-schema", "an output off its schema"],
  ["rpc", "records-twice", "one audit record too many"],
  ["rpc", "records-nothing", "a missing audit record"],
  ["rpc", "rejects", "uncaught exception"],
  ["rpc", "dies", "the process died"],
  ["http", "large-bodies", "internal error"],
  ["jwt", "any-token", "token is accepted"],
] as const;

/** Their cases run many connections at once: the same case need not go the same way twice. */
const plantedInFloods = [
  ["forgets-refusals", "a missing audit record"],
  ["keeps-all", "memory without a bound"],
  ["queue-breaks", "internal error"],
] as const;

describe("a defect planted on purpose", () => {
  test.each(plantedInFloods)("in floods is found: %s", async (name, kind) => {
    const module = new URL(`planted/${name}.ts`, import.meta.url).pathname;
    expect(await firstFinding("floods", module, 60_000, 1)).toMatchObject({ kind });
  });

  test.each(planted)("in %s is found and can be replayed: %s", async (target, name, kind) => {
    const module = new URL(`planted/${name}.ts`, import.meta.url).pathname;
    // The one that is to hang need not do so for long.
    const hangMs = kind === "hang" ? 3_000 : 20_000;
    const finding = await firstFinding(target, module, hangMs);
    expect(finding).toMatchObject({ kind: expect.stringContaining(kind), alone: true });
    expect(await replay(finding, hangMs)).toMatchObject({ kind: finding.kind });
    const sound = new URL(`targets/${target}.ts`, import.meta.url).pathname;
    expect(await replay({ ...finding, module: sound }, hangMs)).toBeUndefined();
  });
});
