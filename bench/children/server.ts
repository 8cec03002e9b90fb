/**
 * A server of the bench in a separate process; its parent asks for its figures over IPC.
 * `product`: the real one. `inline`: the same without worker threads, all on the event loop.
 * `echo`: Hono giving back the JSON it gets, which is the least a server can do.
 * `asking-echo`: the same, after it asked AWS what it thinks of the policy.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createApp } from "../../src/app.ts";
import { createAuthenticator } from "../../src/auth/create.ts";
import { createNodeServer } from "../../src/http/node-server.ts";
import { createAudit, standardOutput } from "../../src/mcp/audit.ts";
import { components } from "../../src/mcp/components.ts";
import { instructionsFor } from "../../src/mcp/instructions.ts";
import type { Runtime } from "../../src/runtime.ts";
import { readSettings } from "../../src/settings.ts";
import { start } from "../../src/startup.ts";
import { tools } from "../../src/tools/index.ts";
import { inlinePool } from "../inline-pool.ts";
import type { ServerKind } from "../servers.ts";

async function productServer(inline: boolean) {
  const config = new URL("../../examples/config.yaml", import.meta.url).pathname;
  const read = readSettings(
    { mode: "hosted", auth: "none", config_source: config, port: "0", log_level: "warn" },
    { VALIDATOR_MCP_ANALYZE_RATE_LIMIT: "0" },
  );
  const started = await start({ ...read, environment: process.env });
  const runtime: Runtime = inline ? { ...started, pool: inlinePool(() => runtime) } : started;
  const { settings, log } = runtime;
  const authenticator = await createAuthenticator({
    auth: settings.auth,
    explicit: true,
    mode: "hosted",
    serverless: false,
    environment: {},
    log,
  });
  const app = createApp({
    runtime,
    authenticator,
    tools,
    components,
    instructions: instructionsFor(runtime),
    audit: createAudit(standardOutput(), log),
  });
  const { server } = createNodeServer(app, {
    requestTimeoutS: settings.request_timeout_s,
    maxStreams: settings.max_streams,
  });
  await app.warmUp();
  await runtime.ready;
  return server;
}

function echoServer(ask: (body: unknown) => Promise<void> = async () => {}) {
  const app = new Hono();
  app.get("/health", (c) => c.json({ status: "ok" }));
  app.post("/mcp", async (c) => {
    const body: unknown = await c.req.json();
    await ask(body);
    return c.json(body);
  });
  return createServer(getRequestListener(app.fetch));
}

async function askingEchoServer() {
  const { AccessAnalyzerClient, ValidatePolicyCommand } = await import(
    "@aws-sdk/client-accessanalyzer"
  );
  const client = new AccessAnalyzerClient({});
  return echoServer(async (body) => {
    const { params } = body as { params: { arguments: { policy: unknown } } };
    const policyDocument = JSON.stringify(params.arguments.policy);
    await client.send(new ValidatePolicyCommand({ policyDocument, policyType: "IDENTITY_POLICY" }));
  });
}

const servers: Readonly<Record<ServerKind, () => Server | Promise<Server>>> = {
  product: () => productServer(false),
  inline: () => productServer(true),
  echo: () => echoServer(),
  "asking-echo": askingEchoServer,
};
// The parent names one of these.
const server = await servers[process.argv[2] as ServerKind]();
server.listen(0, "127.0.0.1");
await once(server, "listening");

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("message", (ask) => {
  if (ask === "collect") globalThis.gc?.();
  if (ask === "reset") delay.reset();
  const all = process.cpuUsage();
  const main = process.threadCpuUsage();
  process.send?.({
    cpuS: (all.user + all.system) / 1e6,
    mainCpuS: (main.user + main.system) / 1e6,
    rssMb: process.memoryUsage.rss() / 1e6,
    loopDelayP99Ms: delay.percentile(99) / 1e6,
    loopDelayMaxMs: delay.max / 1e6,
  });
});
process.on("disconnect", () => process.exit());
// A listening TCP server has an address of this form.
process.send?.({ port: (server.address() as AddressInfo).port });
