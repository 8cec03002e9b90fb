import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServicesDiff } from "../../spec/services-diff.ts";
import { packageRoot } from "../package-root.ts";
import { embeddedServices } from "../services/embedded.ts";
import { runServicesDiff } from "./services-diff.ts";
import { runSyncServices } from "./sync-services.ts";

/** The embedded data in a directory, with one action more and one less than in the package. */
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "services-"));
  const options = { outputDir: folder, source: "embedded", maxConcurrent: "10" };
  const silent = Object.assign(Object.create(process.stderr), { write: () => true, isTTY: false });
  await runSyncServices(options, {}, { stdout: { write: () => true }, stderr: silent });
  const file = join(folder, "sqs.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll('"SendMessage"', '"ShipMessage"'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(older: string, newer: string, format = "json") {
  const out: string[] = [];
  const streams = { stdout: { write: (text: string) => out.push(text) }, stderr: process.stderr };
  const status = await runServicesDiff(older, newer, { format }, streams);
  return { status, text: out.join("") };
}

describe("services diff", () => {
  test("names what came and what went", async () => {
    const { status, text } = await run("embedded", folder);
    expect(status).toBe(0);
    const diff = ServicesDiff.parse(JSON.parse(text));
    expect(diff.actions).toEqual({ added: ["sqs:ShipMessage"], removed: ["sqs:SendMessage"] });
    expect(diff.services).toEqual({ added: [], removed: [] });
    expect(diff.older.date).toBe(embeddedServices().date);
  });

  test("finds nothing between the data of the package and itself", async () => {
    const { text } = await run(join(packageRoot(), "data"), "embedded", "text");
    const { date } = embeddedServices();
    expect(text).toBe(
      [
        `From ${date} to ${date}`,
        "",
        "Services: 0 added, 0 removed",
        "",
        "Actions: 0 added, 0 removed",
        "",
        "Resource types: 0 added, 0 removed",
        "",
        "Condition keys: 0 added, 0 removed",
        "",
      ].join("\n"),
    );
  });

  test("lists removed names before added ones in text", async () => {
    const { text } = await run("embedded", folder, "text");
    expect(text).toContain(
      "Actions: 1 added, 1 removed\n  - sqs:SendMessage\n  + sqs:ShipMessage\n",
    );
  });

  test("refuses a directory without reference data, and an unknown format", async () => {
    await expect(run("embedded", join(folder, "none"))).rejects.toThrow(/none/);
    await expect(run("embedded", "embedded", "xml")).rejects.toThrow(
      /--format must be text or json/,
    );
  });
});
