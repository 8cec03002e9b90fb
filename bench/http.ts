/**
 * Processor time of the server per `tools/call`, over that of a Hono echo of the same body in the
 * same process. Figures of a shared machine vary; the ratio varies less.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "undici";
import { eras, readOnly, rpcRequest } from "../test/support/rpc.ts";

const connections = 16;
const rounds = 5;
const callsPerRound = 3_000;

type Request = ReturnType<typeof rpcRequest>;

export interface HttpFigures {
  readonly echo_us: number;
  /** By name of the call and protocol era. */
  readonly calls: Readonly<Record<string, { readonly cpu_us: number; readonly ratio: number }>>;
}

const calls: Record<string, [name: string, args: object]> = {
  validate_policies: ["validate_policies", { policies: [readOnly] }],
  query: ["query", { kind: "action_details", actions: ["s3:GetObject"] }],
};

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ cpu }] = await once(child, "message");
  return cpu.user + cpu.system;
}

async function load(url: string, { headers, body }: Request, count: number): Promise<void> {
  const dispatcher = new Agent({ connections });
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const answer = await request(url, { method: "POST", headers, body, dispatcher });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  await dispatcher.close();
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export async function benchHttp(): Promise<HttpFigures> {
  const child = fork(new URL("./http-server.ts", import.meta.url), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [urls] = await once(child, "message");
  const perCall = async (url: string, what: Request, count: number) => {
    const before = await cpuOf(child);
    await load(`${url}/mcp`, what, count);
    return ((await cpuOf(child)) - before) / count;
  };
  try {
    const named = Object.entries(calls).flatMap(([name, [tool, args]]) =>
      eras.map((era) => {
        const params = { name: tool, arguments: args };
        return { name: `${name} (${era})`, what: rpcRequest("tools/call", params, { era }) };
      }),
    );
    const [{ what: first } = { what: rpcRequest("tools/list") }] = named;
    const echoes: number[] = [];
    const figures = new Map(
      named.map(({ name }) => [name, { cpu: [] as number[], ratio: [] as number[] }]),
    );
    for (let round = -1; round < rounds; round += 1) {
      const echo = await perCall(urls.echo, first, callsPerRound);
      for (const { name, what } of named) {
        const cpu = await perCall(urls.server, what, callsPerRound);
        // The first round is for the compiler.
        if (round < 0) continue;
        figures.get(name)?.cpu.push(cpu);
        figures.get(name)?.ratio.push(cpu / echo);
      }
      if (round >= 0) echoes.push(echo);
    }
    return {
      echo_us: median(echoes),
      calls: Object.fromEntries(
        [...figures].map(([name, { cpu, ratio }]) => [
          name,
          { cpu_us: median(cpu), ratio: median(ratio) },
        ]),
      ),
    };
  } finally {
    child.kill();
  }
}

if (import.meta.main) {
  const { echo_us, calls: measured } = await benchHttp();
  console.log(`echo: ${echo_us.toFixed(0)} µs of processor time per request`);
  for (const [name, { cpu_us, ratio }] of Object.entries(measured)) {
    console.log(`${name}: ${cpu_us.toFixed(0)} µs per call, ${ratio.toFixed(1)} times the echo`);
  }
}
