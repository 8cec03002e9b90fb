import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { customCheckModule } from "../../test/support/custom-check.ts";
import { readOnly } from "../../test/support/rpc.ts";
import { memoryLimit } from "../memory.ts";
import { runQuery } from "../query/run-query.ts";
import { parsedOutput } from "../results/prepared-output.ts";
import { embeddedServices } from "../services/embedded.ts";
import { readSettings } from "../settings.ts";
import { startUp } from "../startup.ts";
import { createPool, type PoolSize, ReaderBusy } from "./pool.ts";
import { defaultWorkers, threadMemoryMb } from "./threads.ts";

const reading = { caller: "alice", deferrable: [], policyTools: [] };
const config = new URL("../../test/support/config/plain.yaml", import.meta.url).pathname;

/** A pool beside a runtime of the same config. */
async function startPool(size: PoolSize, config_source = config) {
  const { settings, authExplicit } = readSettings(
    { mode: "hosted", transport: "http", auth: "none", config_source, log_level: "error" },
    {},
  );
  const { runtime, configValue } = await startUp({ settings, authExplicit, environment: {} });
  const data = { settings, environment: {}, configValue, digest: runtime.digest };
  const pool = createPool(data, size);
  return {
    pool,
    async close() {
      await pool.close();
      await runtime.pool.close();
    },
  };
}

test("a call that needs more memory than a worker has is a tool error, and the next one is answered", async () => {
  const { pool, close } = await startPool({ workers: 1, queue: 1, memoryMb: 96 });
  const validate = (policies: readonly object[]) =>
    pool.validate(
      {
        body: Buffer.from(JSON.stringify({ params: { arguments: { policies, format: "html" } } })),
        maxResultBytes: 4_194_304,
      },
      { caller: "alice", signal: AbortSignal.timeout(60_000) },
    );
  try {
    // More objects than 96 MB have room for.
    const statements = Array.from({ length: 340_000 }, () => ({}));
    await expect(validate([{ Statement: statements }])).rejects.toMatchObject({
      kind: "request_too_large",
      message: expect.stringContaining("memory"),
    });
    expect(await validate([{ Statement: [] }])).toMatchObject({ kind: "done" });
  } finally {
    await close();
  }
}, 60_000);

test("a query is answered as in this thread", async () => {
  const { pool, close } = await startPool({ workers: 1, queue: 1 });
  const input = { kind: "expand_wildcard" as const, patterns: ["s3:GetObject*", "s3:"] };
  const work = { caller: "alice", signal: AbortSignal.timeout(60_000) };
  try {
    const prepared = await pool.query({ input, maxResultBytes: 1_048_576 }, work);
    expect(parsedOutput(prepared)).toEqual(await runQuery(input, embeddedServices()));
    await expect(pool.query({ input, maxResultBytes: 100 }, work)).rejects.toMatchObject({
      kind: "too_many_values",
      message: expect.stringContaining("the limit is 100"),
    });
  } finally {
    await close();
  }
}, 60_000);

test("a full queue refuses calls of who has most in it, not those of a caller with few", async () => {
  const { pool, close } = await startPool({ workers: 1, queue: 7 });
  const body = () => Buffer.from(JSON.stringify({ params: { arguments: { policies: [{}] } } }));
  const validate = (caller: string) =>
    pool.validate(
      { body: body(), maxResultBytes: 4_194_304 },
      { caller, signal: AbortSignal.timeout(60_000) },
    );
  const kindOf = (answer: PromiseSettledResult<{ readonly kind: string }>) =>
    answer.status === "fulfilled" ? answer.value.kind : (answer.reason as { kind: unknown }).kind;
  try {
    // Six are what one caller may have, eight what the queue holds.
    const flood = Promise.allSettled(Array.from({ length: 6 }, () => validate("flood")));
    const honest = Promise.allSettled(Array.from({ length: 4 }, () => validate("alice")));
    expect((await honest).map(kindOf)).toEqual(Array(4).fill("done"));
    expect((await flood).map(kindOf)).toEqual([
      ...Array(4).fill("done"),
      "overloaded",
      "overloaded",
    ]);
  } finally {
    await close();
  }
}, 60_000);

