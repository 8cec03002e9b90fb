import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** A reproducer: `--replay` runs `input` again. */
export const Finding = z.strictObject({
  target: z.string(),
  /** File of the target's module. */
  module: z.string(),
  kind: z.string(),
  detail: z.string(),
  seed: z.string(),
  /** Number of the case; the same seed makes the same case of this number. */
  case: z.int(),
  /** Whether it breaks again when it runs alone. */
  alone: z.boolean(),
  input: z.unknown(),
});
export type Finding = z.infer<typeof Finding>;

export const findingsFolder = new URL("findings/", import.meta.url).pathname;

/** @returns the file's path. */
export function saveFinding(finding: Finding, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify(finding, null, 2);
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const words = finding.kind.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const path = join(folder, `${finding.target}-${words}-${digest}.json`);
  writeFileSync(path, `${text}\n`);
  return path;
}

export function readFinding(path: string): Finding {
  return Finding.parse(JSON.parse(readFileSync(path, "utf8")));
}
