/**
 * Runs inside the container image: starts the server again and again, beside an HTTP server that does
 * nothing, and times process start to the first answers. Prints one JSON object.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";

const port = 8_123;
const cli = "/app/node_modules/validator-mcp/dist/bundle/cli.js";
const empty = `require("node:http").createServer((_, r) => r.end("{}")).listen(${port}, "127.0.0.1")`;
const subjects: Readonly<Record<string, readonly string[]>> = {
  empty: ["--eval", empty],
  product: [cli, "serve", "--host", "127.0.0.1", "--port", String(port)],
};
const runs = Number(process.env.RUNS ?? 15);

/** @returns the status; 0: the port is closed. */
function statusOf(path: string, body?: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ port, host: "127.0.0.1", path, method, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
}

async function untilOk(path: string): Promise<void> {
  while ((await statusOf(path)) !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const call = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "validate_policies",
    arguments: {
      policies: ['{"Statement":{"Effect":"Allow","Action":"s3:Get*","Resource":"*"}}'],
    },
  },
});

/** Ms from process start. */
interface Run {
  readonly health: number;
  readonly ready: number;
  readonly answer: number;
}

async function coldRun(args: readonly string[]): Promise<Run> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const at = () => performance.now() - started;
  await untilOk("/health");
  const health = at();
  await untilOk("/ready");
  const ready = at();
  const status = await statusOf("/mcp", call);
  const answer = at();
  if (status !== 200) throw new Error(`not answered: ${status}`);
  child.kill("SIGKILL");
  await once(child, "close");
  return { health, ready, answer };
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

const taken = new Map<string, Run[]>(Object.keys(subjects).map((name) => [name, []]));
// Interleaved, so that what else the machine does hits both alike; the first round fills the page cache.
for (let turn = -1; turn < runs; turn += 1) {
  for (const [name, args] of Object.entries(subjects)) {
    const run = await coldRun(args);
    if (turn >= 0) taken.get(name)?.push(run);
  }
}
const report = Object.fromEntries(
  [...taken].map(([name, list]) => [
    name,
    {
      health_ms: median(list.map(({ health }) => health)),
      ready_ms: median(list.map(({ ready }) => ready)),
      answer_ms: median(list.map(({ answer }) => answer)),
    },
  ]),
);
process.stdout.write(`${JSON.stringify(report)}\n`);
