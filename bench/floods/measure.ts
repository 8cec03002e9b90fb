/** What another caller and the probes see while one attacker floods a server. */
import { Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import type { AttackPlan } from "../../test/support/attack-plan.ts";
import { readOnly, rpcRequest } from "../../test/support/rpc.ts";
import { startAttack } from "../../test/support/start-attack.ts";
import { percentile } from "../measure.ts";

export interface Flooded {
  readonly host: string;
  readonly port: number;
  /** Of the honest caller. */
  readonly token: string;
  /** Of the attacker. */
  readonly attackerToken: string;
  /** Of all processes of the server, in MB. */
  memoryMb(): number;
  isAlive(): boolean;
}

/** Answers of one kind of request. */
interface Asked {
  readonly ms: number[];
  answered: number;
  /** 503, or the tool error that asks the caller to come back. */
  refused: number;
  failed: number;
}

export interface FloodResult {
  readonly call: Asked;
  readonly health: Asked;
  readonly ready: Asked;
  readonly peakMb: number;
  readonly alive: boolean;
  /** What the prober's own process waited for its turn on the machine, p99 in ms. */
  readonly ownP99Ms: number;
  readonly attacker: Readonly<Record<string, number>>;
}

interface Answer {
  readonly ms: number;
  readonly status: number;
  readonly text: string;
}

const patienceMs = 20_000;

function ask(
  { host, port }: Flooded,
  options: { method: string; path: string; headers?: Record<string, string>; body?: string },
  agent: Agent | false,
): Promise<Answer> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const end = (status: number, text: string) =>
    resolve({ ms: performance.now() - started, status, text });
  const { body, ...rest } = options;
  const outgoing = request({ host, port, agent, timeout: patienceMs, ...rest }, (incoming) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (part: string) => {
      text += part;
    });
    incoming.on("error", () => end(0, ""));
    incoming.on("end", () => end(incoming.statusCode ?? 0, text));
  });
  outgoing.on("error", () => end(0, ""));
  outgoing.on("timeout", () => outgoing.destroy());
  outgoing.end(body);
  return promise;
}

/** Asks one after the other until the time is over. */
async function askFor(ms: number, everyMs: number, once: () => Promise<Answer>): Promise<Asked> {
  const asked: Asked = { ms: [], answered: 0, refused: 0, failed: 0 };
  for (const until = performance.now() + ms; performance.now() < until; await after(everyMs)) {
    const { ms: took, status, text } = await once();
    asked.ms.push(took);
    if (status === 503 || (status === 200 && text.includes('"isError":true'))) asked.refused++;
    else if (status === 200) asked.answered++;
    else asked.failed++;
  }
  return asked;
}

export async function flood(
  target: Flooded,
  plan: Omit<AttackPlan, "port" | "host">,
  seconds: number,
): Promise<FloodResult> {
  const { host, port, token } = target;
  const agent = new Agent({ keepAlive: true });
  const { headers, body } = rpcRequest(
    "tools/call",
    { name: "validate_policies", arguments: { policies: [readOnly] } },
    { token },
  );
  const mcp = {
    method: "POST",
    path: "/mcp",
    headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    body,
  };
  let peakMb = target.memoryMb();
  const memory = setInterval(() => {
    peakMb = Math.max(peakMb, target.memoryMb());
  }, 500);
  const attack = startAttack({ ...plan, host, port, token: plan.token ?? target.attackerToken });
  // The attacker's process has to start.
  await after(500);
  const own = monitorEventLoopDelay({ resolution: 5 });
  own.enable();
  const [call, health, ready] = await Promise.all([
    askFor(seconds * 1_000, 20, () => ask(target, mcp, agent)),
    // As an orchestrator asks: on a new connection each time.
    askFor(seconds * 1_000, 20, () => ask(target, { method: "GET", path: "/health" }, false)),
    askFor(seconds * 1_000, 20, () => ask(target, { method: "GET", path: "/ready" }, false)),
  ]);
  const ownP99Ms = own.percentile(99) / 1e6;
  clearInterval(memory);
  agent.destroy();
  const attacker = await attack.stop();
  return { call, health, ready, peakMb, alive: target.isAlive(), ownP99Ms, attacker };
}

export function rowOf(name: string, result: FloodResult) {
  const { call, health, ready } = result;
  return {
    flood: name,
    alive: result.alive ? "yes" : "NO",
    "calls answered / refused / failed": `${call.answered} / ${call.refused} / ${call.failed}`,
    "call p50, ms": percentile(call.ms, 50),
    "call p99, ms": percentile(call.ms, 99),
    "/health p99, ms": percentile(health.ms, 99),
    "/ready p99, ms": percentile(ready.ms, 99),
    "probes failed": health.failed + ready.failed,
    "prober's own p99, ms": result.ownP99Ms,
    "peak memory, MB": Math.round(result.peakMb),
    "attacker got": Object.entries(result.attacker)
      .map(([what, count]) => `${what}: ${count}`)
      .join(", "),
  };
}
