/**
 * Restates the Regions that the AWS SDK knows, by partition, in `src/policy/region-data.ts`.
 * With `--check` writes nothing and fails when the file does not hold them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
const target = join(root, "src/policy/region-data.ts");
/** The SDK exports no list of Regions, so its rule set for endpoints is read where it stands. */
const folder = join(root, "node_modules/@aws-sdk/core");
const source = "dist-es/submodules/client/util-endpoints/lib/aws/partitions.js";

const Partitions = z.object({
  partitions: z.array(z.object({ id: z.string(), regions: z.record(z.string(), z.unknown()) })),
});

async function build(date: string): Promise<string> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const module: unknown = await import(pathToFileURL(join(folder, source)).href);
  const { partitions } = Partitions.parse(
    z.object({ partitionsInfo: z.unknown() }).parse(module).partitionsInfo,
  );
  const lines = partitions.map(({ id, regions }) => {
    const names = Object.keys(regions).filter((name) => !name.endsWith("-global"));
    const quoted = names.map((name) => JSON.stringify(name));
    const key = /^\w+$/.test(id) ? id : JSON.stringify(id);
    const line = `  ${key}: [${quoted.join(", ")}],\n`;
    // As the formatter would write it.
    return line.length <= 101 ? line : `  ${key}: [\n    ${quoted.join(",\n    ")},\n  ],\n`;
  });
  return `// Written by scripts/build-regions.ts from @aws-sdk/core ${version}; do not edit.

/** Day on which the list last changed, YYYY-MM-DD. */
export const regionDate = "${date}";

/** Regions of AWS by partition. */
export const regionsByPartition: Readonly<Record<string, readonly string[]>> = {
${lines.join("")}};
`;
}

const current = (() => {
  try {
    return readFileSync(target, "utf8");
  } catch {
    return "";
  }
})();
const known = /regionDate = "([^"]*)"/.exec(current)?.[1] ?? "";
/** The version of the package may change without the Regions. */
const listOf = (text: string) => text.slice(text.indexOf("export const regionsByPartition"));
const unchanged = listOf(await build(known)) === listOf(current);
if (process.argv.includes("--check")) {
  if (!unchanged) {
    console.error("src/policy/region-data.ts is not what the AWS SDK says: run npm run data");
    process.exitCode = 1;
  }
} else if (!unchanged) {
  writeFileSync(target, await build(new Date().toISOString().slice(0, 10)));
}
