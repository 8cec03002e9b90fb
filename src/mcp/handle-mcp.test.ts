import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineToolContract } from "../../spec/contract.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { recordSpans } from "../../test/support/recording-tracer.ts";
import {
  type Era,
  eras,
  modernRevision,
  type RpcBody,
  rpcRequest,
} from "../../test/support/rpc.ts";
import type { Caller } from "../auth/caller.ts";
import { Streams } from "../http/streams.ts";
import type { LimitKind } from "../metrics/observer.ts";
import { implement, type ToolContext } from "../tools/tool.ts";
import type { AuditEntry } from "./audit.ts";
import { createCatalogue } from "./catalogue.ts";
import { type Components, NotFoundParameter } from "./component.ts";
import { createMcpEndpoint, type Inbound } from "./handle-mcp.ts";
import { createServerFactory, RequestScope, type ServerHost } from "./server-for.ts";

const caller: Caller = {
  subject: "someone",
  clientId: "c",
  scopes: ["iam:query"],
  may: () => true,
};
const text = z.strictObject({ text: z.string().default("none") });
const described = { title: "For tests", description: "For tests.", tag: "query" } as const;

const broken = () => Promise.reject(new TypeError("secret"));
const components: Components = {
  resources: [
    {
      ...described,
      uri: "iam://fixed",
      name: "fixed",
      mimeType: "text/plain",
      read: async ({ runtime, signal }) => `${runtime.version} ${signal.aborted}`,
    },
    { ...described, uri: "iam://broken", name: "broken", mimeType: "text/plain", read: broken },
  ],
  resourceTemplates: [
    {
      ...described,
      uriTemplate: "iam://other/{word}",
      name: "other",
      mimeType: "text/plain",
      read: async ({ word }) => `other ${word}`,
    },
    {
      ...described,
      uriTemplate: "iam://words/{word}",
      name: "words",
      mimeType: "application/json",
      read: async ({ word }, { runtime }) => {
        if (word === "none") throw new NotFoundParameter("No such word.");
        return JSON.stringify({ word, version: runtime.version });
      },
    },
  ],
  prompts: [
    {
      ...described,
      name: "ask",
      arguments: [
        { name: "what", description: "What.", required: true },
        { name: "whom", description: "Whom.", required: true },
        { name: "why", description: "Why.", required: false },
      ],
      render: ({ what, whom, why = "no reason" }, { toolNames }) => {
        if (what === "break") throw new TypeError("secret");
        return `${what} ${whom} ${why} with ${toolNames?.join()}`;
      },
    },
  ],
};

/** A server for requests without sockets, and all it tells of them. */
function serve({
  streams,
  ...given
}: Partial<ServerHost> & { readonly streams?: Streams | undefined } = {}) {
  const { runtime, logged } = bareRuntime({ max_request_bytes: 1_000 });
  const audited: AuditEntry[] = [];
  const limits: LimitKind[] = [];
  const contexts: ToolContext[] = [];
  const contract = defineToolContract({
    ...described,
    name: "echo",
    input: text,
    output: text,
    errors: [],
  });
  const tools = [
    implement(
      contract,
      async (input, context) => {
        contexts.push(context);
        return { output: { text: input.text.replace("LONG", "x".repeat(5_000)) } };
      },
      {
        policyCount: (args) => Object.keys(args ?? {}).length,
        runDeferred: async (body) => ({ output: { text: Buffer.from(body).toString() } }),
      },
    ),
    implement({ ...contract, name: "wait" }, () => new Promise<never>(() => {})),
  ];
  const host: ServerHost = {
    runtime,
    audit: (build) => audited.push(build()),
    observer: {
      call: () => {},
      request: () => {},
      refusal: () => {},
      limit: (kind) => limits.push(kind),
    },
    maxResultBytes: 100_000,
    instructions: () => "Use it well.",
    listsArePublic: false,
    ...given,
  };
  const catalogue = createCatalogue(tools, components, "full");
  const endpoint = createMcpEndpoint(host, catalogue, streams);

  interface Asking extends Partial<Omit<Inbound, "request" | "message">> {
    readonly era?: Era;
    readonly headers?: Record<string, string>;
  }
  const send = (body: string, headers: Record<string, string>, inbound: Asking = {}) => {
    const { signal = new AbortController().signal } = inbound;
    return endpoint.handle({
      request: new Request("http://localhost/mcp", { method: "POST", headers, signal }),
      message: JSON.parse(body),
      bytes: body.length,
      caller,
      ...inbound,
      signal,
    });
  };
  const ask = async (
    method: string,
    params: object = {},
    { era, headers, ...more }: Asking = {},
  ) => {
    const request = rpcRequest(method, params, { id: "the-id", ...(era && { era }) });
    const response = await send(request.body, { ...request.headers, ...headers }, more);
    const answer = await response.text();
    const type = response.headers.get("content-type");
    const body: RpcBody = type === "application/json" ? JSON.parse(answer) : {};
    return { status: response.status, type, text: answer, body };
  };
  return { ask, send, host, catalogue, audited, limits, contexts, logged, endpoint };
}