test("short calls overtake the long call of another caller", async () => {
  const { pool, close } = await startPool({ workers: 1, queue: 7, memoryMb: 160 });
  const over: string[] = [];
  const validate = async (caller: string, args: object) => {
    const body = Buffer.from(JSON.stringify({ params: { arguments: args } }));
    const signal = AbortSignal.timeout(60_000);
    const { kind } = await pool.validate({ body, maxResultBytes: 4_194_304 }, { caller, signal });
    over.push(caller);
    return kind;
  };
  const policies = (count: number, length: number) => ({
    policies: Array(count).fill({ Statement: Array.from({ length }, () => ({})) }),
  });
  try {
    const long = validate("flood", policies(20, 5_000));
    const floods = Array.from({ length: 3 }, () => validate("flood", policies(1, 1)));
    const calls = ["alice", "bob", "alice", "bob"].map((caller) =>
      validate(caller, policies(1, 1)),
    );
    expect(await Promise.all(calls)).toEqual(["done", "done", "done", "done"]);
    expect(over.toSorted()).toEqual(["alice", "alice", "bob", "bob"]);
    expect(await Promise.all([long, ...floods])).toEqual(Array(4).fill("done"));
    // A report about 24,000 faults takes more memory than the extra thread has: that thread ends, and a worker
    // makes the report. On a busy machine the worker may be free before the extra thread takes the call.
    const hungry = async () => {
      const both = [
        validate("flood", policies(20, 5_000)),
        validate("carol", { ...policies(20, 400), format: "html" }),
      ];
      expect(await Promise.all(both)).toEqual(["done", "done"]);
      return pool.figures().threads;
    };
    await expect.poll(hungry, { timeout: 90_000 }).toBe(1);
  } finally {
    await close();
  }
}, 120_000);

test("a thread stops a call that is cancelled, and takes the next one", async () => {
  const { pool, close } = await startPool({ workers: 1, queue: 1 });
  const validate = (count: number, signal: AbortSignal) => {
    const policies = Array(count).fill({ Statement: Array.from({ length: 5_000 }, () => ({})) });
    const body = Buffer.from(JSON.stringify({ params: { arguments: { policies } } }));
    return pool.validate({ body, maxResultBytes: 4_194_304 }, { caller: "alice", signal });
  };
  const { signal } = new AbortController();
  try {
    expect(await validate(1, signal)).toMatchObject({ kind: "done" });
    const gone = new AbortController();
    const long = validate(50, gone.signal);
    setTimeout(() => gone.abort(new Error("gone")), 100);
    await expect(long).rejects.toThrow("gone");
    // One that was killed would be replaced only when the next call needs it.
    expect(pool.figures()).toEqual({ running: 0, waiting: 0, threads: 1 });
    expect(await validate(1, signal)).toMatchObject({ kind: "done" });
  } finally {
    await close();
  }
}, 60_000);

test("a thread that does not stop a call that is cancelled is replaced", async () => {
  const folder = await mkdtemp(join(tmpdir(), "validator-mcp-blocked-"));
  const blocks = `*runStatement({ sid }) { while (sid === "Endless") Math.random(); }`;
  await writeFile(join(folder, "endless.mjs"), customCheckModule({ id: "endless", run: blocks }));
  const config_source = join(folder, "config.yaml");
  await writeFile(config_source, "custom_checks: [{ module: ./endless.mjs }]");
  const { pool, close } = await startPool({ workers: 1, queue: 1 }, config_source);
  const validate = (Sid: string, signal: AbortSignal) => {
    const policy = { ...readOnly, Statement: [{ ...readOnly.Statement[0], Sid }] };
    const body = Buffer.from(JSON.stringify({ params: { arguments: { policies: [policy] } } }));
    return pool.validate({ body, maxResultBytes: 4_194_304 }, { caller: "alice", signal });
  };
  try {
    const { signal } = new AbortController();
    expect(await validate("Short", signal)).toMatchObject({ kind: "done" });
    const gone = new AbortController();
    const endless = validate("Endless", gone.signal);
    setTimeout(() => gone.abort(new Error("gone")), 100);
    await expect(endless).rejects.toThrow("gone");
    expect(pool.figures()).toEqual({ running: 0, waiting: 0, threads: 0 });
    expect(await validate("Short", signal)).toMatchObject({ kind: "done" });
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
}, 60_000);

test("bodies that wait for the thread that reads are answered when it dies, and later ones too", async () => {
  const { settings } = readSettings({ mode: "hosted", auth: "none", config_source: config }, {});
  const data = { settings, environment: {}, configValue: {}, digest: "" };
  const pool = createPool(data, { workers: 1, queue: 1, memoryMb: 32 });
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const small = () =>
    pool.readEnvelope([bytesOf('{"jsonrpc":"2.0","id":1,"method":"ping"}')], reading);
  try {
    expect(await small()).toMatchObject({ kind: "message" });
    // Each of these objects has its own shape: far more than 32 MB.
    const objects = Array.from({ length: 49_000 }, (_, at) => `{"${"long ".repeat(120)}${at}":{}}`);
    const hungry = pool.readEnvelope([bytesOf(`{"all":[${objects}]}`)], reading);
    // As many as one caller may have, and one more; another caller's is taken.
    const waiting = Array.from({ length: 47 }, small);
    await expect(small()).rejects.toThrow(ReaderBusy);
    const other = { caller: "bob", deferrable: [], policyTools: [] };
    waiting.push(pool.readEnvelope([bytesOf('{"method":"ping"}')], other));
    expect(await hungry).toEqual({ kind: "too_many_values" });
    const kinds = (await Promise.all(waiting)).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["message"]));
    expect(await small()).toMatchObject({ kind: "message" });
  } finally {
    await pool.close();
  }
}, 60_000);

