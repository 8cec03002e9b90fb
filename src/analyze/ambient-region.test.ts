import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stubAwsEnvironment } from "../../test/support/access-analyzer.ts";
import { ambientRegion } from "./ambient-region.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ambient-region-"));
  stubAwsEnvironment();
  vi.stubEnv("AWS_REGION", undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** The shared config file of AWS. */
async function configFile(text: string): Promise<void> {
  const path = join(folder, "config");
  await writeFile(path, text);
  vi.stubEnv("AWS_CONFIG_FILE", path);
}

test("AWS_REGION comes before AWS_DEFAULT_REGION, whatever white space is around", async () => {
  vi.stubEnv("AWS_DEFAULT_REGION", " eu-central-1\n");
  expect(await ambientRegion()).toBe("eu-central-1");
  vi.stubEnv("AWS_REGION", " eu-west-1 ");
  expect(await ambientRegion()).toBe("eu-west-1");
  vi.stubEnv("AWS_REGION", "  ");
  expect(await ambientRegion()).toBe("eu-central-1");
});

test("without either the shared config file tells, of the profile asked for", async () => {
  await configFile("[default]\nregion = eu-north-1\n[profile work]\nregion = eu-south-1\n");
  expect(await ambientRegion()).toBe("eu-north-1");
  expect(await ambientRegion("work")).toBe("eu-south-1");
});

test("where nothing tells, the region is unknown", async () => {
  await configFile("[profile other]\nregion = eu-south-1\n");
  expect(await ambientRegion()).toBeUndefined();
});
