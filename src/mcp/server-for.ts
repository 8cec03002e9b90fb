import {
  type CacheHint,
  type CallToolResult,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CallPass } from "../admission/call-pass.ts";
import type { Caller } from "../auth/caller.ts";
import { memo } from "../memo.ts";
import type { TraceSource } from "../metrics/tracing.ts";
import { excerpt } from "../protocol/excerpt.ts";
import { modernRevision, olderRevisions } from "../protocol/revisions.ts";
import { type CallAnswer, type CallHost, callTool, type DeferredArguments } from "./call-tool.ts";
import type { View } from "./catalogue.ts";
import { NotFoundParameter } from "./component.ts";
import { getPrompt } from "./get-prompt.ts";
import { internalError, invalidParams } from "./protocol-errors.ts";

const maxEchoedUri = 2048;

// With these schemas, invalid parameters are answered with -32602. With its built-in ones, the SDK
// answers -32603, except for `tools/call`.
const ListParams = z.looseObject({ cursor: z.string().optional() });
const ReadParams = z.looseObject({ uri: z.string() });
const PromptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});

/** Dependencies shared by all servers of a process. */
export interface ServerHost extends CallHost {
  /** The instructions for a client, by the tools that its caller can see. */
  readonly instructions: (view: View) => string;
  /** All callers see the same lists, so shared caches may store them. */
  readonly listsArePublic: boolean;
  /**
   * A caller may get more scopes while connected: clients of four languages otherwise keep the lists
   * without the new tools. Default: false.
   */
  readonly listsMayGrow?: boolean;
  /** The config can change while the process runs, so clients must not cache resources. */
  readonly configMayChange?: boolean;
}

/** State of one HTTP request for its server. Nothing of it outlives the request. */
export class RequestScope {
  readonly caller: Caller;
  readonly view: View;
  /** The method of the message. Absent: a connection with any number of messages. */
  readonly method: string | undefined;
  /** Absent: use the protocol's signal of each request, for connections with several requests. */
  readonly signal: AbortSignal | undefined;
  /** A call over `max_request_bytes`, whose arguments are not passed to the protocol. */
  readonly oversize: { readonly bytes: number; readonly args: unknown } | undefined;
  readonly deferred: DeferredArguments | undefined;
  readonly remainingMs: number | undefined;
  readonly pass: CallPass | undefined;
  readonly trace: TraceSource;

  constructor(fields: {
    caller: Caller;
    view: View;
    method?: string | undefined;
    signal?: AbortSignal;
    oversize?: { readonly bytes: number; readonly args: unknown } | undefined;
    deferred?: DeferredArguments | undefined;
    remainingMs?: number | undefined;
    pass?: CallPass | undefined;
    trace: TraceSource;
  }) {
    this.caller = fields.caller;
    this.view = fields.view;
    this.method = fields.method;
    this.signal = fields.signal;
    this.oversize = fields.oversize;
    this.deferred = fields.deferred;
    this.remainingMs = fields.remainingMs;
    this.pass = fields.pass;
    this.trace = fields.trace;
  }
}

/** The server's identity, part of every result in revision 2026-07-28. */
export function identityOf({ runtime }: Pick<ServerHost, "runtime">) {
  return { name: "validator-mcp", title: "IAM Policy Validator", version: runtime.version };
}

/** @returns Bytes that revision 2026-07-28 adds to every result: the server's identity, and that the result is complete. */
export function modernResultBytes(host: Pick<ServerHost, "runtime">): number {
  const added = {
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": identityOf(host) },
  };
  // Its braces are those of the result; the comma before it takes the place of one.
  return Buffer.byteLength(JSON.stringify(added)) - 1;
}

/**
 * Creates servers for single requests. It uses the SDK's low-level server, so that this code can
 * validate arguments (invalid calls are audited), write every error message (hidden and unknown tools
 * get identical answers), and return lists that were built at start-up.
 */
export function createServerFactory(host: ServerHost): (scope: RequestScope) => Server {
  const identity = identityOf(host);
  const optionsFor = memo((view: View) => serverOptions(host, view));
  const registrations = registrationsFor(host);
  return (scope) => {
    const server = new Server(identity, optionsFor(scope.view));
    if (scope.method !== undefined) registrations.get(scope.method)?.(server, scope);
    else for (const register of registrations.values()) register(server, scope);
    return server;
  };
}

type Registration = (server: Server, scope: RequestScope) => void;