/** Means nothing, but no call that has it is plain: the SDK answers. */
const roundabout = { extra: 1 };
const opened: Streams[] = [];
afterEach(() => {
  for (const streams of opened.splice(0)) streams.end();
});
function streamsOf(limit: number): Streams {
  const streams = new Streams(limit);
  opened.push(streams);
  return streams;
}

describe.each(eras)("lists (%s)", (era) => {
  test.each([
    ["tools/list", "tools", "tools"],
    ["resources/list", "resources", "resources"],
    ["resources/templates/list", "resourceTemplates", "templates"],
    ["prompts/list", "prompts", "prompts"],
  ] as const)("%s is all the caller can see, on one page", async (method, key, kind) => {
    const { ask, catalogue } = serve();
    const all = catalogue.viewFor(caller).lists[kind];
    expect(all.length).toBeGreaterThan(0);
    const { status, body } = await ask(method, {}, { era });
    expect([status, body.id, body.result?.[key]]).toEqual([200, "the-id", all]);
    const next = await ask(method, { cursor: "2" }, { era });
    expect(next.body.error).toEqual({
      code: -32602,
      message: "Unknown cursor: lists have one page",
    });
  });
});

describe.each(eras)("a call (%s)", (era) => {
  test.each([
    ["plain", {}],
    ["for the SDK", roundabout],
  ])("reaches its tool with its arguments: %s", async (_, more) => {
    const { ask, audited, contexts } = serve();
    const params = { name: "echo", arguments: { text: "é" }, ...more };
    const { status, body } = await ask("tools/call", params, { era });
    expect([status, body.id]).toEqual([200, "the-id"]);
    expect(body.result).toMatchObject({
      content: [{ type: "text", text: '{"text":"é"}' }],
      structuredContent: { text: "é" },
      isError: false,
    });
    expect(audited).toMatchObject([{ tool: "echo", subject: "someone", policy_count: 1 }]);
    expect(contexts).toMatchObject([{ toolNames: ["echo", "wait"] }]);
  });

  test.each([
    ["plain", {}],
    ["for the SDK", roundabout],
  ])("over max_request_bytes runs no tool and is counted by what it sent: %s", async (_, more) => {
    const { ask, audited, contexts, limits } = serve();
    const params = { name: "echo", arguments: { text: "x", b: 1 }, ...more };
    const at = await ask("tools/call", params, { era, bytes: 1_000 });
    expect(at.body.result).toMatchObject({
      content: [{ text: expect.stringContaining('unknown field "b"') }],
    });
    const over = await ask("tools/call", params, { era, bytes: 1_001 });
    expect(over.body.result).toMatchObject({
      content: [{ text: expect.stringMatching(/^The request has 1001 bytes; the limit is 1000 /) }],
      isError: true,
    });
    expect(contexts).toEqual([]);
    expect(audited.map(({ policy_count }) => policy_count)).toEqual([2, 2]);
    expect(limits).toEqual(["max_request_bytes"]);
  });

  test.each([
    ["plain", {}],
    ["for the SDK", roundabout],
  ])("whose arguments stayed in its body is run on the body: %s", async (_, more) => {
    const { ask, audited } = serve();
    const deferred = { body: Buffer.from("the body"), policyCount: 9 };
    const params = { name: "echo", arguments: {}, ...more };
    const { body } = await ask("tools/call", params, { era, deferred });
    expect(body.result).toMatchObject({ structuredContent: { text: "the body" } });
    expect(audited).toMatchObject([{ policy_count: 9 }]);
  });

  test.each([
    ["plain", {}],
    ["for the SDK", roundabout],
  ])("ends when the platform's time is up: %s", async (_, more) => {
    const { ask } = serve();
    const params = { name: "wait", ...more };
    const { body } = await ask("tools/call", params, { era, remainingMs: 1 });
    expect(body.result).toMatchObject({
      content: [{ text: expect.stringContaining("the platform's timeout") }],
    });
  });

  test.each([
    ["plain", {}],
    ["for the SDK", roundabout],
  ])("belongs to the trace of its headers: %s", async (_, more) => {
    const { spans, stop } = recordSpans();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await serve().ask("tools/call", { name: "echo", ...more }, { era, headers: { traceparent } });
    stop();
    expect(spans).toMatchObject([{ name: "tools/call echo", parent: traceparent }]);
  });

  test("of a tool that does not exist is refused by a part of its name, and not audited", async () => {
    const { ask, audited } = serve();
    const { body } = await ask("tools/call", { name: "x".repeat(500) }, { era });
    expect(body.error).toEqual({ code: -32602, message: `Tool ${"x".repeat(79)}… not found` });
    expect(audited).toEqual([]);
  });

  test.each([
    ["plain", {}],
    ["for the SDK", roundabout],
  ])("whose caller has gone is audited as cancelled and gets nothing: %s", async (_, more) => {
    const { ask, audited } = serve();
    const before = ask(
      "tools/call",
      { name: "wait", ...more },
      { era, signal: AbortSignal.abort() },
    );
    expect(await before).toMatchObject({ status: 499, text: "" });
    const controller = new AbortController();
    const { signal } = controller;
    const during = ask("tools/call", { name: "wait", ...more }, { era, signal });
    setTimeout(() => controller.abort(), 10);
    expect(await during).toMatchObject({ status: 499, text: "" });
    await expect.poll(() => audited.at(-1)).toMatchObject({ outcome: "cancelled" });
  });
});

