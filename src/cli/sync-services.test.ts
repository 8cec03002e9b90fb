import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { runSyncServices, type SyncServicesOptions } from "./sync-services.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sync-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A stream that remembers, on a terminal or not. */
function stream(isTTY: boolean) {
  const texts: string[] = [];
  const writable = new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk));
      done();
    },
  });
  return Object.assign(writable, { isTTY, text: () => texts.join("") });
}

async function run(options: Partial<SyncServicesOptions> = {}, url = "", isTTY = false) {
  const [stdout, stderr] = [stream(false), stream(isTTY)];
  const status = await runSyncServices(
    { outputDir: folder, source: "embedded", maxConcurrent: "10", ...options },
    { VALIDATOR_MCP_REFERENCE_DATA_URL: url },
    { stdout, stderr },
  );
  return { status, stdout: stdout.text(), stderr: stderr.text() };
}

describe("sync-services", () => {
  test("writes the embedded data, telling of it in plain lines", async () => {
    const { status, stdout, stderr } = await run();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^(\d+) of \1 services are in .*\.\n$/);
    expect(stderr).toMatch(/^(\d+) services to write\n(?:\d+ of \1\n){10}$/);
  });

  test("shows a bar on a terminal", async () => {
    const { status, stderr } = await run({}, "", true);
    expect(status).toBe(0);
    expect(stderr).toMatch(/\d+\/\d+ services/);
    expect(stderr).toContain("\u001b");
  });

  test.each([
    [{ source: "Embedded" }, "--source"],
    [{ maxConcurrent: "0" }, "--max-concurrent"],
    [{ maxConcurrent: "101" }, "--max-concurrent"],
    [{ maxConcurrent: "1.5" }, "--max-concurrent"],
    [{ maxConcurrent: "" }, "--max-concurrent"],
  ])("refuses %j, naming the option", async (options, name) => {
    await expect(run(options)).rejects.toMatchObject({
      kind: "invalid_setting",
      message: expect.stringContaining(name),
    });
  });

  test("refuses an address that is not to be trusted", async () => {
    await expect(run({ source: "remote" }, "http://example.com/")).rejects.toMatchObject({
      kind: "invalid_setting",
    });
  });

  test("fails with status 1 when the directory cannot be written", async () => {
    const outputDir = join(folder, "file");
    await writeFile(outputDir, "");
    const { status, stderr } = await run({ outputDir });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^sync-services: E/);
  });
});

describe("sync-services of a remote list", () => {
  const server = createServer((request, response) => {
    const list = ["s3", "gone"].map((service) => ({ service, url: `/${service}` }));
    if (request.url === "/list") response.end(JSON.stringify(list));
    else if (request.url === "/s3") response.end(JSON.stringify({ Name: "s3" }));
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

  test("fails with status 1 when a service failed, though the others are there", async () => {
    const { status, stdout, stderr } = await run({ source: "remote" }, `${await listening}/list`);
    expect(status).toBe(1);
    expect(stdout).toBe(`1 of 2 services are in ${folder}.\n`);
    expect(stderr).toContain("gone failed: status 404\n");
    expect(stderr).toContain("--allow-partial");
    expect(await readdir(folder)).toContain("s3.json");
  });

  test("succeeds all the same with --allow-partial, and says what failed after the bar", async () => {
    const options = { source: "remote", allowPartial: true };
    const { status, stderr } = await run(options, `${await listening}/list`, true);
    expect(status).toBe(0);
    expect(stderr).toMatch(/gone failed: status 404\n$/);
  });

  test("fails with status 1 when there is no list", async () => {
    const { status, stderr } = await run({ source: "remote" }, `${await listening}/nothing`);
    expect(status).toBe(1);
    expect(stderr).toBe("sync-services: status 404\n");
    expect(await readdir(folder)).toEqual([]);
  });
});
