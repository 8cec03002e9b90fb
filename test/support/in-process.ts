import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { type App, createApp } from "../../src/app.ts";
import { createAuthentication } from "../../src/authentication.ts";
import { createNodeServer } from "../../src/http/node-server.ts";
import type { LineSink } from "../../src/mcp/audit.ts";
import { createAudit } from "../../src/mcp/audit.ts";
import { components } from "../../src/mcp/components.ts";
import { instructionsFor } from "../../src/mcp/instructions.ts";
import type { LoginObserver, Observer } from "../../src/metrics/observer.ts";
import type { Runtime } from "../../src/runtime.ts";
import { readSettings } from "../../src/settings.ts";
import { start } from "../../src/startup.ts";
import { tools } from "../../src/tools/index.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { Lines } from "./lines.ts";
import { hostedFlags, type Target, type TargetOptions } from "./target.ts";

export interface InProcessOptions extends TargetOptions {
  /** Tools beside the real ones. */
  readonly extraTools?: readonly Tool[];
  /** Another server's, to start a second one on cheaply; it keeps its log and its settings. */
  readonly runtime?: Runtime;
  /** Changes the runtime before the app sees it. */
  readonly adjust?: (runtime: Runtime) => Runtime;
  /** Stands in for standard output. */
  readonly sink?: LineSink;
  readonly serverless?: boolean;
  /** False: the server listens while its reference data loads. */
  readonly awaitData?: boolean;
  /** Counts what the metrics would. */
  readonly observer?: Observer;
  /** Counts what the metrics would of the login. */
  readonly loginObserver?: LoginObserver;
  /** Unix time in ms for authentication. */
  readonly now?: () => number;
}

/** A target in this process: all that is real but the process, with the inside in reach. */
export interface InProcess extends Target {
  readonly runtime: Runtime;
  readonly app: App;
  readonly server: Server;
  drain(boundMs: number): Promise<void>;
}

/** @returns a real runtime whose log goes to the lines. */
async function runtimeFixture(
  { flags, environment = {} }: TargetOptions = {},
  log = new Lines(),
): Promise<Runtime> {
  const read = readSettings(hostedFlags(flags), environment);
  const logger = pino(
    { level: "debug", base: null },
    { write: (line: string) => log.push(line.trimEnd()) },
  );
  return start({ ...read, environment, log: logger });
}

/** Starts a server on a free port of this machine; unless told otherwise its reference data is loaded. */
export async function startInProcess(options: InProcessOptions = {}): Promise<InProcess> {
  const log = new Lines();
  const audit = new Lines();
  const given = options.runtime ?? (await runtimeFixture(options, log));
  if (options.awaitData ?? true) await given.ready;
  const runtime = options.adjust?.(given) ?? given;
  const { settings } = runtime;
  const { authenticator, login } = await createAuthentication({
    auth: settings.auth,
    explicit: true,
    mode: "hosted",
    serverless: options.serverless ?? false,
    environment: options.environment ?? {},
    log: runtime.log,
    ...(options.loginObserver && { observer: options.loginObserver }),
    ...(options.now && { now: options.now }),
  });
  const app = createApp({
    runtime,
    authenticator,
    login,
    tools: [...tools, ...(options.extraTools ?? [])],
    components,
    instructions: instructionsFor(runtime),
    audit: createAudit(options.sink ?? ((line) => audit.push(line)), runtime.log),
    serverless: options.serverless ?? false,
    ...(options.observer && { observer: options.observer }),
  });
  const { server, drain } = createNodeServer(app, {
    requestTimeoutS: settings.request_timeout_s,
    maxStreams: settings.max_streams,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    audit,
    log,
    runtime,
    app,
    server,
    drain,
    stop: () => drain(0),
  };
}
