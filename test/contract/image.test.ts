import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { imageFlags, imageMalloc, imageOptions } from "../../bench/memory.ts";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");

test("memory is measured with the variables that the container image sets, and the guide has them", () => {
  const [, stage = ""] = read("Dockerfile").split(" AS container\n");
  const guide = read("docs/deploy-container.md");
  expect(stage).toContain(`NODE_OPTIONS="${imageOptions}"`);
  const flags = imageFlags.map((flag) => `"${flag}", `).join("");
  expect(stage).toContain(`ENTRYPOINT ["node", ${flags}"/app/`);
  expect(Object.keys(imageMalloc)).toEqual(stage.match(/\bMALLOC_\w+(?==)/g));
  for (const [name, value] of Object.entries(imageMalloc)) {
    expect(stage).toContain(`  ${name}=${value} \\\n`);
    expect(guide).toContain(`| \`${name}\` | \`${value}\`: `);
  }
});
