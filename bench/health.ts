import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import { percentile } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { type BenchServer, type ServerKind, startServer } from "./servers.ts";

const largestBody = 8 * 1_048_576;
/** Of policies of the cheapest text: more has more values than a body may. */
const mostOfEmptyStatements = 750 * 1024;
const clients = 16;
const probeEveryMs = 10;

/** One GET of `/health`. @returns how long it took, in ms. */
async function probe(port: number, agent: Agent): Promise<number> {
  const started = performance.now();
  const outgoing = request({ port, host: "127.0.0.1", path: "/health", agent });
  outgoing.end();
  const [incoming] = await once(outgoing, "response");
  incoming.resume();
  await once(incoming, "end");
  return performance.now() - started;
}

async function probeFor(server: BenchServer, seconds: number) {
  const agent = new Agent({ keepAlive: true });
  // What this process itself waits for its turn on the machine; no probe can be quicker than that.
  const own = monitorEventLoopDelay({ resolution: 5 });
  own.enable();
  await server.figures("reset");
  const taken: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    taken.push(await probe(server.port, agent));
    await after(probeEveryMs);
  }
  agent.destroy();
  const { loopDelayP99Ms, loopDelayMaxMs, rssMb } = await server.figures();
  return {
    probes: taken.length,
    "p50, ms": percentile(taken, 50),
    "p99, ms": percentile(taken, 99),
    "max, ms": Math.max(...taken),
    "server loop p99, ms": loopDelayP99Ms,
    "server loop max, ms": loopDelayMaxMs,
    "prober loop p99, ms": own.percentile(99) / 1e6,
    "RSS, MB": rssMb,
  };
}

async function underLoad(
  kind: ServerKind,
  family: string,
  seconds: number,
  bytes = largestBody,
): Promise<Row> {
  const server = await startServer(kind);
  const load = fork(new URL("./children/load.ts", import.meta.url), [
    String(server.port),
    String(clients),
    family,
    String(bytes),
  ]);
  try {
    await once(load, "message");
    await after(1_000);
    const probes = await probeFor(server, seconds);
    load.send("outcomes");
    const [{ answered, shed, refused, failed }] = await once(load, "message");
    return {
      server: kind === "inline" ? "all on the event loop" : "with workers",
      load: `${family}, ${bytes / 1024} KiB`,
      ...probes,
      "answered / shed / refused / failed": `${answered} / ${shed} / ${refused} / ${failed}`,
    };
  } finally {
    load.kill("SIGKILL");
    await server.stop();
  }
}

/** `/health` while clients send the largest requests allowed, with and without worker threads. */
export async function healthSection(seconds = 5): Promise<Section> {
  const idle = await startServer("product");
  const rows: Row[] = [
    {
      server: "with workers",
      load: "none",
      ...(await probeFor(idle, 2)),
      "answered / shed / refused / failed": "",
    },
  ];
  await idle.stop();
  for (const family of ["benign", "20 unknown actions per statement"]) {
    rows.push(await underLoad("product", family, seconds));
  }
  // The most findings there are; of these a body of the largest size has too many values, and is refused once it is read.
  rows.push(await underLoad("product", "empty statements", seconds, mostOfEmptyStatements));
  rows.push(await underLoad("product", "empty statements", seconds));
  // Just small enough to be validated on the event loop.
  rows.push(await underLoad("product", "benign", seconds, 16 * 1024 - 512));
  rows.push(await underLoad("inline", "benign", seconds));
  return {
    id: "health",
    title: "/health under load",
    about: `${clients} clients send requests of the given size without a break; every ${probeEveryMs} ms one probe.`,
    tables: [{ title: "Goal: p99 < 50 ms with workers", rows }],
  };
}