test("an answer of 2026-07-28 has less room: it says who answers", async () => {
  const room = async (era: Era) => {
    const { ask, contexts } = serve({ maxResultBytes: 1_000 });
    const { body } = await ask("tools/call", { name: "echo" }, { era });
    const { content, structuredContent, isError, ...more } = body.result ?? {};
    return [contexts[0]?.maxResultBytes, JSON.stringify(more).length - 1];
  };
  const [older, modern] = [await room("2025"), await room("2026")];
  expect(older[0]).toBe(1_000);
  expect(modern[0]).toBe(1_000 - (modern[1] ?? 0));
});

describe.each(eras)("a resource (%s)", (era) => {
  test("is one text of its type", async () => {
    const { ask } = serve();
    const read = async (uri: string) => (await ask("resources/read", { uri }, { era })).body.result;
    expect(await read("iam://fixed")).toMatchObject({
      contents: [{ uri: "iam://fixed", mimeType: "text/plain", text: "1.2.3 false" }],
    });
    expect(await read("iam://words/a%20b")).toMatchObject({
      contents: [
        {
          uri: "iam://words/a%20b",
          mimeType: "application/json",
          text: '{"word":"a b","version":"1.2.3"}',
        },
      ],
    });
  });

  test("that is not there is refused with its address, or the beginning of it", async () => {
    const { ask } = serve();
    for (const uri of ["iam://nothing", "iam://words/a/b", "iam://words/"]) {
      const { status, body } = await ask("resources/read", { uri }, { era });
      expect([status, body.error]).toMatchObject([200, { code: -32602, data: { uri } }]);
    }
    const { body } = await ask("resources/read", { uri: "x".repeat(3_000) }, { era });
    expect(body.error?.data).toEqual({ uri: `${"x".repeat(2_047)}…` });
  });

  test("whose variable names nothing says so", async () => {
    const { ask, logged } = serve();
    const uri = "iam://words/none";
    const { body } = await ask("resources/read", { uri }, { era });
    expect(body.error).toEqual({ code: -32602, message: "No such word.", data: { uri } });
    expect(logged).toEqual([]);
  });

  test("that fails is told by an id that is in the log", async () => {
    const { ask, logged } = serve();
    const { body } = await ask("resources/read", { uri: "iam://broken" }, { era });
    const [, id] =
      /^Internal error; see (\S{36}) in the log$/.exec(body.error?.message ?? "") ?? [];
    expect(body.error?.code).toBe(-32603);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { resource: "broken", correlation_id: id },
    ]);
    expect(logged.join()).not.toContain("secret");
  });
});

