import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { containerImage, functionImage } from "../support/images.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Why the tests with containers cannot run here; null: they can. */
    readonly noEngine: string | null;
  }
}

/**
 * Builds both images from the real Dockerfile. Without a container engine this fails in CI; elsewhere
 * the tests are skipped and say why.
 */
export function setup(project: TestProject): void {
  // Its image cannot be had everywhere; every test stops what it starts.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= "true";
  const engine = spawnSync("docker", ["info", "--format", "{{.ServerVersion}}"], {
    encoding: "utf8",
  });
  if (engine.status !== 0) {
    const reason = `no container engine answers: ${engine.stderr?.trim() || engine.error?.message}`;
    if (process.env.CI) throw new Error(reason);
    project.provide("noEngine", reason);
    process.stderr.write(`The tests with containers are skipped: ${reason}\n`);
    return;
  }
  project.provide("noEngine", null);
  build(containerImage, "container");
  build(functionImage, "lambda");
}

function build(image: string, target: string): void {
  const root = join(import.meta.dirname, "../..");
  try {
    const args = ["build", "--quiet", "--force-rm", "--target", target, "--tag", image, root];
    execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    // The builder's own words; a failed build says nothing else that helps.
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const log = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`docker build --target ${target} failed:\n${(log + said).slice(-8_000)}`);
  }
}
