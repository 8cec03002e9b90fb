import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  preloadSchemas,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { CallPass } from "../admission/call-pass.ts";
import type { Caller } from "../auth/caller.ts";
import { untilAborted } from "../deadline.ts";
import { eventStreamHeaders, type Streams } from "../http/streams.ts";
import { acceptsAnswer, prefersEventStream, usualAccept } from "../protocol/accept.ts";
import { argumentsOf, metaOf, methodOf, withoutArguments } from "../protocol/message.ts";
import { olderRevisions } from "../protocol/revisions.ts";
import { idOf, rpcCode, rpcError } from "../protocol/rpc-error.ts";
import { callTool, type DeferredArguments } from "./call-tool.ts";
import type { Catalogue } from "./catalogue.ts";
import { plainAnswers } from "./plain-answer.ts";
import { PlainCalls } from "./plain-call.ts";
import {
  createServerFactory,
  modernResultBytes,
  RequestScope,
  type ServerHost,
} from "./server-for.ts";
import { holdSubscription } from "./subscription.ts";

/** A parsed message, its caller and its request. */
export interface Inbound {
  readonly request: Request;
  /** Not an array. */
  readonly message: unknown;
  /** Size of the body it was parsed from. */
  readonly bytes: number;
  /** Deferred arguments of a tool call in a large body. */
  readonly deferred?: DeferredArguments | undefined;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Time until the platform's timeout. */
  readonly remainingMs?: number | undefined;
  /** Absent: there is one caller only. */
  readonly pass?: CallPass | undefined;
}

export interface McpEndpoint {
  handle(inbound: Inbound): Promise<Response>;
  /** Cancels requests that are still being answered. */
  close(): Promise<void>;
}

/** The protocol behind `POST /mcp`: revision 2026-07-28 and the 2025 revisions, no sessions. */
export function createMcpEndpoint(
  host: ServerHost,
  catalogue: Catalogue,
  /** Absent: no streams (AWS Lambda). */
  streams: Streams | undefined,
): McpEndpoint {
  // Off the first caller: the SDK builds its wire schemas when they are first needed. The first caller
  // of a function waits for its start too, and needs those of one revision only.
  if (streams) preloadSchemas();
  const modernHost = { ...host, maxResultBytes: host.maxResultBytes - modernResultBytes(host) };
  const hosts = { older: host, modern: modernHost };
  const serverFor = createServerFactory(host);
  const modernServerFor = createServerFactory(modernHost);
  const plainCalls = new PlainCalls();
  const answerPlainly = plainAnswers(host);
  const modern = createMcpHandler(({ authInfo }) => modernServerFor(scopeIn(authInfo)), {
    legacy: "reject",
    // In the default mode there is one JSON body per call, since no handler of ours can notify. The
    // mode `json` would promise the same and print a warning that is not a log line.
  });
  const { max_request_bytes: maxRequestBytes } = host.runtime.settings;

  /**
   * Answers the calls that every client sends without a server of the SDK, which costs several times
   * what a small call does.
   * @returns undefined if the SDK must handle the message.
   */
  const handlePlainly = async (inbound: Inbound): Promise<Response | undefined> => {
    const { request, message, bytes, deferred, caller, signal, remainingMs, pass } = inbound;
    const call = plainCalls.read(message, request.headers);
    if (!call) return undefined;
    const view = catalogue.viewFor(caller);
    const tool = view.tools.get(call.name);
    if (!tool) return undefined;
    const answer = await callTool(hosts[call.revision], {
      tool,
      args: call.args,
      caller,
      toolNames: view.toolNames,
      signal,
      oversizeBytes: bytes > maxRequestBytes ? bytes : undefined,
      deferred,
      remainingMs,
      pass,
      trace: { meta: metaOf(message), headers: request.headers },
    });
    // Cut short, as the SDK would have been.
    return signal.aborted ? new Response(null, { status: 499 }) : answerPlainly(call, answer);
  };

  return {
    async handle(inbound) {
      const plain = await handlePlainly(inbound);
      if (plain) return plain;
      const { request, message, bytes, deferred, caller, signal, remainingMs, pass } = inbound;
      const oversize = bytes > maxRequestBytes && methodOf(message) === "tools/call";
      const scope = new RequestScope({
        caller,
        view: catalogue.viewFor(caller),
        // Without one the message is not a request, and no handler is asked for.
        method: methodOf(message) ?? "",
        signal,
        oversize: oversize ? { bytes, args: argumentsOf(message) } : undefined,
        deferred,
        remainingMs,
        pass,
        trace: { meta: metaOf(message), headers: request.headers },
      });
      const accept = request.headers.get("accept");
      if (!acceptsAnswer(accept)) {
        return rpcError(406, rpcCode.invalidRequest, "Accept must allow application/json", {
          id: idOf(message),
        });
      }
      const parsedBody = oversize ? withoutArguments(message) : message;
      const listens = methodOf(message) === "subscriptions/listen";
      if (listens && !streams) {
        return rpcError(404, rpcCode.methodNotFound, "Method not found", { id: idOf(message) });
      }
      if (await isForOlder(request, parsedBody)) {
        if (methodOf(message) === "initialize" && !isInitializeRequest(message)) {
          // The SDK would answer -32603.
          return rpcError(200, rpcCode.invalidParams, "Invalid params for initialize", {
            id: idOf(message),
          });
        }
        const accepting = withUsualAccept(request);
        const response = await handleLegacy(serverFor(scope), accepting, parsedBody, signal);
        const streamed = streams && prefersEventStream(accept);
        return streamed ? asEventStream(response) : response;
      }
      const answer = () =>
        modern.fetch(withUsualAccept(request), { authInfo: authInfoOf(scope), parsedBody });
      if (!listens || !streams) return answer();
      const response = await holdSubscription(
        streams,
        answer,
        pass?.turnKey ?? caller.subject,
        idOf(message),
      );
      if (response.status === 503) host.observer.limit("max_streams");
      return response;
    },
    close: () => modern.close(),
  };
}

