import { Hono } from "hono";
import type { Authenticator, Caller, Refusal } from "./auth/caller.ts";
import { buildChallenge } from "./auth/challenge.ts";
import { ProviderCrowded } from "./auth/key-source.ts";
import { metadataPaths, resourceMetadata } from "./auth/metadata.ts";
import { documentMaxAgeS, publicDocument } from "./auth/public-document.ts";
import { logDefect } from "./defect.ts";
import { accessLog } from "./http/access-log.ts";
import { networkOf } from "./http/address.ts";
import { idIn } from "./http/body.ts";
import { openChannel } from "./http/channel.ts";
import { createCors } from "./http/cors.ts";
import { createGuard, type Guard } from "./http/guard.ts";
import { health, ready } from "./http/health.ts";
import type { Served } from "./http/node-server.ts";
import { RefusalLog } from "./http/refusal-log.ts";
import type { RefusalReason } from "./http/refusal-reason.ts";
import type { AnsweredRequest } from "./http/request-fields.ts";
import { Streams } from "./http/streams.ts";
import { Throttle } from "./http/throttle.ts";
import type { LoginRoutes } from "./login/routes.ts";
import type { Audit } from "./mcp/audit.ts";
import { createCatalogue } from "./mcp/catalogue.ts";
import type { Components } from "./mcp/component.ts";
import { createMcpEndpoint } from "./mcp/handle-mcp.ts";
import type { ServerHost } from "./mcp/server-for.ts";
import { ToollessCallers } from "./mcp/toolless-callers.ts";
import { warmUpRequests } from "./mcp/warm-up.ts";
import { type Observer, silentObserver } from "./metrics/observer.ts";
import { type Bindings, busy, createPost, turnKeyOf } from "./post.ts";
import { rpcCode, rpcError } from "./protocol/rpc-error.ts";
import type { Runtime } from "./runtime.ts";
import type { Tool } from "./tools/tool.ts";

/** Lambda rejects responses above 6 MB; the rest is for its envelope. */
const serverlessResponseBytes = 5.5 * 1_048_576;

/** Behind a proxy, all callers without a valid token share one address, so hundreds a second are not delayed. */
const refusalThrottle = { everyMs: 2, mostMs: 250 };

export interface AppOptions {
  readonly runtime: Runtime;
  readonly authenticator: Authenticator;
  /** Absent: login is off. */
  readonly login?: LoginRoutes | undefined;
  readonly tools: readonly Tool[];
  readonly components: Components;
  /** The instructions for a client, by the tools that its caller can see. */
  readonly instructions: ServerHost["instructions"];
  readonly audit: Audit;
  /** Absent: no metrics. */
  readonly observer?: Observer;
  /** AWS Lambda: one JSON body per response, no streams, no check of Host and Origin. */
  readonly serverless?: boolean;
}

/** The server as a function from requests to responses, without a socket. */
export interface App extends Served {
  fetch(request: Request, bindings?: object): Response | Promise<Response>;
  /** Runs the protocol code once so that it is compiled before the first call. Writes no audit record. */
  warmUp(): Promise<void>;
}

