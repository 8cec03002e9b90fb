import { totalmem } from "node:os";
import { expect, test, vi } from "vitest";
import { memoryLimit } from "../memory.ts";
import { readSettings } from "../settings.ts";
import { startUp } from "../startup.ts";
import { createPool, threadMemoryMb } from "./pool.ts";

const config = new URL("../../test/support/config/plain.yaml", import.meta.url).pathname;

test("a call that needs more memory than a worker has is a tool error, and the next one is answered", async () => {
  const { settings, authExplicit } = readSettings(
    { mode: "hosted", transport: "http", auth: "none", config_source: config, log_level: "error" },
    {},
  );
  const { runtime, configValue } = await startUp({ settings, authExplicit, environment: {} });
  const data = { settings, environment: {}, configValue, digest: runtime.digest };
  const pool = createPool(data, { workers: 1, queue: 1, memoryMb: 96 });
  const validate = (policies: readonly object[]) =>
    pool.validate(
      { args: { policies, format: "html" }, maxResultBytes: 4_194_304 },
      AbortSignal.timeout(60_000),
    );
  try {
    // Three findings on each, with all their details.
    const statements = Array.from({ length: 200_000 }, () => ({}));
    await expect(validate([{ Statement: statements }])).rejects.toMatchObject({
      kind: "request_too_large",
      message: expect.stringContaining("memory"),
    });
    expect(await validate([{ Statement: [] }])).toMatchObject({ kind: "done" });
  } finally {
    await pool.close();
    await runtime.pool.close();
  }
}, 60_000);

test("threads have half of the memory there is, each enough for the largest call and none more than it needs", () => {
  const gib = 1_073_741_824;
  expect(threadMemoryMb(1, gib)).toBe(256);
  expect(threadMemoryMb(1, 2 * gib)).toBe(512);
  expect(threadMemoryMb(3, 4 * gib)).toBe(512);
  expect(threadMemoryMb(1, 64 * gib)).toBe(1024);
  expect(threadMemoryMb(7, gib)).toBe(256);
});

test("the memory there is, is that of the container or of the machine", () => {
  vi.spyOn(process, "constrainedMemory").mockReturnValueOnce(1_000_000).mockReturnValueOnce(0);
  expect(memoryLimit()).toBe(1_000_000);
  expect(memoryLimit()).toBe(totalmem());
  vi.spyOn(process, "constrainedMemory").mockReturnValue(2 ** 63);
  expect(memoryLimit()).toBe(totalmem());
  vi.restoreAllMocks();
});
