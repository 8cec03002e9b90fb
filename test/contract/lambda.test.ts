import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { createHandler, type FunctionHandler } from "../../src/awslambda.ts";
import {
  answerOf,
  type EventShape,
  eventShapes,
  type HttpRequest,
  shapes,
} from "../support/lambda-events.ts";
import { eras, type RpcOptions, rpcRequest } from "../support/rpc.ts";
import { configPath, tokens, withTokens } from "../support/target.ts";

const hosted = { VALIDATOR_MCP_CONFIG: configPath, VALIDATOR_MCP_LOG_LEVEL: "error" };
const withToken = { ...hosted, VALIDATOR_MCP_AUTH: "token", ...withTokens.environment };
const open = { ...hosted, VALIDATOR_MCP_AUTH: "none" };
const longTime = { getRemainingTimeInMillis: () => 120_000 };

let handler: FunctionHandler;
beforeAll(async () => {
  handler = await createHandler({ environment: withToken });
});

async function send(shape: EventShape, request: HttpRequest, to = handler) {
  return answerOf(await to(eventShapes[shape](request), longTime));
}

function rpc(method: string, params: object, options: RpcOptions = {}): HttpRequest {
  return rpcRequest(method, params, { token: tokens.all, ...options });
}

const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "contract-tests", version: "1" },
};

describe.each(shapes)("an event of a %s", (shape) => {
  test("is answered with one JSON body", async () => {
    const { status, headers, body } = await send(shape, rpc("initialize", initialize));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body.result?.protocolVersion).toBe("2025-11-25");
  });

  test("is answered in the form its sender takes", async () => {
    const result = await handler(eventShapes[shape](rpc("initialize", initialize)), longTime);
    const lists = shape === "load balancer with header lists";
    expect(Object.keys(result).toSorted()).toEqual(
      [
        "body",
        lists ? "multiValueHeaders" : "headers",
        "isBase64Encoded",
        "statusCode",
        ...(shape.startsWith("load balancer") ? ["statusDescription"] : []),
      ].toSorted(),
    );
    expect(result.isBase64Encoded).toBe(false);
  });

  test("may carry its body in base64", async () => {
    const { body } = await send(shape, { ...rpc("initialize", initialize), base64: true });
    expect(body.result?.protocolVersion).toBe("2025-11-25");
  });

  test.each(eras)("reaches a tool on revisions of %s", async (era) => {
    const { body } = await send(
      shape,
      rpc("tools/call", { name: "describe_checks", arguments: { check_ids: [] } }, { era }),
    );
    expect(body.result).toMatchObject({ isError: false });
  });

  test("without credentials is 401 with a challenge", async () => {
    const { status, headers } = await send(shape, rpcRequest("tools/list"));
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  test.each(["GET", "DELETE", "PUT"])("of a %s is 405, for any caller", async (method) => {
    const { status, headers } = await send(shape, { method, headers: {} });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("POST");
  });

  test("for a subscription is not a method at all", async () => {
    const { status, body } = await send(
      shape,
      rpc("subscriptions/listen", { notifications: {} }, { era: "2026" }),
    );
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: -32601 }, id: 1 });
  });

  test("that ranks event streams first still gets JSON", async () => {
    const { headers } = await send(
      shape,
      rpc("tools/list", {}, { headers: { accept: "text/event-stream, application/json;q=0.1" } }),
    );
    expect(headers.get("content-type")).toBe("application/json");
  });

  test("of a notification is 202 without a body", async () => {
    const request = rpc("notifications/initialized", {});
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const { status, text } = await send(shape, { ...request, body });
    expect([status, text]).toEqual([202, ""]);
  });

  test("with a header that is not ASCII is read as a server would read its bytes", async () => {
    const request = rpc("initialize", initialize, { headers: { "x-team": "Sécurité 🔒" } });
    expect((await send(shape, request)).status).toBe(200);
    const wrong = rpcRequest("tools/list", {}, { token: "tökén" });
    expect((await send(shape, wrong)).status).toBe(401);
  });

  test("with broken base64 or no body is a parse error", async () => {
    const request = rpc("initialize", initialize);
    const broken = { ...eventShapes[shape](request), body: "@@@", isBase64Encoded: true };
    const answer = answerOf(await handler(broken, longTime));
    expect([answer.status, answer.body]).toEqual([
      400,
      { jsonrpc: "2.0", error: { code: -32700, message: expect.any(String) }, id: null },
    ]);
    const { body: _, ...empty } = request;
    expect((await send(shape, empty)).status).toBe(400);
  });

  test("for another path is 404, and /health and /ready are there", async () => {
    expect((await send(shape, { method: "GET", path: "/" })).status).toBe(404);
    for (const path of ["/health", "/ready"]) {
      expect((await send(shape, { method: "GET", path })).status).toBe(200);
    }
  });

  test("from a foreign page is refused", async () => {
    const request = rpc("tools/list", {}, { headers: { origin: "https://evil.example.com" } });
    expect((await send(shape, request)).status).toBe(403);
  });
});

