import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { type Era, rpcRequest } from "../test/support/rpc.ts";

export type ServerKind = "product" | "inline" | "echo" | "asking-echo";

interface ServerFigures {
  /** Processor time since the start, all threads. */
  readonly cpuS: number;
  /** Processor time of the thread with the event loop. */
  readonly mainCpuS: number;
  readonly rssMb: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
}

/** A request ready to be sent, again and again. */
export interface Prepared {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface BenchServer {
  readonly port: number;
  /** @param ask `collect` collects garbage first, `reset` starts the measuring of delays anew. */
  figures(ask?: "collect" | "reset"): Promise<ServerFigures>;
  /** @returns the result of a call in the newest revision. */
  rpc(method: string, params?: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export function prepared(method: string, params: object, era: Era): Prepared {
  const { headers, body } = rpcRequest(method, params, { era });
  const bytes = Buffer.from(body);
  return { headers: { ...headers, "content-length": String(bytes.length) }, body: bytes };
}

function answerOf(child: ChildProcess): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onEnd = (code: number | null) => reject(new Error(`The server ended with ${code}.`));
  child.once("exit", onEnd);
  child.once("message", (message) => {
    child.removeListener("exit", onEnd);
    resolve(message);
  });
  return promise;
}

export async function startServer(
  kind: ServerKind,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const child = fork(new URL("./children/server.ts", import.meta.url), [kind], {
    execArgv: ["--expose-gc"],
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // The child's own messages, beside this module.
  const { port } = (await answerOf(child)) as { port: number };
  const agent = new Agent({ keepAlive: true });
  return {
    port,
    async figures(ask) {
      child.send(ask ?? "figures");
      return (await answerOf(child)) as ServerFigures;
    },
    async rpc(method, params = {}) {
      const text = await send(port, prepared(method, params, "2026"), agent);
      return (JSON.parse(text) as { result: Record<string, unknown> }).result;
    },
    async stop() {
      agent.destroy();
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

/** One POST to `/mcp`. @returns the body of the answer. @throws {Error} When the status is not 200. */
export function send(port: number, { headers, body }: Prepared, agent: Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { port, host: "127.0.0.1", path: "/mcp", method: "POST", headers, agent };
  const outgoing = request(options, (incoming) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("error", reject);
    incoming.on("end", () => {
      const text = Buffer.concat(parts).toString();
      if (incoming.statusCode === 200) resolve(text);
      else reject(new Error(`${incoming.statusCode}: ${text.slice(0, 300)}`));
    });
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}

/** Sends a request so many times over so many connections, each busy all the time. */
export async function sendMany(
  port: number,
  one: Prepared,
  { count, connections }: { readonly count: number; readonly connections: number },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = count;
  const client = async () => {
    while (left-- > 0) await send(port, one, agent);
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
}