describe.each(eras)("a prompt (%s)", (era) => {
  const get = async (params: object) => {
    const server = serve();
    const { body } = await server.ask("prompts/get", params, { era });
    return { ...body, logged: server.logged };
  };

  test("is one text that knows its arguments and the caller's tools", async () => {
    const { result } = await get({ name: "ask", arguments: { what: "this", whom: "me" } });
    expect(result).toMatchObject({
      description: "For tests.",
      messages: [
        { role: "user", content: { type: "text", text: "this me no reason with echo,wait" } },
      ],
    });
  });

  test("may have arguments of any size, which bounds the calls of tools only", async () => {
    const params = { name: "ask", arguments: { what: "this", whom: "me" } };
    const { body } = await serve().ask("prompts/get", params, { era, bytes: 1_000_000 });
    expect(body.result).toHaveProperty("messages");
  });

  test("names the arguments it lacks", async () => {
    const { error } = await get({ name: "ask" });
    expect(error).toEqual({ code: -32602, message: "Prompt ask needs the arguments what, whom" });
    const { error: other } = await get({ name: "ask", arguments: { what: "this", why: "so" } });
    expect(other?.message).toBe("Prompt ask needs the argument whom");
  });

  test("that is not there is refused by a part of its name", async () => {
    const { error } = await get({ name: "x".repeat(500) });
    expect(error).toEqual({ code: -32602, message: `Prompt ${"x".repeat(79)}… not found` });
  });

  test("that fails is told by an id that is in the log", async () => {
    const { error, logged } = await get({ name: "ask", arguments: { what: "break", whom: "" } });
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^Internal error; see \S{36} in the log$/),
    });
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ prompt: "ask" }]);
  });
});

describe("caches of 2026-07-28", () => {
  const lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];
  const hints = async (given: Partial<ServerHost>, method: string, params = {}) => {
    const { body } = await serve(given).ask(method, params, { era: "2026" });
    return [body.result?.ttlMs, body.result?.cacheScope];
  };

  test("may keep lists and resources five minutes, for others only where all see the same", async () => {
    for (const method of lists) {
      expect(await hints({}, method)).toEqual([300_000, "private"]);
      expect(await hints({ listsArePublic: true }, method)).toEqual([300_000, "public"]);
    }
    expect(await hints({}, "resources/read", { uri: "iam://fixed" })).toEqual([300_000, "private"]);
    expect(await hints({}, "server/discover")).toEqual([3_600_000, "private"]);
  });

  test("may not keep lists where a caller can get more scopes", async () => {
    const given = { listsMayGrow: true };
    for (const method of lists) expect(await hints(given, method)).toEqual([0, "private"]);
    const read = await hints(given, "resources/read", { uri: "iam://fixed" });
    expect(read).toEqual([300_000, "private"]);
  });

  test("may not keep what was read where the config may change", async () => {
    const given = { configMayChange: true };
    expect(await hints(given, "resources/read", { uri: "iam://fixed" })).toEqual([0, "private"]);
    expect(await hints(given, "tools/list")).toEqual([300_000, "private"]);
    const shared = { ...given, listsArePublic: true };
    expect(await hints(shared, "resources/read", { uri: "iam://fixed" })).toEqual([0, "public"]);
  });
});

describe("the handshake of older revisions", () => {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "client", version: "1" },
  };

  test("tells who answers, what there is and how to use it", async () => {
    const { body } = await serve().ask("initialize", params);
    expect(body.result).toEqual({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: "validator-mcp", title: "IAM Policy Validator", version: "1.2.3" },
      instructions: "Use it well.",
    });
  });

  test("that lacks a part is refused", async () => {
    const { status, body } = await serve().ask("initialize", { protocolVersion: "2025-06-18" });
    expect([status, body]).toEqual([
      200,
      {
        jsonrpc: "2.0",
        id: "the-id",
        error: { code: -32602, message: "Invalid params for initialize" },
      },
    ]);
  });

  test("is the same whatever envelope comes with it", async () => {
    const { ask } = serve();
    const { body } = await ask("initialize", {
      ...params,
      _meta: { "io.modelcontextprotocol/protocolVersion": modernRevision },
    });
    expect(body.result).toMatchObject({ protocolVersion: "2025-06-18" });
  });
});

