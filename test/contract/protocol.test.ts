import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientKinds, connect } from "../support/clients.ts";
import { call, type Era, eras, modernRevision, readOnly, rpc } from "../support/rpc.ts";
import { type ChosenTarget, startTarget } from "../support/start-target.ts";
import { tokens, withTokens } from "../support/target.ts";

let target: ChosenTarget;
let version: string;
beforeAll(async () => {
  target = await startTarget(withTokens);
  ({ version } = (await (await fetch(`${target.url}/health`)).json()) as { version: string });
});
afterAll(() => target.stop());

const all = { token: tokens.all };
const modern = { ...all, era: "2026" } as const;

function initialize(protocolVersion: string) {
  const params = {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "contract-tests", version: "1" },
  };
  return rpc(target, "initialize", params, all);
}

describe("initialize", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "agrees on %s",
    async (version) => {
      const { status, body } = await initialize(version);
      expect(status).toBe(200);
      expect(body.result?.protocolVersion).toBe(version);
    },
  );

  test.each(["1999-01-01", "2099-01-01", "nonsense", "2026-07-28"])(
    "answers %s with the newest revision that has a handshake",
    async (version) => {
      const { status, body } = await initialize(version);
      expect(status).toBe(200);
      expect(body.result?.protocolVersion).toBe("2025-11-25");
    },
  );

  test("tells who answers, what there is and how to use it", async () => {
    const { body } = await initialize("2025-11-25");
    expect(body.result).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: {
        name: "validator-mcp",
        title: "IAM Policy Validator",
        version,
      },
      instructions: expect.stringMatching(/^[\s\S]{100,}$/),
    });
  });

  test("is not needed before other requests", async () => {
    const { body } = await rpc(target, "tools/list", {}, all);
    expect(body.result?.tools).toHaveLength(5);
  });

  test.each(["2025-11-25", "2025-06-18", "2025-03-26"])(
    "requests that name %s in their header are answered",
    async (version) => {
      const headers = { "mcp-protocol-version": version };
      const { status } = await rpc(target, "tools/list", {}, { ...all, headers });
      expect(status).toBe(200);
    },
  );
});

describe("server/discover", () => {
  test("tells the same as initialize, and only for this caller", async () => {
    const { status, body } = await rpc(target, "server/discover", {}, modern);
    const { body: handshake } = await initialize("2025-11-25");
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: [modernRevision],
      capabilities: handshake.result?.capabilities,
      instructions: handshake.result?.instructions,
      ttlMs: 3_600_000,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": handshake.result?.serverInfo },
    });
  });
});

describe("methods", () => {
  test.each(["no/such", "resources/subscribe", "completion/complete", "logging/setLevel"])(
    "%s is -32601, with HTTP 404 on 2026-07-28",
    async (method) => {
      const older = await rpc(target, method, {}, all);
      expect([older.status, older.body.error?.code]).toEqual([200, -32601]);
      const newer = await rpc(target, method, {}, modern);
      expect([newer.status, newer.body.error?.code]).toEqual([404, -32601]);
    },
  );

  test("ping is answered where the revision has it", async () => {
    expect((await rpc(target, "ping", {}, all)).body.result).toEqual({});
    expect((await rpc(target, "ping", {}, modern)).status).toBe(404);
  });

  test.each(["tools/list", "resources/list", "resources/templates/list", "prompts/list"])(
    "%s has one page: no cursor is given, none is known",
    async (method) => {
      for (const era of eras) {
        const { body } = await rpc(target, method, {}, { ...all, era });
        expect(body.result).not.toHaveProperty("nextCursor");
        const next = await rpc(target, method, { cursor: "2" }, { ...all, era });
        expect(next.body.error?.code).toBe(-32602);
      }
    },
  );
});

describe("parameters that do not fit their method are -32602", () => {
  test.each<[string, object]>([
    ["initialize", {}],
    ["initialize", { protocolVersion: 1, capabilities: {}, clientInfo: {} }],
    ["tools/call", {}],
    ["tools/call", { name: 5 }],
    ["tools/call", { name: "query", arguments: "text" }],
    ["tools/list", { cursor: 5 }],
    ["resources/read", {}],
    ["resources/read", { uri: ["iam://checks"] }],
    ["prompts/get", { name: "review_policy_security", arguments: { policy_json: {} } }],
    ["prompts/get", {}],
  ])("%s %o", async (method, params) => {
    const { status, body } = await rpc(target, method, params, all);
    expect([status, body.error?.code]).toEqual([200, -32602]);
    expect(body.error?.message.length).toBeLessThan(300);
  });
});