/**
 * Builds the HTTP routes of a server: `/mcp`, `/health`, `/ready`, and with an authorization server its
 * routes.
 */
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
      listsMayGrow: authenticator.stepUp,
    },
    catalogue,
    streams,
  );
  const guarded = {
    host: serverless ? undefined : settings.host,
    allowedOrigins: settings.allowed_origins,
    allowedHosts: settings.allowed_hosts,
    // People log in under this name; behind a proxy on the same machine it is the Host of every request.
    publicHost:
      options.login && authenticator.metadata && new URL(authenticator.metadata.baseUrl).host,
  };
  const guard = createGuard(guarded);

  const refusals = new RefusalLog(runtime.log);
  const toolless = new ToollessCallers(runtime.log);
  const reasons = new WeakMap<Response, RefusalReason>();
  const withReason = (reason: RefusalReason, response: Response): Response => {
    observer.refusal(reason);
    reasons.set(response, reason);
    return response;
  };
  const refused = (refusal: Refusal): Response => {
    const { status, headers, body } = buildChallenge(refusal, authenticator);
    return withReason(
      refusal.kind,
      body
        ? Response.json(body, { status, headers: { ...headers } })
        : new Response(null, { status, headers: { ...headers } }),
    );
  };

  /** @returns undefined if too many requests wait for the identity provider. */
  const authenticate = (headers: Headers, bindings: Bindings | undefined) =>
    authenticator
      .authenticate({
        headers,
        event: bindings?.event,
        from: networkOf(bindings?.connection?.address),
      })
      .catch((error: unknown) => {
        if (error instanceof ProviderCrowded) return undefined;
        throw error;
      });

  const post = createPost({
    runtime,
    authenticator,
    catalogue,
    endpoint,
    observer,
    refused,
    serverless,
  });

  const methods = streams ? ["GET", "POST"] : ["POST"];
  /** @returns the caller, or the refusal of a request that may come from anyone. */
  const admit = async (
    request: Request,
    bindings: Bindings | undefined,
  ): Promise<Caller | Response> => {
    const { headers, method } = request;
    const rejection = guard(request);
    if (rejection) return withReason(rejection.status === 421 ? "host" : "origin", rejection);
    if (!methods.includes(method)) return methodNotAllowed(methods);
    const authenticated = await authenticate(headers, bindings);
    if (!authenticated) {
      observer.limit("provider");
      return busy(bindings?.connection ? idIn(bindings.connection.body) : null);
    }
    if ("refusal" in authenticated) return refused(authenticated.refusal);
    bindings?.connection?.remember();
    return authenticated.caller;
  };
  const throttle = new Throttle(refusalThrottle);
  const answer = async (request: Request, bindings: Bindings | undefined): Promise<Response> => {
    const caller = await admit(request, bindings);
    if (caller instanceof Response) {
      if (bindings?.connection) await throttle.hold(networkOf(bindings.connection.address));
      return caller;
    }
    const { headers, method } = request;
    if (catalogue.viewFor(caller).toolNames.length === 0) toolless.note(caller);
    if (!streams || method !== "GET") return post.handle(request, caller, bindings ?? {});
    const channel = openChannel(streams, headers, turnKeyOf(authenticator, caller, bindings ?? {}));
    if (channel.status === 503) observer.limit("max_streams");
    return channel;
  };

  const app = new Hono<{ Bindings: Bindings }>();
  if (settings.access_log === "on") {
    app.use(accessLog(runtime.log, (c) => answeredBy(c.req.raw, c.res.status, c.env)));
  }
  app.get("/health", (c) => c.json(health(runtime), 200, { "cache-control": "no-store" }));
  app.get("/ready", (c) => {
    const payload = ready(runtime);
    const status = payload.status === "ready" ? 200 : 503;
    return c.json(payload, status, { "cache-control": "no-store" });
  });
  // Also with a slash at the end, without a redirect, on which clients lose the body or headers.
  const paths = ["/mcp", "/mcp/"];
  if (settings.allowed_origins?.length) {
    const cors = createCors(settings.allowed_origins, methods);
    app.on("ALL", paths, async (c, next) => {
      const preflight = guard(c.req.raw) ? undefined : cors.preflight(c.req.raw);
      if (preflight) return preflight;
      await next();
      cors.expose(c.req.raw, c.res);
      return undefined;
    });
  }
  app.on("ALL", paths, async (c) => {
    const response = await answer(c.req.raw, c.env);
    refusals.note(answeredBy(c.req.raw, response.status, c.env), reasons.get(response));
    return response;
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
      post.abort();
      await endpoint.close();
    },
  };
}

/** @param bindings Absent where the app is called without a server, as at its warm-up. */
function answeredBy(
  request: Request,
  status: number,
  bindings: Bindings | undefined,
): AnsweredRequest {
  return {
    request,
    status,
    address: bindings?.connection?.address,
    requestId: bindings?.lambdaContext?.awsRequestId,
  };
}

/** A page of another site must not reach the login under its own host name (DNS rebinding). */
function mountLogin(app: Hono<{ Bindings: Bindings }>, login: LoginRoutes, guard: Guard): void {
  for (const path of login.browserPaths) {
    app.use(path, async (c, next) => guard(c.req.raw) ?? (await next()));
  }
  app.route("/", login.app);
}

function methodNotAllowed(allowed: readonly string[]): Response {
  return rpcError(405, rpcCode.invalidRequest, "Method not allowed", {
    headers: { allow: allowed.join(", ") },
  });
}