/** Registers the handler of each method. Only that of the request is registered, because registering is expensive. */
function registrationsFor(host: ServerHost): ReadonlyMap<string, Registration> {
  return new Map<string, Registration>([
    [
      "tools/list",
      (server, { view }) =>
        server.setRequestHandler("tools/list", { params: ListParams }, ({ cursor }) => {
          refuseCursor(cursor);
          return { tools: [...view.lists.tools] };
        }),
    ],
    [
      "tools/call",
      (server, scope) =>
        server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
          const tool = scope.view.tools.get(params.name);
          if (!tool) throw invalidParams(`Tool ${excerpt(params.name)} not found`);
          const answer = await callTool(host, {
            tool,
            args: scope.oversize ? scope.oversize.args : params.arguments,
            caller: scope.caller,
            toolNames: scope.view.toolNames,
            signal: scope.signal ?? mcpReq.signal,
            oversizeBytes: scope.oversize?.bytes,
            deferred: scope.deferred,
            remainingMs: scope.remainingMs,
            pass: scope.pass,
            trace: scope.trace,
          });
          return resultOf(answer);
        }),
    ],
    [
      "resources/list",
      (server, { view }) =>
        server.setRequestHandler("resources/list", { params: ListParams }, ({ cursor }) => {
          refuseCursor(cursor);
          return { resources: [...view.lists.resources] };
        }),
    ],
    [
      "resources/templates/list",
      (server, { view }) =>
        server.setRequestHandler(
          "resources/templates/list",
          { params: ListParams },
          ({ cursor }) => {
            refuseCursor(cursor);
            return { resourceTemplates: [...view.lists.templates] };
          },
        ),
    ],
    [
      "resources/read",
      (server, { view, signal }) =>
        server.setRequestHandler("resources/read", { params: ReadParams }, ({ uri }, { mcpReq }) =>
          read(host, view, uri, signal ?? mcpReq.signal),
        ),
    ],
    [
      "prompts/list",
      (server, { view }) =>
        server.setRequestHandler("prompts/list", { params: ListParams }, ({ cursor }) => {
          refuseCursor(cursor);
          return { prompts: [...view.lists.prompts] };
        }),
    ],
    [
      "prompts/get",
      (server, { view }) =>
        server.setRequestHandler("prompts/get", { params: PromptParams }, (params) =>
          getPrompt(host, view, params.name, params.arguments ?? {}),
        ),
    ],
  ]);
}

function resultOf(answer: CallAnswer): CallToolResult {
  if ("error" in answer) return { content: [{ type: "text", text: answer.error }], isError: true };
  const structuredContent = answer.structured();
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: "text", text }], structuredContent, isError: false };
}

function serverOptions(host: ServerHost, view: View): ServerOptions {
  const perCaller: CacheHint = {
    ttlMs: 300_000,
    cacheScope: host.listsArePublic ? "public" : "private",
  };
  const ofLists = host.listsMayGrow ? { ...perCaller, ttlMs: 0 } : perCaller;
  return {
    supportedProtocolVersions: [modernRevision, ...olderRevisions],
    // Lists never change while the process lives, so no listChanged.
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: host.instructions(view),
    cacheHints: {
      "tools/list": ofLists,
      "resources/list": ofLists,
      "resources/templates/list": ofLists,
      "resources/read": host.configMayChange ? { ...perCaller, ttlMs: 0 } : perCaller,
      "prompts/list": ofLists,
      // The instructions name what this caller can see, so shared caches may keep them only without authentication.
      "server/discover": { ...perCaller, ttlMs: 3_600_000 },
    },
  };
}

async function read(
  host: ServerHost,
  view: View,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const context = { runtime: host.runtime, signal };
  const found = find(view, uri);
  if (!found) throw new ResourceNotFoundError(excerpt(uri, maxEchoedUri));
  const { definition, variables } = found;
  try {
    const text =
      variables === undefined
        ? await definition.read(context)
        : await definition.read(variables, context);
    return { contents: [{ uri, mimeType: definition.mimeType, text }] };
  } catch (error) {
    if (error instanceof NotFoundParameter) throw invalidParams(error.message, { uri });
    throw internalError(host, error, { resource: definition.name });
  }
}

function find(view: View, uri: string) {
  const definition = view.resources.get(uri);
  if (definition) return { definition, variables: undefined };
  for (const { match, definition } of view.templates) {
    const variables = match(uri);
    if (variables) return { definition, variables };
  }
  return undefined;
}

/** Every list has one page, so every cursor is invalid. */
function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw invalidParams("Unknown cursor: lists have one page");
}
