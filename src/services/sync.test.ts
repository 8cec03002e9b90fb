import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { directoryServices } from "./directory.ts";
import { embeddedServices } from "./embedded.ts";
import type { Service } from "./model.ts";
import { syncServices } from "./sync.ts";

let folder = "";
let told: string[] = [];

const progress = {
  start: (total: number) => void told.push(`start ${total}`),
  step: () => {},
  failed: (service: string, reason: string) => void told.push(`${service}: ${reason}`),
  stop: () => void told.push("stop"),
};
const silent = { warn: () => {}, info: () => {} };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sync-"));
  told = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, file), "utf8"));

/** All that a service says, in a form that compares. */
function said(service: Service | undefined) {
  return (
    service && {
      prefix: service.prefix,
      actions: service.actions.map((action) => ({
        qualified: action.qualified,
        accessLevel: action.accessLevel,
        resourceTypes: action.resourceTypes,
        conditionKeys: action.conditionKeys,
        description: action.description,
        supports: service.conditionKeys.map((key) => action.supportsKey(key.name)),
      })),
      resourceTypes: service.resourceTypes,
      conditionKeys: service.conditionKeys.map(({ name, types, description }) => ({
        name,
        types,
        description,
      })),
    }
  );
}

describe("the embedded data, written to a directory", () => {
  test("and read back answers every look-up alike", async () => {
    const result = await syncServices({
      outputDir: folder,
      source: "embedded",
      maxConcurrent: 10,
      progress,
    });
    const embedded = embeddedServices();
    const total = embedded.prefixes.length;
    expect(result).toEqual({ total, successful: total, failed: 0 });
    expect(told).toEqual([`start ${total}`, "stop"]);
    expect(await readdir(folder)).toHaveLength(total + 2);

    const directory = await directoryServices(folder, silent);
    expect(directory.date).toBe(embedded.date);
    expect(directory.prefixes).toEqual(embedded.prefixes);
    for (const prefix of embedded.prefixes) {
      await directory.load([prefix]);
      expect(said(directory.get(prefix))).toEqual(said(embedded.get(prefix)));
    }
  });

  test("has the manifest and the indented layout of the service reference", async () => {
    await syncServices({ outputDir: folder, source: "embedded", maxConcurrent: 2, progress });
    const total = embeddedServices().prefixes.length;
    expect(await readJson("_manifest.json")).toEqual({
      download_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      total_services: total,
      successful_downloads: total,
      failed_downloads: 0,
      base_url: "embedded",
      data_date: embeddedServices().date,
    });
    expect(await readFile(join(folder, "account.json"), "utf8")).toMatch(
      /^\{\n {2}"Name": "account",\n/,
    );
  });
});

describe("a remote list, written to a directory", () => {
  const s3 = { Name: "s3", Actions: [{ Name: "GetObject", Odd: [1, { "<": null }] }], New: true };
  let list: unknown;
  const server = createServer((request, response) => {
    if (request.url === "/list") response.end(JSON.stringify(list));
    else if (request.url === "/s3") response.end(JSON.stringify(s3));
    else if (request.url === "/iam") response.end("<html>");
    else response.writeHead(404).end();
  });
  const listening = new Promise<string>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(`http://127.0.0.1:${address.port}`);
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const sync = async () =>
    syncServices({
      outputDir: folder,
      source: "remote",
      url: `${await listening}/list`,
      maxConcurrent: 3,
      progress,
      retryDelayMs: 1,
    });

  test("is kept as it was served, unknown members and all", async () => {
    list = [{ service: "s3", url: "/s3", extra: 1 }];
    expect(await sync()).toEqual({ total: 1, successful: 1, failed: 0 });
    expect(await readJson("s3.json")).toEqual(s3);
    expect(await readJson("_services.json")).toEqual(list);
    expect(await readJson("_manifest.json")).toMatchObject({
      total_services: 1,
      base_url: `${await listening}/list`,
    });
    const directory = await directoryServices(folder, silent);
    await directory.warmUp();
    expect(directory.get("s3")?.action("getobject")).toBeDefined();
  });

  test("without the services that fail, each told with its reason, and nothing outside", async () => {
    list = [
      { service: "s3", url: "/s3" },
      { service: "S3", url: "/s3" },
      { service: "iam", url: "/iam" },
      { service: "kms", url: "/kms" },
      { service: "../../evil", url: "/s3" },
      { service: "..", url: "/s3" },
      { service: "_services", url: "/s3" },
      { service: "sns", url: "https://example.com/sns" },
      { service: "\u001b[2Jx", url: "/s3" },
    ];
    expect(await sync()).toEqual({ total: 9, successful: 1, failed: 8 });
    expect((await readdir(folder)).sort()).toEqual(["_manifest.json", "_services.json", "s3.json"]);
    expect(told.slice(1, -1).sort()).toEqual([
      "../../evil: its name or its URL is not in the list",
      "..: its name cannot be used as a file name",
      "?[2Jx: its name or its URL is not in the list",
      "S3: another service has the same file name",
      "_services: its name cannot be used as a file name",
      expect.stringMatching(/^iam: /),
      "kms: status 404",
      "sns: its name or its URL is not in the list",
    ]);
    expect(await readJson("_manifest.json")).toMatchObject({
      successful_downloads: 1,
      failed_downloads: 8,
    });
  });

  test("is not written at all when it is not a list", async () => {
    list = { services: [] };
    await expect(sync()).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});
