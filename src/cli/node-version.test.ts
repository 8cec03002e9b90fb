import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeFault } from "./node-version.ts";

test.each(["22.18.0", "22.20.1", "24.0.0", "25.1.0", process.versions.node])(
  "Node %s is accepted",
  (version) => {
    expect(nodeFault(version)).toBeUndefined();
  },
);

test.each(["22.17.1", "20.20.2", "18.0.0"])("Node %s is told to be too old", (version) => {
  expect(nodeFault(version)).toBe(`validator-mcp needs Node 22.18 or newer; this is ${version}.`);
});

test("the manifest says the same", () => {
  const manifest = new URL("../../package.json", import.meta.url);
  expect(JSON.parse(readFileSync(manifest, "utf8")).engines.node).toBe(">=22.18");
});
