import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineToolContract } from "../spec/contract.ts";
import type { Settings } from "../spec/settings.ts";
import { bareRuntime } from "../test/support/bare-runtime.ts";
import { type RpcOptions, rpcRequest } from "../test/support/rpc.ts";
import { type AppOptions, createApp } from "./app.ts";
import type { Authenticator, AuthRequest, Caller, Refusal } from "./auth/caller.ts";
import type { RefusalReason } from "./http/refusal-reason.ts";
import type { AuditEntry } from "./mcp/audit.ts";
import type { LimitKind } from "./metrics/observer.ts";
import type { ValidationPool } from "./pool/types.ts";
import { modernRevision } from "./protocol/revisions.ts";
import type { Runtime } from "./runtime.ts";
import { implement, type ToolContext } from "./tools/tool.ts";

const text = z.strictObject({ text: z.string().optional() });
const described = { title: "For tests", description: "For tests.", errors: [] } as const;
const caller: Caller = {
  subject: "someone",
  clientId: "c",
  scopes: ["iam:query"],
  may: (scope) => scope === "iam:query",
};

interface Given {
  readonly settings?: Partial<Settings>;
  readonly runtime?: Partial<Runtime>;
  readonly pool?: Partial<ValidationPool>;
  readonly authenticator?: Partial<Authenticator>;
  readonly refusal?: Refusal;
  readonly serverless?: boolean;
  readonly observed?: false;
}

/** The app, and what it tells of the requests it gets. */
function appWith(given: Given = {}) {
  const { settings, serverless, refusal } = given;
  const { runtime, logged } = bareRuntime({
    host: "127.0.0.1",
    max_request_bytes: 100_000,
    max_policy_bytes: 100_000,
    ...settings,
  });
  const audited: AuditEntry[] = [];
  const contexts: ToolContext[] = [];
  const authenticated: AuthRequest[] = [];
  const told: (LimitKind | RefusalReason | number)[] = [];
  const tell = (what: LimitKind | RefusalReason | number) => void told.push(what);
  const contract = { ...described, input: text, output: text };
  const echo = defineToolContract({ ...contract, name: "echo", tag: "query" });
  const tools: AppOptions["tools"] = [
    implement(
      echo,
      async (input, context) => {
        contexts.push(context);
        return { output: input };
      },
      { runDeferred: async (body) => ({ output: { text: `${body.byteLength} bytes` } }) },
    ),
    implement(
      defineToolContract({ ...contract, name: "wait", tag: "query" }),
      () => new Promise<never>(() => {}),
    ),
    implement(
      defineToolContract({ ...contract, name: "hidden", tag: "analyze" }),
      async (input) => ({
        output: input,
      }),
    ),
  ];
  const app = createApp({
    runtime: { ...runtime, pool: { ...runtime.pool, ...given.pool }, ...given.runtime },
    authenticator: {
      provider: "token",
      authenticate: async (request) => {
        authenticated.push(request);
        return refusal ? { refusal } : { caller };
      },
      challengeScopes: [],
      requiredScopes: ["base"],
      stepUp: false,
      ...given.authenticator,
    },
    tools,
    components: { resources: [], resourceTemplates: [], prompts: [] },
    instructions: () => "",
    audit: (build) => audited.push(build()),
    ...(given.observed ?? {
      observer: { call: () => {}, request: tell, limit: tell, refusal: tell },
    }),
    ...(serverless !== undefined && { serverless }),
  });
  const fetch = async (path: string, init: RequestInit = {}, bindings?: object) =>
    app.fetch(new Request(`http://localhost${path}`, init), bindings);
  const post = (body: string, headers: Record<string, string> = {}, bindings?: object) =>
    fetch(
      "/mcp",
      { method: "POST", body, headers: { "content-type": "application/json", ...headers } },
      bindings,
    );
  const call = (name: string, options: RpcOptions = {}, bindings?: object) => {
    const { headers, body } = rpcRequest("tools/call", { name }, options);
    const { signal } = options;
    return fetch("/mcp", { method: "POST", body, headers, ...(signal && { signal }) }, bindings);
  };
  return { app, fetch, post, call, audited, contexts, authenticated, told, logged };
}

const errorOf = async (response: Response) => {
  const { error, id } = JSON.parse(await response.text());
  return [response.status, error.code, error.message, id];
};

