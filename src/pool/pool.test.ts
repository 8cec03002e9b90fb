import { expect, test } from "vitest";
import { readSettings } from "../settings.ts";
import { startUp } from "../startup.ts";
import { createPool } from "./pool.ts";

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