describe("caching hints of 2026-07-28", () => {
  const methods: [string, object][] = [
    ["tools/list", {}],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["prompts/list", {}],
    ["resources/read", { uri: "iam://checks" }],
  ];

  test.each(methods)("%s may be kept five minutes, by its caller alone", async (method, params) => {
    const { body } = await rpc(target, method, params, modern);
    expect(body.result).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
  });

  test("without authentication everyone sees the same, so caches may be shared", async () => {
    const open = await startTarget();
    const { body } = await rpc(open, "tools/list", {}, { era: "2026" });
    await open.stop();
    expect(body.result).toMatchObject({ ttlMs: 300_000, cacheScope: "public" });
  });

  test("with step-up, lists may not be kept: the caller may get more tools", async () => {
    const growing = await startTarget({
      ...withTokens,
      environment: { ...withTokens.environment, VALIDATOR_MCP_AUTH_STEP_UP: "1" },
    });
    for (const [method, params] of methods.slice(0, 4)) {
      const { body } = await rpc(growing, method, params, modern);
      expect([method, body.result?.ttlMs]).toEqual([method, 0]);
    }
    await growing.stop();
  });

  test("older revisions know none", async () => {
    const { body } = await rpc(target, "tools/list", {}, all);
    expect(Object.keys(body.result ?? {})).toEqual(["tools"]);
  });
});

interface ListedTool {
  name: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  annotations: Record<string, unknown>;
}

async function listedTools(): Promise<ListedTool[]> {
  const { body } = await rpc(target, "tools/list", {}, all);
  return (body.result?.tools ?? []) as ListedTool[];
}

async function contentsOf(uri: string, era: Era = "2025"): Promise<Record<string, string>[]> {
  const { body } = await rpc(target, "resources/read", { uri }, { ...all, era });
  return (body.result?.contents ?? []) as Record<string, string>[];
}

describe("the list of tools", () => {
  test("says that nothing changes anything, and that one tool reaches out", async () => {
    for (const { name, annotations } of await listedTools()) {
      expect(annotations).toEqual({
        readOnlyHint: true,
        openWorldHint: name === "analyze_policy",
      });
    }
  });

  test("publishes closed inputs and object outputs", async () => {
    for (const { inputSchema, outputSchema } of await listedTools()) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
      for (const root of ["oneOf", "anyOf", "allOf"]) expect(inputSchema).not.toHaveProperty(root);
    }
  });

  test("shows nothing of local mode", async () => {
    const listed = await listedTools();
    expect(listed.map(({ name }) => name)).not.toContain("set_config");
    for (const { inputSchema } of listed) {
      const fields = Object.keys((inputSchema.properties ?? {}) as object);
      expect(fields).not.toContainEqual(expect.stringMatching(/^(path|glob|config|profile)$/));
    }
  });

  test("is the same in both eras and for every call", async () => {
    const older = await rpc(target, "tools/list", {}, all);
    const again = await rpc(target, "tools/list", {}, all);
    const newer = await rpc(target, "tools/list", {}, modern);
    expect(again.text).toBe(older.text);
    expect(newer.body.result?.tools).toEqual(older.body.result?.tools);
  });
});

describe("resources and prompts", () => {
  test.each(eras)("a resource is one text of its type (%s)", async (era) => {
    const [content, ...rest] = await contentsOf("iam://checks", era);
    expect(rest).toEqual([]);
    expect(content).toEqual({
      uri: "iam://checks",
      mimeType: "application/json",
      text: expect.any(String),
    });
    expect(JSON.parse(content?.text ?? "")).toBeInstanceOf(Array);
  });

  test("an unknown category is refused with the known ones", async () => {
    for (const era of eras) {
      const uri = "iam://sensitive-actions/nothing";
      const { status, body } = await rpc(target, "resources/read", { uri }, { ...all, era });
      expect(status).toBe(200);
      expect(body.error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/credential_exposure.*data_access.*/),
      });
    }
  });

  test("an unknown check is not an error", async () => {
    const [content] = await contentsOf("iam://checks/nothing");
    expect(JSON.parse(content?.text ?? "")).toMatchObject({ description: "Check not found" });
  });

  test("a prompt without a required argument is refused, naming it", async () => {
    for (const era of eras) {
      const params = { name: "review_policy_security", arguments: {} };
      const { body } = await rpc(target, "prompts/get", params, { ...all, era });
      expect(body.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining("policy_json"),
      });
    }
  });

  test("a prompt is one user message of one text", async () => {
    const params = { name: "review_policy_security", arguments: { policy_json: "{}" } };
    const { body } = await rpc(target, "prompts/get", params, all);
    expect(body.result?.messages).toEqual([
      { role: "user", content: { type: "text", text: expect.any(String) } },
    ]);
  });
});

