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
import { fastAnswers } from "./fast-answer.ts";
import { FastPath } from "./fast-path.ts";
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
  // The SDK builds its wire schemas on first use, for which the first caller would wait. The first caller of a
  // function waits for all of its start, and needs the schemas of one revision only.
  if (streams) preloadSchemas();
  const modernHost = { ...host, maxResultBytes: host.maxResultBytes - modernResultBytes(host) };
  const hosts = { older: host, modern: modernHost };
  const serverFor = createServerFactory(host);
  const modernServerFor = createServerFactory(modernHost);
  const fastPath = new FastPath();
  const answerFast = fastAnswers(host);
  const modern = createMcpHandler(({ authInfo }) => modernServerFor(scopeIn(authInfo)), {
    legacy: "reject",
    // The default mode answers with one JSON body, because no handler here sends notifications. The mode `json`
    // does the same and prints a warning that is not a log line.
  });
  const { max_request_bytes: maxRequestBytes } = host.runtime.settings;

  /**
   * Fast path: answers ordinary calls without a server of the SDK, which costs several times as much as a
   * small call.
   * @returns undefined if the SDK must handle the message.
   */
  const handleFast = async (inbound: Inbound): Promise<Response | undefined> => {
    const { request, message, bytes, deferred, caller, signal, remainingMs, pass } = inbound;
    const call = fastPath.read(message, request.headers);
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
    // Cancelled, as with the SDK.
    return signal.aborted ? new Response(null, { status: 499 }) : answerFast(call, answer);
  };

  return {
    async handle(inbound) {
      const fast = await handleFast(inbound);
      if (fast) return fast;
      const { request, message, bytes, deferred, caller, signal, remainingMs, pass } = inbound;
      const oversize = bytes > maxRequestBytes && methodOf(message) === "tools/call";
      const scope = new RequestScope({
        caller,
        view: catalogue.viewFor(caller),
        // A message without a method is not a request, and needs no handler.
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
 * Whether a message is of an older revision. The SDK can tell, but parses the message for it and again to answer.
 * Two cheap tests decide for nearly all messages.
 */
async function isForOlder(request: Request, message: unknown): Promise<boolean> {
  const method = methodOf(message);
  const claims = Object.hasOwn(metaOf(message) ?? {}, "io.modelcontextprotocol/protocolVersion");
  // `initialize` can be a handshake in spite of the envelope.
  if (claims && method !== "initialize") return false;
  const named = request.headers.get("mcp-protocol-version");
  const namesOlder = named === null || olderRevisions.includes(named);
  if (!claims && namesOlder && method !== undefined && idOf(message) !== null) return true;
  return isLegacyRequest(request, message);
}

/**
 * Answers a request of an older revision with one JSON body, which is cheaper for both sides than the stream of the
 * SDK's own fallback. A client that ranks streams higher gets that body as one event.
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
    // The transport never settles a request that was cancelled.
    return await untilAborted(transport.handleRequest(request, { parsedBody }), signal);
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: 499 });
    throw error;
  } finally {
    // After an answer there is nothing to close, and closing creates an Error with its stack each time.
    if (signal.aborted) await server.close();
  }
}

/**
 * The SDK demands both media types by name. Clients that accept one of them, or all, get the form they
 * accept. The body has been read, so the copy has none.
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
