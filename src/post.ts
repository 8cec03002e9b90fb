import { isJsonContentType } from "@modelcontextprotocol/server";
import { Admission } from "./admission/admission.ts";
import { type Exceeded, Reservation } from "./admission/budget.ts";
import type { CallPass } from "./admission/call-pass.ts";
import type { Authenticator, Caller, Refusal } from "./auth/caller.ts";
import { stepUpRefusal } from "./auth/required-scopes.ts";
import { networkOf } from "./http/address.ts";
import { type Body, idIn, readMessage, type UnreadBody } from "./http/body.ts";
import { type BodySource, ReceivedBody, unreservedBytes } from "./http/body-source.ts";
import type { RequestConnection } from "./http/gate.ts";
import { Throttle } from "./http/throttle.ts";
import type { Catalogue } from "./mcp/catalogue.ts";
import type { McpEndpoint } from "./mcp/handle-mcp.ts";
import { memoryLimit } from "./memory.ts";
import type { Observer } from "./metrics/observer.ts";
import { calledTool } from "./protocol/message.ts";
import { rpcCode, rpcError } from "./protocol/rpc-error.ts";
import type { Runtime } from "./runtime.ts";
import { costlyCalls } from "./tools/costly-calls.ts";

/** Bodies up to this many times `max_request_bytes` are read, so that callers get a tool error and not a 413. */
const bodyFactor = 4;

/** A caller waits at most one second for a refusal, which is also the `Retry-After` that it gets. */
const refusalThrottle = { everyMs: 20, mostMs: 1_000 };
/** The parser needs some 7 microseconds for each chunk: a body in tiny chunks costs as much as 50 other refusals. */
const tinyChunksHoldMs = 5_000;

/** Time reserved for writing the answer before the platform's timeout. */
const platformMarginMs = 500;

/** Answers to bodies that are not calls, and to callers with too many calls in progress. */
const refusals: readonly number[] = [400, 413, 503];

/** Values that the platform adds to a request; empty for an HTTP server. */
export interface Bindings {
  /** The connection; absent: there is none. */
  readonly connection?: RequestConnection | undefined;
  /** The original function event, for `gateway`. */
  readonly event?: unknown;
  readonly lambdaContext?: { getRemainingTimeInMillis(): number; readonly awsRequestId?: string };
}

export interface PostOptions {
  readonly runtime: Runtime;
  readonly authenticator: Authenticator;
  readonly catalogue: Catalogue;
  readonly endpoint: McpEndpoint;
  readonly observer: Observer;
  /** Creates the answer to a request that lacks a scope. */
  readonly refused: (refusal: Refusal) => Response;
  readonly serverless: boolean;
}

/** `POST /mcp` of callers that have been authenticated. */
export interface Post {
  handle(request: Request, caller: Caller, bindings: Bindings): Promise<Response>;
  /** Cuts the calls that are running. */
  abort(): void;
}

/** One request. */
interface Inbound {
  readonly request: Request;
  readonly caller: Caller;
  readonly bindings: Bindings;
  readonly source: BodySource;
  readonly turnKey: string;
  /** Called if the caller is told to retry later. */
  readonly refused: () => void;
}

/**
 * Builds the handler of `POST /mcp`: it reads the body within its limits, admits the call and answers it.
 */