/**
 * Whether the older revisions answer. The SDK says so after parsing the message, which both ways
 * then do again; the two plain cases, nearly all there is, are told apart without it.
 */
async function isForOlder(request: Request, message: unknown): Promise<boolean> {
  const method = methodOf(message);
  const claims = Object.hasOwn(metaOf(message) ?? {}, "io.modelcontextprotocol/protocolVersion");
  // `initialize` may be taken for a handshake in spite of the envelope.
  if (claims && method !== "initialize") return false;
  const named = request.headers.get("mcp-protocol-version");
  const namesOlder = named === null || olderRevisions.includes(named);
  if (!claims && namesOlder && method !== undefined && idOf(message) !== null) return true;
  return isLegacyRequest(request, message);
}

/**
 * Older revisions. Not by the SDK's own fallback, which answers every request with a stream: one
 * JSON body is cheaper for both sides, and a client that ranks streams higher gets that body as one event.
 */
async function handleLegacy(
  server: Server,
  request: Request,
  parsedBody: unknown,
  signal: AbortSignal,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    // The transport never settles a request that was cut short.
    return await untilAborted(transport.handleRequest(request, { parsedBody }), signal);
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: 499 });
    throw error;
  } finally {
    // After an answer there is nothing to close, and closing makes an Error with its stack each time.
    if (signal.aborted) await server.close();
  }
}

/**
 * The SDK demands both media types by name. Clients that accept one of them, or all, get the form they
 * accept. The body was read already, so the copy has none.
 */
function withUsualAccept(request: Request): Request {
  if (request.headers.get("accept") === usualAccept) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", usualAccept);
  return new Request(request.url, { method: request.method, headers });
}

async function asEventStream(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, {
    headers: eventStreamHeaders,
  });
}

/** The SDK carries `extra` from the request to the factory and never reads the rest. */
function authInfoOf(scope: RequestScope): AuthInfo {
  const { clientId, scopes } = scope.caller;
  return { token: "", clientId, scopes: [...scopes], extra: { scope } };
}

function scopeIn(authInfo: AuthInfo | undefined): RequestScope {
  const scope = authInfo?.extra?.scope;
  if (!(scope instanceof RequestScope)) throw new TypeError("A request came without its scope.");
  return scope;
}
