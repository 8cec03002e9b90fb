import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Bytes for each action of the reference data. */
interface Bytes {
  readonly loaded: number;
  /** On top of that, once names in any letter case, patterns and similar names were asked for. */
  readonly askedFor: number;
}

const urlOf = (module: string) => JSON.stringify(import.meta.resolve(`./${module}.ts`));

const script = `
  const { embeddedServices } = await import(${urlOf("embedded")});
  const { matchAction } = await import(${urlOf("match-action")});
  const { suggestActions } = await import(${urlOf("suggest")});
  const heap = () => (gc(), gc(), process.memoryUsage().heapUsed);
  const services = embeddedServices();
  services.get("no-such-service");
  const empty = heap();
  let actions = 0;
  for (const prefix of services.prefixes) actions += services.get(prefix).actions.length;
  const loaded = heap();
  for (const prefix of services.prefixes) {
    const service = services.get(prefix);
    service.action("no such name");
    matchAction(services, prefix + ":Zz*");
    suggestActions(service, "NoSuchName");
  }
  const askedFor = heap();
  console.log(
    JSON.stringify({ loaded: (loaded - empty) / actions, askedFor: (askedFor - loaded) / actions }),
  );
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

test("a service takes at most 305 bytes of memory for each action, and 210 more for look-ups by lower case", () => {
  const { loaded, askedFor } = measured();
  expect(loaded).toBeLessThan(305);
  expect(askedFor).toBeLessThan(210);
});