describe("the state of the server", () => {
  test("is told to everyone, and kept by no cache", async () => {
    const { fetch, authenticated } = appWith();
    for (const [path, status] of [
      ["/health", "ok"],
      ["/ready", "ready"],
    ] as const) {
      const response = await fetch(path, { headers: { host: "anything.example" } });
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(await response.json()).toMatchObject({ status, version: "1.2.3" });
    }
    expect(authenticated).toEqual([]);
  });

  test("is not ready while reference data is on its way", async () => {
    const { fetch } = appWith({ runtime: { isWarm: () => false } });
    const response = await fetch("/ready");
    expect([response.status, response.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(await response.json()).toMatchObject({ status: "not_ready" });
  });
});

test("any other path is not found", async () => {
  const { fetch } = appWith();
  for (const path of ["/", "/mcp//", "/.well-known/oauth-protected-resource"]) {
    const response = await fetch(path);
    expect([response.status, await response.json()]).toEqual([404, { error: "not_found" }]);
  }
});

test("metadata of the resource is published where there is some", async () => {
  const metadata = { baseUrl: "https://validator.example", authorizationServers: ["https://a"] };
  const { fetch } = appWith({ authenticator: { metadata } });
  for (const path of ["", "/mcp"]) {
    const response = await fetch(`/.well-known/oauth-protected-resource${path}`);
    expect(await response.json()).toMatchObject({ resource: "https://validator.example/mcp" });
  }
});

test("a fault outside the tools is told by an id that is in the log", async () => {
  const broken = () => {
    throw new TypeError("secret");
  };
  const { fetch, logged } = appWith({ runtime: { isWarm: broken } });
  const [status, code, message] = await errorOf(await fetch("/ready"));
  const [, id] = /^Internal error; see (\S{36}) in the log$/.exec(message) ?? [];
  expect([status, code]).toEqual([500, -32603]);
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { where: "request", correlation_id: id },
  ]);
  expect(logged.join()).not.toContain("secret");
});

describe("who is turned away", () => {
  test("by Host or Origin, before anything else is read", async () => {
    const { fetch, authenticated, told } = appWith();
    const host = await fetch("/mcp", { method: "PUT", headers: { host: "attacker.example" } });
    const headers = { host: "localhost", origin: "https://attacker.example" };
    const origin = await fetch("/mcp", { method: "PUT", headers });
    expect([host.status, origin.status]).toEqual([421, 403]);
    expect([told, authenticated]).toEqual([["host", "origin"], []]);
  });

  test("by the operator's lists of hosts and origins", async () => {
    const { fetch } = appWith({
      settings: {
        allowed_hosts: ["validator.example"],
        allowed_origins: ["https://tools.example"],
      },
    });
    const headers = { host: "validator.example", origin: "https://tools.example" };
    expect((await fetch("/mcp", { method: "PUT", headers })).status).toBe(405);
  });

  test("not by the Host in a function, which does not know its address", async () => {
    const { fetch } = appWith({ serverless: true });
    const headers = { host: "abc.lambda-url.eu-west-1.on.aws" };
    expect((await fetch("/mcp", { method: "PUT", headers })).status).toBe(405);
  });

  test("by the method, before authentication; a function knows POST only", async () => {
    const { fetch, authenticated } = appWith();
    const response = await fetch("/mcp", { method: "DELETE" });
    expect(response.headers.get("allow")).toBe("GET, POST");
    expect(await errorOf(response)).toEqual([405, -32600, "Method not allowed", null]);
    const serverless = appWith({ serverless: true });
    const get = await serverless.fetch("/mcp");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    expect([authenticated, serverless.authenticated]).toEqual([[], []]);
  });

  test.each<[Refusal, number, unknown]>([
    [{ kind: "missing" }, 401, null],
    [
      { kind: "invalid_token", description: "Expired." },
      401,
      { error: "invalid_token", error_description: "Expired." },
    ],
  ])("by authentication, with a challenge: %j", async (refusal, status, body) => {
    const { fetch, told } = appWith({ refusal });
    for (const method of ["GET", "POST"]) {
      const response = await fetch("/mcp", { method });
      expect(response.status).toBe(status);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const answer = await response.text();
      expect(answer === "" ? null : JSON.parse(answer)).toEqual(body);
    }
    expect(told).toEqual([refusal.kind, refusal.kind]);
  });

  test("is decided by the headers, and by the untouched event of a function", async () => {
    const { fetch, authenticated } = appWith({ serverless: true });
    const event = { requestContext: {} };
    await fetch("/mcp", { method: "POST", headers: { authorization: "Bearer x" } }, { event });
    expect(authenticated[0]?.headers.get("authorization")).toBe("Bearer x");
    expect(authenticated[0]?.event).toBe(event);
  });
});