export function createPost(options: PostOptions): Post {
  const { runtime, authenticator, catalogue, endpoint, observer, refused, serverless } = options;
  const { settings, pool } = runtime;
  const bodyLimit = bodyFactor * settings.max_request_bytes;
  const admission = new Admission({
    maxCallsPerCaller: settings.max_calls_per_caller,
    // Enough for as many of the largest calls as may wait for a worker, but at most an eighth of the memory.
    bodyBytes: Math.max(
      bodyLimit,
      Math.min(settings.max_queued_calls * settings.max_request_bytes, memoryLimit() / 8),
    ),
    largestBody: bodyLimit,
  });
  const isCostly = costlyCalls(runtime, serverless);
  const running = new Set<AbortController>();
  const throttle = new Throttle(refusalThrottle);

  const accepted = async (inbound: Inbound): Promise<Response> => {
    const { caller, source, turnKey, refused } = inbound;
    const reservation = new Reservation(admission.bodies, turnKey);
    try {
      const body = await readMessage(source, {
        limit: bodyLimit,
        pool,
        reservation,
        caller: turnKey,
        deferrable: catalogue.viewFor(caller).deferrable,
        policyTools: catalogue.viewFor(caller).policyTools,
        isCostly,
      });
      if (!("bytes" in body)) return unread(body);
      observer.request(body.bytes);
      if (body.kind !== "small") {
        return await answer(inbound, body, { turnKey, leaveMainThread: () => {}, refused });
      }
      const { signal } = inbound.request;
      // If the caller has disconnected, the call goes on, because its audit record must be written.
      const turn = await admission.mainThread.take(turnKey, { signal }).catch(() => undefined);
      const endTurn = () => turn?.end();
      try {
        const message = body.parse();
        if (message === undefined) return unread({ kind: "invalid", id: null });
        const parsed = { kind: "message", message, bytes: body.bytes } as const;
        return await answer(inbound, parsed, { turnKey, leaveMainThread: endTurn, refused });
      } finally {
        endTurn();
      }
    } finally {
      reservation.release();
    }
  };

  /**
   * Refuses a request above the share of its caller: a call with a tool error, which is audited, and everything else
   * with HTTP 503. Only the envelope is parsed, and nothing waits.
   */
  const overShare = async (inbound: Inbound, exceeded: Exceeded): Promise<Response> => {
    const { caller, source, turnKey, refused } = inbound;
    const body = await readMessage(source, {
      limit: unreservedBytes,
      pool,
      reservation: new Reservation(admission.bodies, turnKey),
      caller: turnKey,
      deferrable: catalogue.viewFor(caller).toolNames,
      policyTools: catalogue.viewFor(caller).policyTools,
      isCostly: () => true,
    });
    if (body.kind === "invalid" || body.kind === "batch") return unread(body);
    if (body.kind !== "deferred") {
      observer.limit("calls_per_caller");
      return busy(body.kind === "small" ? body.id() : idIn(source));
    }
    return answer(inbound, body, { turnKey, exceeded, leaveMainThread: () => {}, refused });
  };

  const answer = async (
    { request, caller, bindings }: Inbound,
    body: Extract<Body, { readonly message: unknown }>,
    pass: CallPass,
  ): Promise<Response> => {
    const { message, bytes } = body;
    const stepUp = authenticator.stepUp
      ? missingScope(catalogue, caller, message, authenticator.requiredScopes)
      : undefined;
    if (stepUp) return refused(stepUp);

    const remainingMs = bindings.lambdaContext?.getRemainingTimeInMillis();
    const { connection } = bindings;
    const controller = new AbortController();
    const abort = () => controller.abort(request.signal.reason);
    // Hundreds of clients may leave at once, and to end a call takes longer than to notice that.
    const onAbort = () => (connection ? connection.later(abort) : abort());
    request.signal.addEventListener("abort", onAbort);
    if (request.signal.aborted) abort();
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
        pass,
      });
    } finally {
      running.delete(controller);
      request.signal.removeEventListener("abort", onAbort);
    }
  };

  const unread = (body: UnreadBody): Response => {
    const { kind } = body;
    if (kind === "too_large" || kind === "too_many_values") observer.limit("transport_body");
    if (kind === "busy") observer.limit("worker_queue");
    return bodyRefused(body, bodyLimit);
  };

  return {
    async handle(request, caller, bindings) {
      const { connection } = bindings;
      const source = connection?.body ?? new ReceivedBody(request);
      if (!isJsonContentType(request.headers.get("content-type"))) {
        return rpcError(415, rpcCode.invalidRequest, "Content-Type must be application/json", {
          id: idIn(source),
        });
      }
      const turnKey = turnKeyOf(authenticator, caller, bindings);
      let isRefused = false;
      const refused = () => {
        isRefused = true;
      };
      const inbound = { request, caller, bindings, source, turnKey, refused };
      const exceeded = admission.calls.take(turnKey, 1);
      const release = () => admission.calls.release(turnKey, 1);
      if (!connection) {
        return exceeded ? overShare(inbound, exceeded) : accepted(inbound).finally(release);
      }
      // The call counts until the client has read the answer, which stays in memory.
      if (!exceeded) connection.onAnswered(release);
      const response = await (exceeded ? overShare(inbound, exceeded) : accepted(inbound));
      if (isRefused || refusals.includes(response.status)) {
        connection.body.forget();
        await throttle.hold(turnKey, connection.body.hasTinyChunks ? tinyChunksHoldMs : 0);
      }
      return response;
    },
    abort() {
      for (const controller of running) controller.abort();
    },
  };
}

function bodyRefused({ kind, id }: UnreadBody, limit: number): Response {
  switch (kind) {
    case "too_large":
      return rpcError(413, rpcCode.invalidRequest, `The body is over ${limit} bytes`, { id });
    case "too_many_values":
      return rpcError(413, rpcCode.invalidRequest, "The body has too many values", { id });
    case "invalid":
      return rpcError(400, rpcCode.parseError, "The body is not JSON");
    case "batch":
      return rpcError(400, rpcCode.invalidRequest, "One message per request: batches are refused");
    case "busy":
      return busy(id);
  }
}

/** The caller whose share a request counts for: its address without authentication, where all have one subject. */
export function turnKeyOf(
  { provider }: Authenticator,
  { subject }: Caller,
  { connection }: Bindings,
): string {
  return provider === "none" ? `address ${networkOf(connection?.address)}` : `subject ${subject}`;
}

/** The refusal of a request before its call is known. */
export function busy(id: string | number | null): Response {
  return rpcError(503, rpcCode.internalError, "The server is busy: retry in a second", {
    id,
    headers: { "retry-after": "1" },
  });
}

/**
 * With `STEP_UP`, clients can request more scopes, so the answer names a tool's scope instead of hiding it. It does not
 * if a new login would not give this person the scope: clients would log in again and again.
 */
function missingScope(
  catalogue: Catalogue,
  caller: Caller,
  message: unknown,
  required: readonly string[],
): Refusal | undefined {
  const name = calledTool(message);
  if (name === undefined) return undefined;
  const scope = catalogue.scopeOf(name);
  if (scope === undefined || caller.may(scope)) return undefined;
  const isInReach = caller.entitled?.includes(scope) ?? true;
  return isInReach ? stepUpRefusal(name, scope, required) : undefined;
}
