import { isJsonContentType } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import type { Authenticator, Caller, Refusal } from "./auth/caller.ts";
import { buildChallenge } from "./auth/challenge.ts";
import { metadataPaths, resourceMetadata } from "./auth/metadata.ts";
import { documentMaxAgeS, publicDocument } from "./auth/public-document.ts";
import { stepUpRefusal } from "./auth/required-scopes.ts";
import { logDefect } from "./defect.ts";
import { type DeferredBody, type ReadBody, readJson, type UnreadBody } from "./http/body.ts";
import { BodyRoom } from "./http/body-memory.ts";
import { openChannel } from "./http/channel.ts";
import { createGuard, type Guard } from "./http/guard.ts";
import { health, ready } from "./http/health.ts";
import type { Served } from "./http/node-server.ts";
import { Streams } from "./http/streams.ts";
import type { LoginRoutes } from "./login/routes.ts";
import type { Audit } from "./mcp/audit.ts";
import { type Catalogue, createCatalogue } from "./mcp/catalogue.ts";
import type { Components } from "./mcp/component.ts";
import { createMcpEndpoint } from "./mcp/handle-mcp.ts";
import type { ServerHost } from "./mcp/server-for.ts";
import { warmUpRequests } from "./mcp/warm-up.ts";
import { memoryLimit } from "./memory.ts";
import { type Observer, silentObserver } from "./metrics/observer.ts";
import { calledTool } from "./protocol/message.ts";
import { rpcCode, rpcError } from "./protocol/rpc-error.ts";
import type { Runtime } from "./runtime.ts";
import type { Tool } from "./tools/tool.ts";

/** Bodies up to this many times `max_request_bytes` are read, so that callers get a tool error and not a 413. */
const bodyFactor = 4;

/** A serverless platform fails above 6 MB; this leaves room for its own envelope. */
const serverlessResponseBytes = 5.5 * 1_048_576;

/** Left of the platform's time for writing the answer. */
const platformMarginMs = 500;

/** What the platform adds to a request; empty for a plain HTTP server. */
export interface Bindings {
  /** The untouched function event, for `gateway`. */
  readonly event?: unknown;
  readonly lambdaContext?: { getRemainingTimeInMillis(): number };
}

export interface AppOptions {
  readonly runtime: Runtime;
  readonly authenticator: Authenticator;
  /** Where people log in; absent: nowhere here. */
  readonly login?: LoginRoutes | undefined;
  readonly tools: readonly Tool[];
  readonly components: Components;
  /** What a client is told when it connects, by what its caller can see. */
  readonly instructions: ServerHost["instructions"];
  readonly audit: Audit;
  /** Absent: nothing is counted. */
  readonly observer?: Observer;
  /** One JSON body per request, no streams, no address of its own to guard. */
  readonly serverless?: boolean;
}

/** The server without a socket. */
export interface App extends Served {
  fetch(request: Request, bindings?: object): Response | Promise<Response>;
  /** Runs the protocol's cold code once, so that no caller waits for it. Nothing is audited. */
  warmUp(): Promise<void>;
}

