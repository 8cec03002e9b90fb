import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { createApp } from "./app.ts";
import { createAuthentication } from "./authentication.ts";
import { logDefect } from "./defect.ts";
import { StartupError } from "./errors.ts";
import { createNodeServer, type NodeServer } from "./http/node-server.ts";
import { createAudit, standardOutput } from "./mcp/audit.ts";
import { components } from "./mcp/components.ts";
import { instructionsFor } from "./mcp/instructions.ts";
import { type LoginObserver, type Observer, silentObserver } from "./metrics/observer.ts";
import type { Runtime } from "./runtime.ts";
import { type StartOptions, start } from "./startup.ts";
import { tools } from "./tools/index.ts";

/**
 * Connections that may wait to be accepted, if the system's limit is not lower. The system drops further ones, and
 * their clients retry after a second, also well-behaved clients during a flood.
 */
const backlog = 4_096;
/**
 * How much larger than after its last full collection the heap of a thread may become before the next, in percent. By default V8
 * doubles it where much memory is free; this takes 15 MB less, for twice the full collections of a worker.
 */
const heapGrowthPercent = 25;
/** Time for running calls to finish after a signal to stop. */
const drainMs = 10_000;

/**
 * Runs the hosted server until a signal: SIGTERM or SIGINT drains it and exits with 0, a second one
 * exits immediately. Standard output contains only audit records.
 * @throws {StartupError} Says what the operator must fix.
 */
export async function serve(options: StartOptions): Promise<void> {
  const { settings, authExplicit, environment } = options;
  // For all threads. Node has no option of it that a process can set for itself.
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  const runtime = await start({ ...options, warmThreads: true });
  const observer = await startMetrics(runtime);
  const { authenticator, login } = await createAuthentication({
    auth: settings.auth,
    explicit: authExplicit,
    mode: settings.mode,
    unknownNames: settings.unknown_names,
    serverless: false,
    environment,
    log: runtime.log,
    observer,
    defaultBaseUrl: settings.port === 0 ? undefined : urlOf(settings.host, settings.port),
  });
  const app = createApp({
    runtime,
    authenticator,
    login,
    tools,
    components,
    instructions: instructionsFor(runtime),
    audit: createAudit(standardOutput(), runtime.log),
    observer,
  });
  const http = createNodeServer(app, {
    requestTimeoutS: settings.request_timeout_s,
    maxStreams: settings.max_streams,
    onCut: logClosed(runtime, observer),
  });
  stopOnSignals(runtime, http);
  dieQuietly(runtime);
  await listen(http.server, runtime);
  await app.warmUp();
  await runtime.ready.catch(() => stop(runtime, http, 1));
  runtime.log.info(startFields(runtime), "Ready.");
}

/** What an operator compares between replicas and releases. No path, address or secret is in it. */
function startFields({ version, digest, configSource, settings, services }: Runtime): object {
  const { auth, profile, max_policies, max_policy_bytes, max_request_bytes } = settings;
  const { max_response_bytes, request_timeout_s, max_calls_per_caller } = settings;
  return {
    version,
    config_digest: digest,
    config: configSource,
    auth,
    profile,
    reference_data: { source: services.source, date: services.date },
    limits: {
      max_policies,
      max_policy_bytes,
      max_request_bytes,
      max_response_bytes,
      request_timeout_s,
      max_calls_per_caller,
    },
  };
}

/** Starts the metrics endpoint if a port is configured. */
async function startMetrics({
  settings,
  version,
  pool,
  services,
  log,
}: Runtime): Promise<Observer & LoginObserver> {
  const { host, metrics_port: port } = settings;
  if (port === undefined) return silentObserver;
  const { createMetrics } = await import("./metrics/metrics.ts");
  const { listenForMetrics } = await import("./metrics/server.ts");
  const metrics = await createMetrics({
    version,
    pool: () => pool.figures(),
    dataDate: () => services.date,
    now: Date.now,
  });
  const server = await listenForMetrics(metrics, { host, port });
  const url = `${urlOf(host, portOf(server))}/metrics`;
  log.info({ url }, `Metrics on ${url}`);
  return metrics;
}

/** Logs closed connections at most once a minute, so that a flood of connections does not flood the log. */
function logClosed({ log }: Runtime, observer: Observer): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return () => {
    observer.limit("connections");
    if (performance.now() - loggedAt < 60_000) return;
    loggedAt = performance.now();
    log.warn("Too many connections: unused ones are closed for new ones.");
  };
}

const wrongHost =
  "; --host / VALIDATOR_MCP_HOST must be an address of this machine, without scheme, port and brackets, or 0.0.0.0 for all";

/** What the operator changes, by the error code of `listen`. */
const listenFixes: Readonly<Record<string, string>> = {
  EADDRINUSE: "; another process uses this port: stop it, or set --port / VALIDATOR_MCP_PORT",
  EACCES: "; this port needs privileges: set --port / VALIDATOR_MCP_PORT to one from 1024",
  EADDRNOTAVAIL: wrongHost,
  ENOTFOUND: wrongHost,
  EAI_AGAIN: wrongHost,
};

async function listen(server: Server, { settings, log }: Runtime): Promise<void> {
  const { host, port, auth, allowed_hosts } = settings;
  try {
    server.listen({ host, port, backlog });
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const fix = listenFixes[code] ?? "";
    throw new StartupError("listen", `cannot listen on ${urlOf(host, port)}: ${code}${fix}.`);
  }
  const url = urlOf(host, portOf(server));
  const loopback = /^(localhost|127\.|::1$)/.test(host);
  if (!loopback && auth === "none" && !allowed_hosts?.length) {
    log.warn(
      "Anyone who can reach this address can call the server, also web pages whose domain resolves to it (DNS rebinding). Set a provider with --auth, or the accepted hosts in VALIDATOR_MCP_ALLOWED_HOSTS.",
    );
  }
  log.info(
    { url: `${url}/mcp` },
    `Listening on ${url}/mcp${loopback ? " (this machine only; set VALIDATOR_MCP_HOST=0.0.0.0 to accept other machines)" : ""}. Try: curl ${url}/ready`,
  );
}

function stopOnSignals(runtime: Runtime, http: NodeServer): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      runtime.log.info({ signal }, "Stopping: waiting for running calls to finish.");
      void stop(runtime, http, 0);
    });
  }
}

/** Ends the process after an uncaught exception without Node's output, which could quote a policy. */
function dieQuietly({ log }: Runtime): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      logDefect(log, error, { where: event });
      process.exit(1);
    });
  }
}

async function stop(runtime: Runtime, http: NodeServer, code: number): Promise<never> {
  await http.drain(drainMs);
  runtime.log.info("Stopped.");
  process.exit(code);
}

function portOf(server: Server): number {
  // A listening TCP server has an address of this form.
  return (server.address() as AddressInfo).port;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
