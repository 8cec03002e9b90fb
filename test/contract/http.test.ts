import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RawRequest, raw } from "../support/http.ts";
import { startInProcess } from "../support/in-process.ts";
import { call, eras, modernRevision, readOnly, rpc, rpcRequest } from "../support/rpc.ts";
import { type ChosenTarget, startTarget, targetStreams } from "../support/start-target.ts";
import { tokens, withTokens } from "../support/target.ts";

let open: ChosenTarget;
let closed: ChosenTarget;
beforeAll(async () => {
  open = await startTarget();
  closed = await startTarget(withTokens);
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
});

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const allow = targetStreams ? "GET, POST" : "POST";
const list = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });

interface Row {
  readonly name: string;
  readonly request: RawRequest;
  readonly status: number;
  /** JSON-RPC error of the body. */
  readonly code?: number;
  readonly id?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is not text, which a function's event cannot carry as it is. */
  readonly binary?: true;
}

const rows: readonly Row[] = [
  { name: "answers a request with 200", request: { body: list, headers: json }, status: 200 },
  {
    name: "takes a notification with 202",
    request: {
      body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      headers: json,
    },
    status: 202,
  },
  {
    name: "refuses text that is not JSON with 400",
    request: { body: '{"jsonrpc":', headers: json },
    status: 400,
    code: -32700,
    id: null,
  },
  {
    name: "refuses an empty body with 400",
    request: { body: "", headers: json },
    status: 400,
    code: -32700,
    id: null,
  },
  {
    name: "refuses text that is not UTF-8 with 400",
    request: { body: Buffer.from([0x22, 0xff, 0x22]), headers: json },
    binary: true,
    status: 400,
    code: -32700,
    id: null,
  },
  {
    name: "refuses a batch with 400",
    request: { body: `[${list}]`, headers: json },
    status: 400,
    code: -32600,
    id: null,
  },
  {
    name: "refuses an empty batch with 400",
    request: { body: "[]", headers: json },
    status: 400,
    code: -32600,
    id: null,
  },
  {
    name: "refuses JSON that is not a JSON-RPC message with 400",
    request: { body: '{"hello":1}', headers: json },
    status: 400,
    code: -32600,
  },
  {
    name: "refuses a request whose id is null with 400",
    request: { body: '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', headers: json },
    status: 400,
    code: -32600,
  },
  {
    name: "refuses a version it does not speak with 400",
    request: { body: list, headers: { ...json, "mcp-protocol-version": "2019-01-01" } },
    status: 400,
    code: -32000,
  },
  {
    name: "refuses a modern header on a body without the envelope with 400",
    request: { body: list, headers: { ...json, "mcp-protocol-version": modernRevision } },
    status: 400,
    code: -32602,
    id: 7,
  },
  {
    name: "refuses a modern body whose method header is another with 400",
    request: {
      ...rpcRequest("tools/list", {}, { era: "2026", id: 7, headers: { "mcp-method": "x/y" } }),
    },
    status: 400,
    code: -32020,
    id: 7,
  },
  {
    name: "refuses a media type that is not JSON with 415",
    request: { body: list, headers: { ...json, "content-type": "text/plain" } },
    status: 415,
    code: -32600,
  },
  {
    name: "refuses a body without a media type with 415",
    request: { body: list, headers: { accept: json.accept } },
    status: 415,
    code: -32600,
  },
  {
    name: "refuses a client that accepts no form of the answer with 406",
    request: { body: list, headers: { ...json, accept: "text/html" } },
    status: 406,
    code: -32600,
  },
  {
    name: "answers a client that accepts JSON only",
    request: { body: list, headers: { ...json, accept: "application/json" } },
    status: 200,
  },
  {
    name: "answers a client that accepts everything",
    request: { body: list, headers: { ...json, accept: "*/*" } },
    status: 200,
  },
  {
    name: "answers a client that accepts event streams only",
    request: { body: list, headers: { ...json, accept: "text/event-stream" } },
    status: 200,
  },
  {
    name: "refuses DELETE with 405",
    request: { method: "DELETE" },
    status: 405,
    code: -32600,
    headers: { allow },
  },
  {
    name: "refuses PUT with 405",
    request: { method: "PUT", body: list, headers: json },
    status: 405,
    headers: { allow },
  },
  {
    name: "refuses OPTIONS with 405, as no web page has business here",
    request: { method: "OPTIONS" },
    status: 405,
    headers: { allow },
  },
  { name: "refuses HEAD with 405", request: { method: "HEAD" }, status: 405 },
];

describe("statuses of /mcp", () => {
  test.each(rows.filter(({ binary }) => targetStreams || !binary))(
    "$name",
    async ({ request, status, code, id, headers }) => {
      const answer = await raw(`${open.url}/mcp`, { method: "POST", ...request });
      expect(answer.status).toBe(status);
      if (headers) expect(answer.headers).toMatchObject(headers);
      if (code === undefined) return;
      const body = JSON.parse(answer.text);
      expect(body).toMatchObject({ jsonrpc: "2.0", error: { code, message: expect.any(String) } });
      if (id !== undefined) expect(body.id).toEqual(id);
    },
  );

  test("a body that is JSON but no object is refused", async () => {
    for (const body of ["1", '"text"', "null", "true"]) {
      const { status } = await raw(`${open.url}/mcp`, { method: "POST", body, headers: json });
      expect(status, body).toBe(400);
    }
  });

  test("the media type may carry a charset and any letter case", async () => {
    const headers = { ...json, "content-type": "Application/JSON; charset=utf-8" };
    const { status } = await raw(`${open.url}/mcp`, { method: "POST", body: list, headers });
    expect(status).toBe(200);
  });
});