export function createApp(options: AppOptions): App {
  const { runtime, authenticator, serverless = false, observer = silentObserver } = options;
  const { settings } = runtime;
  const catalogue = createCatalogue(options.tools, options.components, settings.profile);
  const streams = serverless ? undefined : new Streams(settings.max_streams);
  const maxResultBytes = serverless
    ? Math.min(settings.max_response_bytes, serverlessResponseBytes)
    : settings.max_response_bytes;
  const endpoint = createMcpEndpoint(
    {
      runtime,
      audit: options.audit,
      observer,
      maxResultBytes,
      instructions: options.instructions,
      listsArePublic: authenticator.provider === "none",
    },
    catalogue,
    streams,
  );
  const guarded = {
    host: serverless ? undefined : settings.host,
    allowedOrigins: settings.allowed_origins,
    allowedHosts: settings.allowed_hosts,
  };
  const guard = createGuard(guarded);
  const running = new Set<AbortController>();
  const bodyLimit = bodyFactor * settings.max_request_bytes;
  // Room for as many of the largest calls as may wait for a worker, as far as there is memory for them.
  const room = new BodyRoom(
    Math.max(
      bodyLimit,
      Math.min(settings.max_queued_calls * settings.max_request_bytes, memoryLimit() / 8),
    ),
  );

  const refused = (refusal: Refusal): Response => {
    observer.refusal(refusal.kind);
    const { status, headers, body } = buildChallenge(refusal, authenticator);
    return body
      ? Response.json(body, { status, headers: { ...headers } })
      : new Response(null, { status, headers: { ...headers } });
  };

  const post = async (request: Request, caller: Caller, bindings: Bindings): Promise<Response> => {
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return rpcError(415, rpcCode.invalidRequest, "Content-Type must be application/json");
    }
    const body = await readJson(request, bodyLimit, runtime.pool, room);
    if (!("message" in body)) {
      if (body.kind === "too_large" || body.kind === "too_many_values") {
        observer.limit("transport_body");
      }
      if (body.kind === "busy") observer.limit("worker_queue");
      return bodyRefused(body.kind, bodyLimit);
    }
    observer.request(body.bytes);
    try {
      return await answer(request, body, caller, bindings);
    } finally {
      if (body.kind === "deferred") body.giveBack();
    }
  };

  const answer = async (
    request: Request,
    body: ReadBody | DeferredBody,
    caller: Caller,
    bindings: Bindings,
  ): Promise<Response> => {
    const { message, bytes } = body;
    const stepUp = authenticator.stepUp
      ? missingScope(catalogue, caller, message, authenticator.requiredScopes)
      : undefined;
    if (stepUp) return refused(stepUp);

    const remainingMs = bindings.lambdaContext?.getRemainingTimeInMillis();
    const controller = new AbortController();
    const onAbort = () => controller.abort();
    request.signal.addEventListener("abort", onAbort);
    if (request.signal.aborted) onAbort();
    running.add(controller);
    try {
      return await endpoint.handle({
        request,
        message,
        bytes,
        deferred: body.kind === "deferred" ? body : undefined,
        caller,
        signal: controller.signal,
        remainingMs: remainingMs && remainingMs - platformMarginMs,
      });
    } finally {
      running.delete(controller);
      request.signal.removeEventListener("abort", onAbort);
    }
  };

  const app = new Hono<{ Bindings: Bindings }>();
  const methods = streams ? ["GET", "POST"] : ["POST"];

  app.get("/health", (c) => c.json(health(runtime), 200, { "cache-control": "no-store" }));
  app.get("/ready", (c) => {
    const payload = ready(runtime);
    const status = payload.status === "ready" ? 200 : 503;
    return c.json(payload, status, { "cache-control": "no-store" });
  });
  app.all("/mcp", async (c) => {
    const request = c.req.raw;
    const { headers, method } = request;
    const turnedAway = guard(request);
    if (turnedAway) {
      observer.refusal(turnedAway.status === 421 ? "host" : "origin");
      return turnedAway;
    }
    if (!methods.includes(method)) return methodNotAllowed(methods);
    const authenticated = await authenticator.authenticate({ headers, event: c.env?.event });
    if ("refusal" in authenticated) return refused(authenticated.refusal);
    if (!streams || method !== "GET") return post(request, authenticated.caller, c.env ?? {});
    const channel = openChannel(streams, headers);
    if (channel.status === 503) observer.limit("max_streams");
    return channel;
  });
  const metadata = resourceMetadata(authenticator);
  if (metadata && authenticator.metadata) {
    for (const path of metadataPaths(authenticator.metadata)) {
      const maxAgeS = options.login && documentMaxAgeS;
      app.all(path, (c) => publicDocument(c.req.raw.method, metadata, maxAgeS));
    }
  }
  if (options.login) mountLogin(app, options.login, createGuard({ ...guarded, anyOrigin: true }));
  app.notFound((c) => c.json({ error: "not_found" }, 404));
  app.onError((error) => {
    const id = logDefect(runtime.log, error, { where: "request" });
    return rpcError(500, rpcCode.internalError, `Internal error; see ${id} in the log`);
  });

  return {
    fetch: (request, bindings) => app.fetch(request, bindings),
    warmUp: () => warmUpRequests(endpoint),
    endStreams: () => streams?.end(),
    async close() {
      streams?.end();
      for (const controller of running) controller.abort();
      await endpoint.close();
    },
  };
}

/** A page of another site must not reach the login under a host name of its own (DNS rebinding). */
function mountLogin(app: Hono<{ Bindings: Bindings }>, login: LoginRoutes, guard: Guard): void {
  for (const path of login.browserPaths) {
    app.use(path, async (c, next) => guard(c.req.raw) ?? (await next()));
  }
  app.route("/", login.app);
}

function bodyRefused(kind: UnreadBody["kind"], limit: number): Response {
  switch (kind) {
    case "too_large":
      return rpcError(413, rpcCode.invalidRequest, `The body is over ${limit} bytes`);
    case "too_many_values":
      return rpcError(413, rpcCode.invalidRequest, "The body has too many values");
    case "invalid":
      return rpcError(400, rpcCode.parseError, "The body is not JSON", { id: null });
    case "batch":
      return rpcError(400, rpcCode.invalidRequest, "One message per request: batches are refused", {
        id: null,
      });
    case "busy":
      return rpcError(503, rpcCode.internalError, "Too many large requests at once", {
        id: null,
        headers: { "retry-after": "1" },
      });
  }
}

function methodNotAllowed(allowed: readonly string[]): Response {
  return rpcError(405, rpcCode.invalidRequest, "Method not allowed", {
    headers: { allow: allowed.join(", ") },
  });
}

/** For operators whose clients can ask for more scopes: a hidden tool is no secret then. */
function missingScope(
  catalogue: Catalogue,
  caller: Caller,
  message: unknown,
  required: readonly string[],
): Refusal | undefined {
  const name = calledTool(message);
  if (name === undefined) return undefined;
  const scope = catalogue.scopeOf(name);
  return scope === undefined || caller.may(scope)
    ? undefined
    : stepUpRefusal(name, scope, required);
}
