import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Bytes for each action of the reference data. */
interface Bytes {
  readonly loaded: number;
}

const script = `
  const { embeddedServices } = await import(${JSON.stringify(import.meta.resolve("./embedded.ts"))});
  const heap = () => (gc(), gc(), process.memoryUsage().heapUsed);
  const services = embeddedServices();
  services.get("no-such-service");
  const empty = heap();
  let actions = 0;
  for (const prefix of services.prefixes) actions += services.get(prefix).actions.length;
  const loaded = heap();
  console.log(JSON.stringify({ loaded: (loaded - empty) / actions }));
`;

/** Measured in a process by itself: the heap of this one changes for other reasons too. */
function measured(): Bytes {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Bytes;
}

test("a loaded service takes at most 305 bytes of memory for each action", () => {
  expect(measured().loaded).toBeLessThan(305);
});