describe("the body of a POST", () => {
  test("must be JSON by its media type", async () => {
    const { post } = appWith();
    expect(await errorOf(await post("{}", { "content-type": "text/plain" }))).toEqual([
      415,
      -32600,
      "Content-Type must be application/json",
      null,
    ]);
  });

  test.each([
    ['{"jsonrpc"', 400, -32700, "The body is not JSON"],
    ["[{}]", 400, -32600, "One message per request: batches are refused"],
  ])("must be one message: %s", async (body, ...expected) => {
    const { post, told } = appWith();
    expect(await errorOf(await post(body))).toEqual([...expected, null]);
    expect(told).toEqual([]);
  });

  test("may have four times max_request_bytes before it is not read at all", async () => {
    const readEnvelope = async () => ({ kind: "invalid" }) as const;
    const { post, told } = appWith({ pool: { readEnvelope } });
    const sized = (bytes: number) => post("x".repeat(bytes), { "content-length": String(bytes) });
    expect((await sized(400_000)).status).toBe(400);
    expect(await errorOf(await sized(400_001))).toEqual([
      413,
      -32600,
      "The body is over 400000 bytes",
      null,
    ]);
    expect(told).toEqual(["transport_body"]);
  });

  test.each([
    ["one of the largest", 1, 0, [300_000], 100_000],
    [
      "three quarters of as many of the largest calls as may wait",
      8,
      0,
      [300_000, 200_000],
      100_000,
    ],
    ["as much as an eighth of the memory", 8, 4_800_000, [300_000], 300_000],
  ])("shares its room with others; there is some for %s", async (_, queue, memory, held, fits) => {
    const constrained = vi.spyOn(process, "constrainedMemory").mockReturnValue(memory);
    const { promise: answer, resolve } = Promise.withResolvers<{ kind: "invalid" }>();
    const { post, told } = appWith({
      settings: { max_queued_calls: queue },
      pool: { readEnvelope: () => answer },
    });
    constrained.mockRestore();
    const sized = (bytes: number) => post("x".repeat(bytes), { "content-length": String(bytes) });
    const begun = held.map(sized);
    const refused = await sized(fits + 1);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await errorOf(refused)).toEqual([
      503,
      -32603,
      "The server is busy: retry in a second",
      null,
    ]);
    expect(told).toEqual(["worker_queue"]);
    const last = sized(fits);
    resolve({ kind: "invalid" });
    for (const response of await Promise.all([...begun, last])) expect(response.status).toBe(400);
  });

  test("may not have more values than there is memory for", async () => {
    const readEnvelope = async () => ({ kind: "too_many_values" }) as const;
    const { post, told } = appWith({ pool: { readEnvelope } });
    expect(await errorOf(await post("x".repeat(70_000)))).toEqual([
      413,
      -32600,
      "The body has too many values",
      null,
    ]);
    expect(told).toEqual(["transport_body"]);
  });

  test("of a large call stays a body: the tool reads its arguments from it", async () => {
    const { headers, body } = rpcRequest("tools/call", { name: "echo" });
    const message = JSON.parse(body);
    const readEnvelope: ValidationPool["readEnvelope"] = async ([bytes]) => ({
      kind: "deferred",
      message,
      policyCount: 6,
      body: bytes ?? new Uint8Array(),
    });
    const { post, told, audited } = appWith({ pool: { readEnvelope } });
    const response = await post("x".repeat(70_000), headers);
    expect(await response.json()).toMatchObject({
      result: { structuredContent: { text: "70000 bytes" } },
    });
    expect([told, audited[0]?.policy_count]).toEqual([[70_000], 6]);
  });

  test("of a large call gives its room back when the call is over, and when it is refused", async () => {
    let name = "echo";
    const readEnvelope: ValidationPool["readEnvelope"] = async ([bytes = new Uint8Array()]) => ({
      kind: "deferred",
      message: JSON.parse(rpcRequest("tools/call", { name }).body),
      policyCount: 6,
      body: bytes,
    });
    const { post } = appWith({
      settings: { max_queued_calls: 1 },
      pool: { readEnvelope },
      authenticator: { stepUp: true },
    });
    const { headers } = rpcRequest("tools/call", { name });
    const large = async () => (await post("x".repeat(300_000), headers)).status;
    expect([await large(), await large()]).toEqual([200, 200]);
    name = "hidden";
    expect([await large(), await large()]).toEqual([403, 403]);
  });

  test("is counted in bytes once it is read", async () => {
    const { post, told } = appWith();
    const { headers, body } = rpcRequest("tools/list");
    expect((await post(`${body}  `, headers)).status).toBe(200);
    expect(told).toEqual([body.length + 2]);
  });
});