test("a body waits for the thread that reads no longer than a call may take", async () => {
  const { settings } = readSettings({ mode: "hosted", auth: "none", config_source: config }, {});
  // Less than a thread needs to start.
  const hasty = { ...settings, request_timeout_s: 0.001 };
  const data = { settings: hasty, environment: {}, configValue: {}, digest: "" };
  const pool = createPool(data, { workers: 1, queue: 1, memoryMb: 32 });
  try {
    const body = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await expect(pool.readEnvelope([body], reading)).rejects.toThrow(ReaderBusy);
  } finally {
    await pool.close();
  }
});

test("threads have half of the memory there is, each enough for the largest call and none more than it needs", () => {
  const gib = 1_073_741_824;
  expect(threadMemoryMb(1, gib)).toBe(256);
  expect(threadMemoryMb(1, 2 * gib)).toBe(512);
  expect(threadMemoryMb(3, 4 * gib)).toBe(512);
  expect(threadMemoryMb(1, 64 * gib)).toBe(1024);
  expect(threadMemoryMb(7, gib)).toBe(256);
});

test("no more threads start by default than half of the memory has room for", () => {
  const gib = 1_073_741_824;
  const cores = 16;
  expect(defaultWorkers(gib, cores)).toBe(1);
  expect(defaultWorkers(4 * gib, cores)).toBe(7);
  expect(defaultWorkers(64 * gib, cores)).toBe(15);
  expect(defaultWorkers(gib / 4, cores)).toBe(1);
  expect(defaultWorkers(64 * gib, 1)).toBe(1);
});

test("the memory there is, is that of the container or of the machine", () => {
  vi.spyOn(process, "constrainedMemory").mockReturnValueOnce(1_000_000).mockReturnValueOnce(0);
  expect(memoryLimit()).toBe(1_000_000);
  expect(memoryLimit()).toBe(totalmem());
  vi.spyOn(process, "constrainedMemory").mockReturnValue(2 ** 63);
  expect(memoryLimit()).toBe(totalmem());
  vi.restoreAllMocks();
});

test("a worker that waits for its next call has a running event loop, on which V8 frees memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "validator-mcp-idle-"));
  const sign = join(folder, "sign");
  const leavesSign = `*runStatement() { setTimeout(() => writeFileSync(${JSON.stringify(sign)}, ""), 100); }`;
  await writeFile(
    join(folder, "later.ts"),
    `import { writeFileSync } from "node:fs";${customCheckModule({ id: "later", run: leavesSign })}`,
  );
  const config_source = join(folder, "config.yaml");
  await writeFile(config_source, "custom_checks: [{ module: ./later.ts }]");
  const { pool, close } = await startPool({ workers: 1, queue: 1 }, config_source);
  try {
    const body = Buffer.from(JSON.stringify({ params: { arguments: { policies: [readOnly] } } }));
    const work = { caller: "alice", signal: AbortSignal.timeout(60_000) };
    await pool.validate({ body, maxResultBytes: 4_194_304 }, work);
    await expect.poll(() => existsSync(sign), { timeout: 20_000 }).toBe(true);
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
}, 60_000);
