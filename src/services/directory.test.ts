import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartupError } from "../errors.ts";
import { directoryServices } from "./directory.ts";

let folder = "";
let warnings: object[] = [];
let messages = new Set<string>();
const log = {
  warn: (fields: object, message: string) => {
    warnings.push(fields);
    messages.add(message);
  },
  info: () => {},
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "services-"));
  warnings = [];
  messages = new Set();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (file: string, content: unknown) =>
  writeFile(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
const entry = (service: string) => ({ service, url: `https://reference.test/${service}.json` });
const s3 = { Name: "s3", Actions: [{ Name: "GetObject" }] };

describe("a directory of service data", () => {
  test("gives a service once it is loaded, whatever the case of prefix and file", async () => {
    await write("_services.json", [entry("S3"), entry("ec2")]);
    await write("S3.JSON", s3);
    const services = await directoryServices(folder, log);
    expect(services.source).toBe("directory");
    expect(services.get("s3")).toBeUndefined();
    await services.load(["S3", "nosuch", "__proto__"]);
    expect(services.get("s3")?.action("getobject")?.qualified).toBe("s3:GetObject");
    expect(warnings).toEqual([]);
  });

  test("does not know a listed service without a file, nor a file that is not listed", async () => {
    await write("_services.json", [entry("s3"), entry("ec2")]);
    await write("s3.json", s3);
    await write("iam.json", { Name: "iam" });
    const services = await directoryServices(folder, log);
    await services.load(["s3", "ec2", "iam"]);
    expect(services.prefixes).toEqual(["s3"]);
    expect(services.get("ec2")).toBeUndefined();
    expect(services.get("iam")).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test("warns once of a file it cannot use, refuses calls that need it, and has the service when the file is corrected", async () => {
    await write("_services.json", [entry("s3"), entry("iam")]);
    await write("s3.json", '{"Name": "s3", "Act');
    await write("iam.json", { Name: "sts" });
    const services = await directoryServices(folder, log);
    await services.warmUp();
    await expect(services.load(["s3", "IAM"])).rejects.toThrow(
      "The AWS reference data of s3, iam could not be read; the operator of the server must repair it.",
    );
    expect(services.get("s3")).toBeUndefined();
    expect(services.get("iam")).toBeUndefined();
    // Files are read side by side, so either may come first.
    expect(warnings).toHaveLength(2);
    expect([...messages]).toEqual(["a service's data file is unusable"]);
    expect(warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          service: "iam",
          reason: "the document is about another service",
        }),
        expect.objectContaining({ service: "s3" }),
      ]),
    );
    await write("s3.json", s3);
    await services.load(["s3"]);
    expect(services.get("s3")?.actions).toHaveLength(1);
  });

  test("never reads outside: names of the list are service prefixes or nothing", async () => {
    await mkdir(join(folder, "in"));
    await write("outside.json", { Name: "../outside" });
    await writeFile(
      join(folder, "in", "_services.json"),
      JSON.stringify([entry("../outside"), entry("_services"), entry("s3")]),
    );
    await writeFile(join(folder, "in", "s3.json"), JSON.stringify(s3));
    const services = await directoryServices(join(folder, "in"), log);
    await services.load(["../outside", "_services"]);
    expect(services.prefixes).toEqual(["s3"]);
  });

  test("reads through links, as volumes of Kubernetes are made of them", async () => {
    await write("data", s3);
    await write("_services.json", [entry("s3")]);
    await symlink("data", join(folder, "s3.json"));
    const services = await directoryServices(folder, log);
    await services.warmUp();
    expect(services.get("s3")).toBeDefined();
  });

  test("has the date of its data: the manifest's, else that of the list's file", async () => {
    await write("_services.json", [entry("s3")]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await directoryServices(folder, log)).date).toBe(today);
    await write("_manifest.json", { download_date: "2026-02-03T04:05:06.000Z" });
    expect((await directoryServices(folder, log)).date).toBe("2026-02-03");
    await write("_manifest.json", {
      download_date: "2026-02-03T04:05:06Z",
      data_date: "2026-01-31",
    });
    expect((await directoryServices(folder, log)).date).toBe("2026-01-31");
    for (const manifest of [
      "not JSON",
      { download_date: "soon" },
      { data_date: "2026-02-30" },
      {},
    ]) {
      await write("_manifest.json", manifest);
      expect((await directoryServices(folder, log)).date).toBe(today);
    }
  });

  test("is not a service where its file is a device", async () => {
    await write("_services.json", [entry("s3")]);
    await symlink("/dev/zero", join(folder, "s3.json"));
    const services = await directoryServices(folder, log);
    await expect(services.load(["s3"])).rejects.toThrow("could not be read");
    expect(services.get("s3")).toBeUndefined();
    expect(warnings).toEqual([{ service: "s3", reason: "not a regular file" }]);
    expect(services.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("is not a service where its file is too large, and five such are named at most", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    await write("_services.json", names.map(entry));
    for (const name of names) {
      await write(`${name}.json`, "");
      await truncate(join(folder, `${name}.json`), 16 * 1024 * 1024 + 1);
    }
    const services = await directoryServices(folder, log);
    await expect(services.load(names)).rejects.toThrow(
      "The AWS reference data of a, b, c, d, e could not be read",
    );
    expect(warnings).toContainEqual({ service: "a", reason: "more than 16777216 bytes" });
    await truncate(join(folder, "a.json"), 0);
    await write("a.json", JSON.stringify({ Name: "a" }).padEnd(16 * 1024 * 1024));
    await services.load(["a"]);
    expect(services.get("a")).toBeDefined();
  });

  test("has a hash that follows the content of its files", async () => {
    await write("_services.json", [entry("s3"), entry("iam")]);
    await write("s3.json", s3);
    const before = (await directoryServices(folder, log)).hash;
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect((await directoryServices(folder, log)).hash).toBe(before);
    await write("s3.json", { ...s3, Version: "2" });
    const changed = (await directoryServices(folder, log)).hash;
    expect(changed).not.toBe(before);
    await write("iam.json", { Name: "iam" });
    expect((await directoryServices(folder, log)).hash).not.toBe(changed);
    await write("s3.json", "");
    await write("iam.json", "12");
    const swapped = (await directoryServices(folder, log)).hash;
    await write("s3.json", "12");
    await write("iam.json", "");
    expect((await directoryServices(folder, log)).hash).not.toBe(swapped);
  });
});

describe("a directory that cannot be used ends the start, naming its path", () => {
  const refusal = async () => {
    const error: unknown = await directoryServices(folder, log).catch((thrown: unknown) => thrown);
    if (!(error instanceof StartupError)) throw new Error("not refused", { cause: error });
    expect(error.kind).toBe("aws_services_dir");
    expect(error.message).toContain(folder);
    expect(error.message).not.toContain("\n");
    return error.message;
  };

  test("without the directory, or without a list in it", async () => {
    expect(await refusal()).toMatch(/_services\.json does not exist/);
    await rm(folder, { recursive: true });
    expect(await refusal()).toMatch(/_services\.json does not exist/);
  });

  test("with a list that is a pipe or a device, which may never end", async () => {
    const list = join(folder, "_services.json");
    for (const place of ["/dev/zero", "/dev/stdin"]) {
      await symlink(place, list);
      expect(await refusal()).toMatch(/not a regular file/);
      await rm(list);
    }
  });

  test.each(["", "{", "null", "{}", "[]", '["s3"]', '[{"service":"s3"}]'])(
    "with %j for a list",
    async (text) => {
      await write("_services.json", text);
      expect(await refusal()).toMatch(/_services\.json is not a list of services/);
    },
  );
});