describe("paths", () => {
  test("do not change with a Host header that has a path or a query", async () => {
    for (const host of ["a.example/health?", "a.example/x", "a.example#", "user@a.example/"]) {
      const shape = { method: "GET", path: "/none", headers: { host } };
      expect([host, (await send("HTTP API 2.0", shape)).status]).toEqual([host, 404]);
    }
  });

  test.each<EventShape>(["HTTP API 2.0", "HTTP API 1.0", "REST API"])(
    "of a named stage of a %s lose its name",
    async (shape) => {
      for (const stage of ["prod", "mcp"]) {
        const { status } = await send(shape, { ...rpc("initialize", initialize), stage });
        expect([stage, status]).toEqual([stage, 200]);
      }
    },
  );

  test("that only begin like the stage keep it", async () => {
    const { status } = await send("REST API", { method: "GET", path: "/healthy", stage: "health" });
    expect(status).toBe(404);
  });
});

describe("events that are not HTTP request", () => {
  test.each([
    ["null", null],
    ["text", "hello"],
    ["a scheduled event", { source: "aws.events", "detail-type": "Scheduled Event", detail: {} }],
    ["records of a queue", { Records: [{ eventSource: "aws:sqs", body: "{}" }] }],
    ["no path", { httpMethod: "POST", headers: {}, requestContext: {} }],
    ["headers of a wrong type", { ...eventShapes["function URL"]({}), headers: { accept: 1 } }],
    ["a method that cannot be sent", eventShapes["function URL"]({ method: "TRACE" })],
  ])("%s: 400, no exception", async (_, event) => {
    const { status, body } = answerOf(await handler(event, longTime));
    expect([status, body]).toEqual([400, { error: "invalid_event" }]);
  });

  test("a header value that no header may have is refused and not logged", async () => {
    const written: string[] = [];
    const print = console.error;
    console.error = (...parts) => written.push(parts.join(" "));
    const headers = { authorization: "Bearer s3cr3t\nvalue" };
    const { status } = await send("function URL", { headers });
    console.error = print;
    expect(status).toBe(400);
    expect(written).toEqual([]);
  });

  test("several headers of one name are all heard", async () => {
    const event = eventShapes["load balancer with header lists"](rpc("initialize", initialize));
    const accept = ["application/json", "text/event-stream"];
    const lists = { ...event.multiValueHeaders, accept };
    const { status } = answerOf(await handler({ ...event, multiValueHeaders: lists }, longTime));
    expect(status).toBe(200);
  });
});

/** A policy with at least one finding per statement. */
const findings = (statements: number) => ({
  Version: "2012-10-17",
  Statement: Array.from({ length: statements }, (_, index) => ({
    Sid: `S${index}`,
    Effect: "Allow",
    Action: "*",
    Resource: "*",
  })),
});

function validate(statements: number, detail: string, headers?: Record<string, string>) {
  const call = {
    name: "validate_policies",
    arguments: { policies: [findings(statements)], detail },
  };
  return rpcRequest("tools/call", call, { ...(headers && { headers }) });
}

describe("time", () => {
  test("that is nearly up makes a call a tool error, not a lost answer", async () => {
    const free = await createHandler({ environment: open });
    const almostOver = { getRemainingTimeInMillis: () => 510 };
    const event = eventShapes["function URL"](validate(5_000, "full"));
    const { status, body } = answerOf(await free(event, almostOver));
    expect(status).toBe(200);
    expect(body.result).toEqual({
      content: [{ type: "text", text: expect.stringContaining("ran out of time: the platform's") }],
      isError: true,
    });
  });
});

// Seven seconds on two quiet cores.
describe("large answers", { timeout: 120_000 }, () => {
  let wide: FunctionHandler;
  beforeAll(async () => {
    const environment = {
      ...open,
      VALIDATOR_MCP_MAX_RESPONSE_BYTES: String(64 * 1_048_576),
      VALIDATOR_MCP_REQUEST_TIMEOUT_S: "120",
    };
    wide = await createHandler({ environment });
  });

  test("are degraded to 5.5 MiB though the setting allows more", async () => {
    const { body, bytes } = await send("function URL", validate(4_000, "full"), wide);
    expect(body.result).toMatchObject({ structuredContent: { truncated: true } });
    expect(bytes.byteLength).toBeLessThanOrEqual(5.5 * 1_048_576 + 200);
  });

  test("are written so that the platform takes them, quotes and all", async () => {
    const gzip = { "accept-encoding": "br;q=1.0, gzip;q=0.8" };
    for (const statements of [500, 1_500, 2_000, 2_500]) {
      const result = await wide(
        eventShapes["function URL"](validate(statements, "full", gzip)),
        longTime,
      );
      expect(result.statusCode).toBe(200);
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(6_291_556);
    }
  });

  test("reach a load balancer compressed, whose own limit is lower", async () => {
    const event = eventShapes["load balancer"](
      validate(600, "full", { "accept-encoding": "gzip" }),
    );
    const result = await wide(event, longTime);
    expect(result.isBase64Encoded).toBe(true);
    expect(result.headers).toMatchObject({ "content-encoding": "gzip" });
    const text = gunzipSync(Buffer.from(result.body, "base64")).toString();
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(JSON.parse(text).result.isError).toBe(false);
  });

  test("that no form can carry are an error that says what to do", async () => {
    const { status, body } = await send("load balancer", validate(600, "full"), wide);
    expect(status).toBe(500);
    expect(body).toMatchObject({
      error: { code: -32603, message: expect.stringContaining("fewer policies") },
    });
  });
});
