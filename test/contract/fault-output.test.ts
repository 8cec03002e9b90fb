import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { AuditRecord } from "../../spec/audit.ts";
import { call } from "../support/rpc.ts";
import { follow, noMounts, type ShellOptions, startInShell } from "../support/shell-process.ts";
import { auditRecords } from "../support/target.ts";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(options: ShellOptions) {
  const target = await startInShell(options);
  stops.push(() => target.stop());
  return target;
}

async function answered(target: { url: string }, calls: number): Promise<void> {
  for (let count = 0; count < calls; count++) {
    expect((await call(target, "get_config")).body.result?.isError).toBe(false);
  }
}

const warnings = (lines: readonly string[], code: string) =>
  lines.filter((line) => line.includes("audit record") && line.includes(`"error_code":"${code}"`));

describe("standard output", () => {
  test("on a full disk: calls are answered, each with a warning that holds nothing of the record", async () => {
    const target = await start({ shell: 'exec "$@" >/dev/full' });
    await answered(target, 3);
    expect(warnings(target.log.all, "ENOSPC")).toHaveLength(3);
    expect(target.log.text).not.toContain("policy_count");
  });

  test("that no process holds any more: the same", async () => {
    const target = await start({ shell: 'exec "$@"' });
    await answered(target, 1);
    target.child.stdout?.destroy();
    await answered(target, 3);
    await expect.poll(() => warnings(target.log.all, "EPIPE")).toHaveLength(3);
    expect(auditRecords(target.audit.all)).toHaveLength(1);
  });

  test("that is not read: calls wait, and none is answered without its record", async () => {
    // Long records, of which a pipe takes a few.
    const tokens = { long: { client_id: "x".repeat(20_000), scopes: ["iam:config"] } };
    const target = await start({
      shell: 'exec "$@"',
      readAudit: false,
      flags: { auth: "token" },
      environment: { VALIDATOR_MCP_AUTH_TOKENS: JSON.stringify(tokens) },
    });
    let done = 0;
    const calls = Array.from({ length: 60 }, async () => {
      const { body } = await call(target, "get_config", {}, { token: "long" });
      expect(body.result?.isError).toBe(false);
      done += 1;
    });
    for (const each of calls) each.catch(() => undefined);
    const health = () =>
      fetch(`${target.url}/health`, { signal: AbortSignal.timeout(500) }).then(
        () => "answered",
        () => "waiting",
      );
    await expect.poll(health, { timeout: 15_000 }).toBe("waiting");
    expect(done).toBeLessThan(60);
    if (target.child.stdout) follow(target.child.stdout, target.audit);
    await Promise.all(calls);
    expect(auditRecords(await target.audit.atLeast(60))).toHaveLength(60);
    await expect.poll(health, { timeout: 15_000 }).toBe("answered");
  });

  test.skipIf(noMounts !== null)(
    "on a disk that fills up and is emptied: one record is broken off, later ones are whole",
    async () => {
      const space = await mkdtemp(join(tmpdir(), "space-"));
      stops.push(() => rm(space, { recursive: true }));
      const target = await start({
        mounts: true,
        shell: `mount -t tmpfs -o size=64k tmpfs ${space} && exec "$@" >>${space}/audit.jsonl`,
      });
      const inside = (name: string) => `/proc/${target.child.pid}/root${space}/${name}`;
      // The first record takes a page, of which the next ones use the rest.
      await answered(target, 1);
      await expect(writeFile(inside("ballast"), "x".repeat(70_000))).rejects.toThrow("ENOSPC");
      let calls = 0;
      while (warnings(target.log.all, "ENOSPC").length < 2 && calls++ < 100) {
        await answered(target, 1);
      }
      await rm(inside("ballast"));
      await answered(target, 2);
      const lines = (await readFile(inside("audit.jsonl"), "utf8")).trimEnd().split("\n");
      const whole = lines.map(isRecord);
      expect(whole.filter((each) => !each)).toHaveLength(1);
      expect(whole.slice(-2)).toEqual([true, true]);
    },
  );
});

function isRecord(line: string): boolean {
  try {
    return AuditRecord.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}

describe("standard error", () => {
  test("on a full disk: the server starts, and calls are answered and audited", async () => {
    const target = await start({ shell: 'exec "$@" 2>/dev/full' });
    await answered(target, 3);
    expect(auditRecords(await target.audit.atLeast(3))).toHaveLength(3);
  });

  test("that no process holds any more, standard output likewise: calls are answered", async () => {
    const target = await start({ shell: 'exec "$@"' });
    target.child.stdout?.destroy();
    target.child.stderr?.destroy();
    await answered(target, 3);
    target.child.kill("SIGTERM");
    expect(await target.exited).toBe(0);
  });
});
