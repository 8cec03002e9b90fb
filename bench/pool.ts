import { readSettings } from "../src/settings.ts";
import { start } from "../src/startup.ts";
import { benign } from "./documents.ts";
import { inlinePool } from "./inline-pool.ts";
import { median } from "./measure.ts";
import type { Row, Section } from "./report.ts";

const sizes = [1, 4, 16, 32, 64, 128, 256].map((size) => size * 1024);

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** What a call costs on the event loop and in a worker, by size: where the line between them belongs. */
export async function poolSection(rounds = 15): Promise<Section> {
  const config = new URL("../examples/config.yaml", import.meta.url).pathname;
  const read = readSettings(
    { mode: "hosted", auth: "none", config_source: config, log_level: "error" },
    {},
  );
  const runtime = await start({ ...read, environment: {} });
  await runtime.warm;
  const inline = inlinePool(() => runtime);
  const work = { caller: "bench", signal: new AbortController().signal };
  const rows: Row[] = [];
  try {
    for (const bytes of sizes) {
      const policy = benign(bytes);
      const forms = { object: policy, "JSON text": JSON.stringify(policy, null, 2) };
      for (const [form, submitted] of Object.entries(forms)) {
        const task = {
          maxResultBytes: 4_194_304,
        };
        const message = JSON.stringify({ params: { arguments: { policies: [submitted] } } });
        // A body is transferred, so each call has its own.
        const body = () => Buffer.from(message);
        const taken = { inline: [] as number[], main: [] as number[], pooled: [] as number[] };
        for (let round = -3; round < rounds; round++) {
          let at = processCpuMs();
          await inline.validate({ ...task, body: body() }, work);
          const inlineMs = processCpuMs() - at;
          at = threadCpuMs();
          const all = processCpuMs();
          await runtime.pool.validate({ ...task, body: body() }, work);
          const mainMs = threadCpuMs() - at;
          const pooledMs = processCpuMs() - all;
          if (round < 0) continue;
          taken.inline.push(inlineMs);
          taken.main.push(mainMs);
          taken.pooled.push(pooledMs);
        }
        rows.push({
          size: `${bytes / 1024} KiB`,
          form,
          "event loop alone, ms": median(taken.inline),
          "pooled: event loop, ms": median(taken.main),
          "pooled: all threads, ms": median(taken.pooled),
        });
      }
    }
  } finally {
    await runtime.pool.close();
  }
  return {
    id: "pool",
    title: "Worker threads",
    about:
      "Processor time of one call of validate_policies on the event loop and in a worker: what the event loop still has to do, and what all threads do together.",
    tables: [{ title: "By size of the policy", rows }],
  };
}