describe("order of the checks", () => {
  const foreign = { origin: "https://attacker.example" };

  test("a foreign Origin is refused before anything else is looked at", async () => {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const { status } = await raw(`${closed.url}/mcp`, { method, headers: foreign });
      expect(status, method).toBe(403);
    }
  });

  test("a wrong method is refused before authentication", async () => {
    const { status } = await raw(`${closed.url}/mcp`, { method: "DELETE" });
    expect(status).toBe(405);
  });

  test("authentication comes before the media type and the body", async () => {
    const { status } = await raw(`${closed.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: "not JSON",
    });
    expect(status).toBe(401);
  });

  test.runIf(targetStreams)("GET is authenticated too", async () => {
    const headers = { accept: "text/event-stream" };
    expect((await raw(`${closed.url}/mcp`, { headers })).status).toBe(401);
  });
});

describe("challenges", () => {
  test("without credentials: 401, a challenge without an error, no body", async () => {
    const { status, headers, text } = await rpc(closed, "tools/list");
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(headers.get("www-authenticate")).not.toContain("error");
    expect(text).toBe("");
  });

  test("with an unknown token: 401 invalid_token, in the challenge and in the body", async () => {
    const { status, headers, text } = await rpc(closed, "tools/list", {}, { token: "nonsense" });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect(JSON.parse(text)).toEqual({
      error: "invalid_token",
      error_description: expect.any(String),
    });
    expect(text).not.toContain("nonsense");
  });

  test("a known token passes, in both eras", async () => {
    for (const era of eras) {
      const { status } = await rpc(closed, "tools/list", {}, { token: tokens.query, era });
      expect(status).toBe(200);
    }
  });
});

describe("answers", () => {
  test.each(eras)("are one JSON body with the id of the request (%s)", async (era) => {
    for (const id of ["a-string", 0, -5]) {
      const { headers, body } = await rpc(open, "tools/list", {}, { era, id });
      expect(headers.get("content-type")).toMatch(/^application\/json/);
      expect(body.id).toBe(id);
    }
  });

  test.runIf(targetStreams)(
    "are an event stream for an older client that ranks streams above JSON",
    async () => {
      const accept = "application/json;q=0.5, text/event-stream";
      const { status, headers, body } = await rpc(open, "tools/list", {}, { headers: { accept } });
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/event-stream");
      expect(headers.get("x-accel-buffering")).toBe("no");
      expect(body.result?.tools).toBeInstanceOf(Array);
    },
  );

  test("carry no session and no CORS headers", async () => {
    const origin = open.url;
    for (const era of eras) {
      const { headers } = await rpc(open, "tools/list", {}, { era, headers: { origin } });
      const names = [...headers.keys()];
      expect(names.filter((name) => /^(access-control-|mcp-session)/.test(name))).toEqual([]);
    }
  });

  test("a session id that a client sends is ignored", async () => {
    const headers = { "mcp-session-id": "made-up" };
    const { status } = await rpc(open, "tools/list", {}, { headers });
    expect(status).toBe(200);
  });
});

describe("paths", () => {
  test("/mcp/ answers as /mcp does, without a redirect", async () => {
    const answers = ["/mcp", "/mcp/"].map((path) =>
      raw(open.url + path, { method: "POST", body: list, headers: json }),
    );
    const [plain, slash] = await Promise.all(answers);
    expect(slash?.status).toBe(200);
    expect(slash?.text).toBe(plain?.text);
  });

  test.each(["/", "/mcp//", "/MCP", "/mcp/x", "/healthz", "/.well-known/oauth-protected-resource"])(
    "%s is not there",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        expect((await raw(open.url + path, { method })).status).toBe(404);
      }
    },
  );
});

test("a failure outside a tool is a 500 without details", async () => {
  const broken = await startInProcess({
    adjust: (runtime) => ({
      ...runtime,
      isWarm: () => {
        throw new Error("secret detail");
      },
    }),
  });
  const answer = await raw(`${broken.url}/ready`);
  await broken.stop();
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.text).error.code).toBe(-32603);
  expect(answer.text + broken.log.text).not.toContain("secret detail");
  const [, id = "missing"] = /see (\S+) in the log/.exec(answer.text) ?? [];
  expect(broken.log.text).toContain(id);
});

test("a real call goes through in both eras", async () => {
  for (const era of eras) {
    const { body } = await call(open, "validate_policies", { policies: [readOnly] }, { era });
    expect(body.result).toMatchObject({
      isError: false,
      structuredContent: { results: [{ is_valid: true }], truncated: false },
    });
  }
});