describe("which revision answers", () => {
  const list = (headers: Record<string, string>, era: Era) =>
    serve().ask("tools/list", {}, { headers, era });

  test("is told by the envelope in the body, else by the header", async () => {
    expect((await list({}, "2025")).body.result).not.toHaveProperty("ttlMs");
    const named = await list({ "mcp-protocol-version": "2025-06-18" }, "2025");
    expect(named.body.result).not.toHaveProperty("ttlMs");
    expect((await list({}, "2026")).body.result).toHaveProperty("ttlMs");
  });

  test("must not be told in two ways, nor be one that is unknown", async () => {
    for (const [header, era] of [
      [modernRevision, "2025"],
      ["2025-06-18", "2026"],
      ["1999-01-01", "2025"],
    ] as const) {
      const { status, body } = await list({ "mcp-protocol-version": header }, era);
      expect([header, status, body.result]).toEqual([header, 400, undefined]);
    }
  });

  test("does not matter to what is not a message, or wants no answer", async () => {
    const { send } = serve();
    const { headers } = rpcRequest("tools/list");
    const status = async (body: string) => (await send(body, headers)).status;
    expect(await status('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toBe(202);
    for (const body of ["5", "null", "{}", '{"jsonrpc":"2.0","id":null,"method":"tools/list"}']) {
      expect([body, await status(body)]).toEqual([body, 400]);
    }
    const { body } = await serve().ask("no/such/method");
    expect(body.error?.code).toBe(-32601);
  });
});

describe("an event stream for the answer", () => {
  const ranked = { accept: "application/json;q=0.1, text/event-stream" };
  const plain = { accept: "application/json, text/event-stream" };

  test("is one event, for older clients that rank it higher", async () => {
    const { ask } = serve({ streams: streamsOf(1) });
    const json = await ask("tools/list", {}, { headers: plain });
    expect(json.type).toBe("application/json");
    const { status, type, text } = await ask("tools/list", {}, { headers: ranked });
    expect([status, type, text]).toEqual([
      200,
      "text/event-stream",
      `event: message\ndata: ${json.text}\n\n`,
    ]);
    const params = { name: "echo", arguments: { text: "LONG" } };
    const call = await ask("tools/call", params, { headers: ranked });
    expect(call.text).toMatch(/^event: message\ndata: \{.*x{5000}.*x{5000}.*\}\n\n$/);
  });

  test("holds answers only: what else there is to say is said as it is", async () => {
    const { send } = serve({ streams: streamsOf(1) });
    const headers = { ...rpcRequest("tools/list").headers, ...ranked };
    const refused = await send("{}", headers);
    expect([refused.status, refused.headers.get("content-type")]).toEqual([
      400,
      "application/json",
    ]);
    const taken = await send('{"jsonrpc":"2.0","method":"notifications/initialized"}', headers);
    expect([taken.status, await taken.text()]).toEqual([202, ""]);
  });

  test("is not to be had from a serverless function", async () => {
    const { type } = await serve().ask("tools/list", {}, { headers: ranked });
    expect(type).toBe("application/json");
  });
});

describe("subscriptions/listen", () => {
  const params = { notifications: { toolsListChanged: true } };

  test("is held open where streams are", async () => {
    const streams = streamsOf(1);
    const { send, limits } = serve({ streams });
    const { headers, body } = rpcRequest("subscriptions/listen", params, { era: "2026", id: 9 });
    const response = await send(body, headers);
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toContain("notifications/subscriptions/acknowledged");
    expect([streams.count, limits]).toEqual([1, []]);
    const second = await send(body, headers);
    expect([second.status, await second.json()]).toMatchObject([503, { id: 9 }]);
    expect(limits).toEqual(["max_streams"]);
    const list = rpcRequest("tools/list", {}, { era: "2026" });
    expect((await send(list.body, list.headers)).status).toBe(200);
    await reader?.cancel();
  });

  test("is not a method of a serverless function, nor of older revisions", async () => {
    const { ask } = serve();
    for (const era of eras) {
      const { status, body } = await ask("subscriptions/listen", params, { era });
      expect([status, body]).toEqual([
        404,
        { jsonrpc: "2.0", id: "the-id", error: { code: -32601, message: "Method not found" } },
      ]);
    }
    const older = await serve({ streams: streamsOf(1) }).ask("subscriptions/listen", params);
    expect(older.body.error?.code).toBe(-32601);
  });
});

test("a server that closes cuts what the SDK is still answering", async () => {
  const { ask, endpoint } = serve();
  const running = ask("tools/call", { name: "wait", ...roundabout }, { era: "2026" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await endpoint.close();
  expect(await running).toMatchObject({ status: 499, text: "" });
});

test("a connection that outlives a request answers every method", async () => {
  const { host, catalogue } = serve();
  const scope = new RequestScope({ caller, view: catalogue.viewFor(caller), trace: {} });
  const [own, other] = InMemoryTransport.createLinkedPair();
  await createServerFactory(host)(scope).connect(own);
  const client = new Client({ name: "client", version: "1" });
  await client.connect(other);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo", "wait"]);
  expect((await client.listPrompts()).prompts).toHaveLength(1);
  expect(await client.callTool({ name: "echo", arguments: { text: "é" } })).toMatchObject({
    content: [{ type: "text", text: '{"text":"é"}' }],
    structuredContent: { text: "é" },
    isError: false,
  });
  expect(await client.callTool({ name: "echo", arguments: { text: 5 } })).toMatchObject({
    content: [{ type: "text", text: expect.stringMatching(/^Invalid arguments: text: /) }],
    isError: true,
  });
  expect(await client.readResource({ uri: "iam://fixed" })).toMatchObject({
    contents: [{ text: "1.2.3 false" }],
  });
  await client.close();
});