describe("results of tools", () => {
  test.each(eras)("are the same as structure and as text (%s)", async (era) => {
    const { body } = await call(target, "describe_checks", {}, { ...all, era });
    const { content, structuredContent, isError } = body.result as {
      content: { type: string; text: string }[];
      structuredContent: object;
      isError: boolean;
    };
    expect(isError).toBe(false);
    expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  });

  test.each(eras)("arguments that do not fit are a tool error with the field (%s)", async (era) => {
    const cases: [string, object, RegExp][] = [
      ["describe_checks", { check_ids: 1 }, /check_ids.*array/],
      ["describe_checks", { check_ids: ["a", 2] }, /check_ids\[1\].*string/],
      ["describe_checks", { nonsense: true }, /unknown field "nonsense"/],
      ["get_config", { nonsense: true }, /unknown field "nonsense"/],
      ["validate_policies", {}, /policies/],
      ["validate_policies", { policies: [readOnly], format: "pdf" }, /format.*csv.*sarif/],
      ["validate_policies", { policies: [readOnly], detail: "all" }, /detail.*summary.*full/],
      ["query", { kind: "all" }, /kind.*service_actions.*expand_wildcard/],
      ["query", { kind: "service_actions" }, /service_actions.*service/],
    ];
    for (const [name, args, text] of cases) {
      const { status, body } = await call(target, name, args, { ...all, era });
      expect(status).toBe(200);
      expect(body.result).toMatchObject({
        content: [{ type: "text", text: expect.stringMatching(text) }],
        isError: true,
      });
      expect(body.result).not.toHaveProperty("structuredContent");
    }
  });

  test("an error quotes no more than the beginning of what was sent", async () => {
    const key = `k${"x".repeat(5000)}`;
    const { text } = await call(target, "describe_checks", { [key]: 1 }, all);
    expect(text).toContain("kxxx");
    expect(text.length).toBeLessThan(500);
  });

  test("arguments that are not an object are not a call", async () => {
    const params = { name: "describe_checks", arguments: [1] };
    for (const era of eras) {
      const { body } = await rpc(target, "tools/call", params, { ...all, era });
      expect(body.error?.code).toBe(-32602);
    }
  });

  test("nesting of any depth is survived", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_policies","arguments":{"policies":[{"Statement":${deep}}]}}}`;
    const response = await fetch(`${target.url}/mcp`, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        authorization: `Bearer ${tokens.all}`,
      },
      body,
    });
    expect(response.status).toBe(200);
    const { result } = (await response.json()) as { result: Record<string, unknown> };
    expect(JSON.stringify(result)).not.toContain("fault in this server");
  });
});

describe.each(clientKinds)("%s", (kind) => {
  test("gets findings about a real policy", async () => {
    const client = await connect(target, kind, tokens.all);
    try {
      expect(client.getServerVersion()?.name).toBe("validator-mcp");
      expect(client.getInstructions()).toMatch(/.{100}/s);
      // Its result is checked against the published output schema by the client.
      await client.listTools();
      const policy = JSON.stringify({ ...readOnly, Version: "2012-10-18" });
      const answer = await client.callTool({
        name: "validate_policies",
        arguments: { policies: [policy] },
      });
      expect(answer).toMatchObject({
        isError: false,
        structuredContent: { results: [{ is_valid: false }] },
      });
    } finally {
      await client.close();
    }
  });

  test("gets every tool's result past its own schema check", async () => {
    const client = await connect(target, kind, tokens.all);
    try {
      await client.listTools();
      const calls = [
        { name: "describe_checks", arguments: {} },
        { name: "get_config", arguments: {} },
        { name: "query", arguments: { kind: "service_actions", service: "s3" } },
        { name: "query", arguments: { kind: "action_details", actions: ["s3:GetObject"] } },
        { name: "query", arguments: { kind: "expand_wildcard", patterns: ["s3:Get*"] } },
        { name: "query", arguments: { kind: "condition_keys", service: "s3" } },
        { name: "query", arguments: { kind: "arn_formats", service: "s3" } },
        ...["summary", "findings", "full"].map((detail) => ({
          name: "validate_policies",
          arguments: { policies: [readOnly], detail },
        })),
      ];
      for (const each of calls) {
        expect(await client.callTool(each), JSON.stringify(each)).toMatchObject({ isError: false });
      }
    } finally {
      await client.close();
    }
  });

  test("gets a tool error as a result, and an unknown tool as an exception", async () => {
    const client = await connect(target, kind, tokens.all);
    try {
      const refused = await client.callTool({ name: "query", arguments: { kind: "nonsense" } });
      expect(refused).toMatchObject({ isError: true });
      await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
      await expect(client.readResource({ uri: "iam://nothing" })).rejects.toMatchObject({
        code: -32602,
      });
      await expect(client.getPrompt({ name: "nothing" })).rejects.toMatchObject({ code: -32602 });
    } finally {
      await client.close();
    }
  });

  test("is told when its token is no good", async () => {
    await expect(connect(target, kind, "nonsense")).rejects.toThrow();
  });
});
