import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cli } from "../support/cli-file.ts";
import { call, readOnly } from "../support/rpc.ts";
import { type ServiceReference, serviceReference } from "../support/service-reference.ts";
import { noMounts, startInShell } from "../support/shell-process.ts";
import { largeBody } from "../support/validate.ts";

const run = promisify(execFile);

let reference: ServiceReference;
let space: string;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  reference = await serviceReference();
  space = await mkdtemp(join(tmpdir(), "space-"));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await reference.stop();
  await rm(space, { recursive: true });
});

/** A server that keeps what it fetches below the folder of the test. */
async function start(shell: string, mounts: boolean) {
  const target = await startInShell({
    shell,
    mounts,
    flags: { cache_directory: join(space, "cache") },
    environment: { VALIDATOR_MCP_REFERENCE_DATA_URL: reference.url, SPACE: space },
  });
  stops.push(() => target.stop());
  return target;
}
type Started = Awaited<ReturnType<typeof start>>;

/** The folder as the server sees it. */
const seenBy = ({ child }: Started, ...names: string[]) =>
  join(`/proc/${child.pid}/root`, space, ...names);

const warnings = ({ log }: Started) =>
  log.all.filter((line) => line.includes("the cache directory is not writable"));

/** Validated on the main thread, and in a worker, which has its own cache over the same folder. */
async function validates(target: Started): Promise<void> {
  const small = JSON.stringify(readOnly);
  for (const policy of [small, small.padEnd(largeBody)]) {
    const { body } = await call(target, "validate_policies", { policies: [policy] });
    expect(body.result?.isError).toBe(false);
  }
}

async function kept(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.[a-z]+$/.test(name),
  );
  // A process that is killed may leave the beginning of a file, under a name that no server reads.
  const whole = names.filter((name) => !name.endsWith(".part"));
  for (const name of whole) JSON.parse(await readFile(join(folder, name), "utf8"));
  return names.map((name) => name.replace(/^.*\//, ""));
}

describe("a cache directory", () => {
  test.skipIf(noMounts !== null)(
    "on a full disk is done without: one warning, nothing half written; used again once there is room",
    async () => {
      const target = await start(
        'mount -t tmpfs -o size=64k tmpfs "$SPACE" && mkdir "$SPACE/cache"; ' +
          'head -c 100000 /dev/zero >"$SPACE/ballast" 2>/dev/null; exec "$@"',
        true,
      );
      await validates(target);
      // One by the server, one by its worker.
      expect(warnings(target)).toEqual(Array(2).fill(expect.stringContaining("ENOSPC")));
      expect(await kept(seenBy(target, "cache"))).toEqual([]);

      await rm(seenBy(target, "ballast"));
      // Not in memory yet.
      await call(target, "query", { kind: "service_actions", service: "ssm" });
      expect(await kept(seenBy(target, "cache"))).toEqual(["ssm.json"]);
    },
  );

  test.skipIf(noMounts !== null)(
    "that becomes read-only: what it holds is used, the rest is done without",
    async () => {
      const target = await start(
        'mount -t tmpfs -o size=1m tmpfs "$SPACE" && mkdir "$SPACE/cache"; exec "$@"',
        true,
      );
      const held = await kept(seenBy(target, "cache"));
      expect(held).toContain("s3.json");
      await run("nsenter", [
        ...["--preserve-credentials", "-t", String(target.child.pid), "-U", "-m"],
        ...["mount", "-o", "remount,ro", space],
      ]);
      const before = reference.requests.length;
      await validates(target);
      expect(reference.requests.slice(before)).not.toContain("/s3.json");
      expect(await kept(seenBy(target, "cache"))).toEqual(held);
    },
  );

  test.skipIf(noMounts !== null)(
    "that is read-only at the start ends it, naming the path",
    async () => {
      const starting = start(
        'mount -t tmpfs tmpfs "$SPACE" && mkdir "$SPACE/cache" && mount -o remount,ro "$SPACE"; exec "$@"',
        true,
      );
      await expect(starting).rejects.toThrow(
        `cache directory ${join(space, "cache")} is not writable`,
      );
    },
  );

  test("in which no file may grow (ulimit -f) is done without", async () => {
    const target = await start('ulimit -f 1; exec "$@"', false);
    await validates(target);
    expect(warnings(target)).toEqual(Array(2).fill(expect.stringContaining("EFBIG")));
    for (const name of await kept(join(space, "cache"))) expect(name).not.toMatch(/\.part$/);
  });
});

describe("sync-services", () => {
  test.skipIf(noMounts !== null)(
    "on a disk that runs full fails with status 1 and leaves every file of before whole",
    async () => {
      const script = `
        mount -t tmpfs -o size=1m tmpfs "$SPACE" || exit 90
        "$@" --output-dir "$SPACE/data" >/dev/null 2>&1 || exit 91
        before=$(cat "$SPACE"/data/*.json | sha256sum)
        head -c 2000000 /dev/zero >"$SPACE/ballast" 2>/dev/null
        "$@" --output-dir "$SPACE/data" 2>&1
        echo "status $?"
        [ "$before" = "$(cat "$SPACE"/data/*.json | sha256sum)" ] && echo "as before"
        ls -A "$SPACE/data" | grep -c part`;
      const command = [process.execPath, cli, "sync-services", "--source", "remote"];
      const { stdout } = await run(
        "unshare",
        ["-rm", "bash", "-c", `${script}; true`, "bash", ...command],
        {
          env: {
            PATH: process.env.PATH,
            SPACE: space,
            VALIDATOR_MCP_REFERENCE_DATA_URL: reference.url,
          },
        },
      );
      expect(stdout).toMatch(/ENOSPC[\s\S]*status 1\nas before\n0\n$/);
    },
  );

  test("that is killed leaves no half a set that a server would take for a whole one", async () => {
    reference.answer("/s3.json", () => {});
    const folder = join(space, "data");
    const killed = execFile(
      process.execPath,
      [cli, "sync-services", "--source", "remote", "--output-dir", folder],
      {
        env: { PATH: process.env.PATH, VALIDATOR_MCP_REFERENCE_DATA_URL: reference.url },
      },
    );
    await expect
      .poll(() => readdir(folder).catch(() => []), { timeout: 15_000 })
      .toContain("iam.json");
    const ended = once(killed, "close");
    killed.kill("SIGKILL");
    await ended; // Until then it may still write below the folder that the test removes.
    expect(await kept(folder)).not.toContain("_services.json");
  });
});
