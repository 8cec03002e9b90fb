import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { type Finding, readFinding } from "./findings.ts";
import { fuzzTarget, replay } from "./supervise.ts";

const folder = mkdtempSync(join(tmpdir(), "validator-planted-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** @returns the first thing that the fuzzer finds in a target with a planted defect. */
export async function firstFinding(
  target: string,
  module: string,
  hangMs: number,
  seed = "planted",
  reduceMs = 300,
): Promise<Finding> {
  const { found } = await fuzzTarget({
    target,
    module,
    seed,
    forMs: 200_000,
    hangMs,
    folder,
    untilFound: true,
    reduceMs,
  });
  const [path = "none"] = [...found.values()].flatMap(({ paths }) => paths);
  return readFinding(path);
}

/**
 * The planted defect is found, its case shows it again, and the sound target passes the same case.
 * @param seed One with which the fuzzer needs few cases; it finds the defect with any, later.
 */
export async function expectFound(
  target: string,
  name: string,
  kind: string,
  seed?: string,
): Promise<void> {
  const module = new URL(`planted/${name}.ts`, import.meta.url).pathname;
  // The one that is to hang need not do so for long.
  const hangMs = kind === "hang" ? 3_000 : 20_000;
  const finding = await firstFinding(target, module, hangMs, seed);
  expect(finding).toMatchObject({ kind: expect.stringContaining(kind), alone: true });
  expect(await replay(finding, hangMs)).toMatchObject({ kind: finding.kind });
  const sound = new URL(`targets/${target}.ts`, import.meta.url).pathname;
  expect(await replay({ ...finding, module: sound }, hangMs)).toBeUndefined();
}