describe("a call", () => {
  test("is answered and audited, with or without anyone counting", async () => {
    for (const observed of [undefined, false] as const) {
      const { call, audited } = appWith({ ...(observed === false && { observed }) });
      const { result } = (await (await call("echo")).json()) as { result: object };
      expect(result).toMatchObject({ structuredContent: {}, isError: false });
      expect(audited).toMatchObject([{ tool: "echo", subject: "someone", outcome: "success" }]);
    }
  });

  test("of a hidden tool looks like one of no tool", async () => {
    const { call } = appWith();
    for (const name of ["hidden", "absent"]) {
      expect(await errorOf(await call(name))).toEqual([200, -32602, `Tool ${name} not found`, 1]);
    }
  });

  test("of a hidden tool is told which scope it needs, where the operator wants that", async () => {
    const { call, fetch, told } = appWith({ authenticator: { stepUp: true } });
    const response = await call("hidden");
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain('scope="base iam:analyze"');
    expect(await response.json()).toMatchObject({ error: "insufficient_scope" });
    expect(told.filter((what) => typeof what === "string")).toEqual(["insufficient_scope"]);
    for (const name of ["echo", "absent"]) expect((await call(name)).status).toBe(200);
    const { headers, body } = rpcRequest("tools/list");
    expect((await fetch("/mcp", { method: "POST", headers, body })).status).toBe(200);
  });

  test("may answer as much as the setting says, in a function no more than 5.5 MiB", async () => {
    const room = async (given: Given) => {
      const { call, contexts } = appWith(given);
      await call("echo");
      return contexts[0]?.maxResultBytes;
    };
    const settings = { max_response_bytes: 10_000_000 };
    expect(await room({ settings })).toBe(10_000_000);
    expect(await room({ settings, serverless: true })).toBe(5_767_168);
    const small = { max_response_bytes: 1_000_000 };
    expect(await room({ settings: small, serverless: true })).toBe(1_000_000);
  });

  test("ends half a second before the platform would end it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { call } = appWith({ serverless: true });
    const lambdaContext = { getRemainingTimeInMillis: () => 60_000 };
    let ended = false;
    const answer = call("wait", {}, { lambdaContext }).finally(() => {
      ended = true;
    });
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(500);
    vi.useRealTimers();
    expect(await (await answer).json()).toMatchObject({
      result: { content: [{ text: expect.stringContaining("the platform's timeout") }] },
    });
  });

  test("ends when its caller goes away, before it begins or while it runs", async () => {
    const { call, audited } = appWith();
    expect((await call("wait", { signal: AbortSignal.abort() })).status).toBe(499);
    const controller = new AbortController();
    const running = call("wait", { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    expect((await running).status).toBe(499);
    expect(audited.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
  });

  test("is cut when the server closes", async () => {
    const { app, call, audited } = appWith();
    const running = call("wait");
    await new Promise((resolve) => setTimeout(resolve, 10));
    await app.close();
    expect((await running).status).toBe(499);
    expect(audited).toMatchObject([{ outcome: "cancelled" }]);
  });
});

describe("lists", () => {
  const scopeOfCaches = async (provider: string) => {
    const { fetch } = appWith({ authenticator: { provider } });
    const { headers, body } = rpcRequest("tools/list", {}, { era: "2026" });
    const response = await fetch("/mcp", { method: "POST", headers, body });
    return (await response.json()) as object;
  };

  test("are the same for everyone only where callers are not identified", async () => {
    expect(await scopeOfCaches("none")).toMatchObject({ result: { cacheScope: "public" } });
    expect(await scopeOfCaches("token")).toMatchObject({ result: { cacheScope: "private" } });
  });
});

describe("event streams", () => {
  const headers = { accept: "text/event-stream" };

  test("are bounded by max_streams, and end when the server says so", async () => {
    const { app, fetch, told } = appWith({ settings: { max_streams: 1 } });
    const stream = await fetch("/mcp", { headers });
    expect([stream.status, told]).toEqual([200, []]);
    expect((await fetch("/mcp", { headers })).status).toBe(503);
    expect(told).toEqual(["max_streams"]);
    app.endStreams();
    expect(await stream.text()).toBe(": open\n\n");
  });

  test("end when the server closes, and at once those that open after that", async () => {
    const { app, fetch } = appWith();
    const stream = await fetch("/mcp", { headers });
    await app.close();
    expect(await stream.text()).toBe(": open\n\n");
    expect(await (await fetch("/mcp", { headers })).text()).toBe(": open\n\n");
  });

  test("are refused to 2026-07-28, which is no lack of them", async () => {
    const { fetch, told } = appWith();
    const named = { ...headers, "mcp-protocol-version": modernRevision };
    expect((await fetch("/mcp", { headers: named })).status).toBe(405);
    expect(told).toEqual([]);
  });

  test("of a function there are none to end", async () => {
    const { app } = appWith({ serverless: true });
    app.endStreams();
    await expect(app.close()).resolves.toBeUndefined();
  });
});

test("warming up authenticates no caller, calls no tool and leaves no record", async () => {
  for (const serverless of [true, false]) {
    const { app, audited, authenticated, told } = appWith({ serverless });
    await app.warmUp();
    expect([audited, authenticated, told]).toEqual([[], [], []]);
  }
});
