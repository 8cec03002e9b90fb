import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnyClient, clientKinds } from "../support/clients.ts";
import { callLocal, command, connectLocal, folderWith, startLocal } from "../support/local.ts";
import { modernRevision, readOnly } from "../support/rpc.ts";
import { slowConfig, slowPolicy, validate } from "../support/slow-policy.ts";

const initialize = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "contract-tests", version: "1" },
  },
};
const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": modernRevision,
  "io.modelcontextprotocol/clientCapabilities": {},
};

const localTools = [
  "validate_policies",
  "query",
  "describe_checks",
  "get_config",
  "set_config",
  "analyze_policy",
];

describe.each(clientKinds)("over stdio, %s", (kind) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connectLocal(kind);
  });
  afterAll(() => client.close());

  test("sees the local tools in their order, and the resources and prompts of the hosted server", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(localTools);
    expect((await client.listResources()).resources).toHaveLength(4);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    expect((await client.listPrompts()).prompts).toHaveLength(3);
  });

  test("calls a tool without proving who it is", async () => {
    const { isError, output } = await callLocal(client, "validate_policies", {
      policies: [readOnly, "{"],
    });
    expect(isError).toBe(false);
    expect(output.results).toMatchObject([
      { is_valid: true, file: null, document: null },
      { is_valid: false, issues: [{ issue_type: "invalid_syntax", file: null }] },
    ]);
  });

  test("is told who serves, and how to use it", () => {
    expect(client.getServerVersion()).toMatchObject({ name: "validator-mcp" });
    expect(client.getInstructions()).toMatch(/least privilege/);
  });
});

describe("standard output", () => {
  const noisy = `
    console.log("noise at import");
    process.stdout.write("more noise\\n");
    export const check = {
      check_id: "noisy", default_severity: "low", description: "Of the tests.",
      options: { safeParse: (value) => ({ success: true, data: value }) },
      *runStatement() {
        console.log("noise at run time");
        console.info("noise"); console.debug("noise"); console.table([1]);
        process.stdout.write("noise without an end");
      },
    };`;

  test.each(["2025", "2026"])(
    "carries protocol only, whatever a check prints (%s)",
    async (era) => {
      const { folder, remove } = await folderWith({
        "checks/noisy.mjs": noisy,
        "validator-mcp.yaml": "noisy: { enabled: true }\nsettings: { surprise: 1 }\n",
        "policy.json": JSON.stringify(readOnly),
      });
      const server = startLocal({
        cwd: folder,
        args: ["--custom-checks-dir", "checks", "--unknown-names", "warn"],
      });
      const meta = era === "2026" ? { _meta: modernMeta } : {};
      const calls: [string, object][] = [
        ["validate_policies", { path: "policy.json" }],
        ["validate_policies", { policies: ["Statement: []"], format: "html" }],
        ["query", { kind: "service_actions", service: "s3" }],
        ["describe_checks", {}],
        ["get_config", {}],
        ["set_config", { action: "set", config: { service_wildcard: { severity: "low" } } }],
        ["set_config", { action: "load", yaml: "[" }],
        ["analyze_policy", { policy: readOnly, partition: "nowhere" }],
        ["no_such_tool", {}],
      ];
      if (era === "2025") {
        server.send(initialize);
        server.send({ method: "notifications/initialized" });
      } else {
        server.send({ id: 1, method: "server/discover", params: meta });
      }
      for (const [index, [name, args]] of calls.entries()) {
        const params = { name, arguments: args, ...meta };
        server.send({ id: index + 2, method: "tools/call", params });
      }
      const lines = await server.stdout.atLeast(calls.length + 1);
      server.child.stdin.end();
      expect(await server.exited).toBe(0);
      await remove();
      const messages = lines.map((line) => JSON.parse(line));
      expect(messages.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
        [...calls.keys(), calls.length].map((index) => index + 1),
      );
      expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
      expect(server.stdout.all).toHaveLength(calls.length + 1);
      expect(server.stderr.text).toContain("noise at import");
      expect(server.stderr.text).toContain("noise at run time");
    },
  );

  test("carries no audit record, and standard error no policy", async () => {
    const server = startLocal();
    server.send(initialize);
    const policy = { Statement: { Sid: "canary7f3a", Effect: "Allow", Action: "*" } };
    const params = { name: "validate_policies", arguments: { policies: [policy] } };
    server.send({ id: 2, method: "tools/call", params });
    const lines = await server.stdout.atLeast(2);
    server.child.stdin.end();
    await server.exited;
    expect(lines.filter((line) => line.includes("config_digest"))).toHaveLength(1);
    expect(server.stdout.all).toHaveLength(2);
    expect(server.stderr.text).not.toContain("canary7f3a");
  });
});

describe("the process", () => {
  test("ends with status 0 when the client closes its end", async () => {
    const server = startLocal();
    server.send(initialize);
    await server.stdout.atLeast(1);
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
  });

  test("ends with status 0 when no message ever comes", async () => {
    expect(await command([])).toMatchObject({ code: 0, stdout: "" });
  });

  test.each(["SIGTERM", "SIGINT"] as const)("ends with status 0 on %s", async (signal) => {
    const server = startLocal();
    server.send(initialize);
    await server.stdout.atLeast(1);
    server.child.kill(signal);
    expect(await server.exited).toBe(0);
  });

  test("ends when the client dies in the middle of a call", async () => {
    const server = startLocal();
    server.send(initialize);
    await server.stdout.atLeast(1);
    const policies = Array.from({ length: 50 }, () => readOnly);
    const params = { name: "validate_policies", arguments: { policies, format: "html" } };
    server.send({ id: 2, method: "tools/call", params });
    server.child.stdout.destroy();
    server.child.stdin.destroy();
    expect(await server.exited).toBe(0);
  });

  test("goes on after a line that is not a message", async () => {
    const server = startLocal();
    server.child.stdin.write("this is not JSON: canary7f3a\n");
    server.send(initialize);
    const [line = ""] = await server.stdout.atLeast(1);
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: {} });
    server.child.stdin.end();
    await server.exited;
    expect(server.stderr.text).not.toContain("canary7f3a");
  });
});

describe("a message", () => {
  const limits = ["--max-policy-bytes", "1000", "--max-request-bytes", "1000"];
  const call = (id: number, policy: string) => ({
    id,
    method: "tools/call",
    params: { name: "validate_policies", arguments: { policies: [policy] } },
  });

  test("beyond max_request_bytes is a tool error, beyond four times that the end, which is said", async () => {
    const server = startLocal({ args: limits });
    server.send(initialize);
    server.send(call(2, "canary7f3a".repeat(200)));
    const [, answer = ""] = await server.stdout.atLeast(2);
    expect(JSON.parse(answer)).toMatchObject({ id: 2, result: { isError: true } });
    server.send(call(3, "canary7f3a".repeat(400)));
    expect(await server.exited).toBe(1);
    expect(server.stdout.all).toHaveLength(2);
    expect(server.stderr.text).toContain("A message has more than 4000 bytes");
    expect(server.stderr.text).not.toContain("canary7f3a");
  });

  test("takes back the call that it cancels, and the next one is answered", async () => {
    const args = ["--config", slowConfig, "--allow-config-custom-checks"];
    const server = startLocal({ args });
    server.send(initialize);
    server.send({ method: "notifications/initialized" });
    await server.stdout.atLeast(1);
    server.send({ id: 2, method: "tools/call", params: validate([slowPolicy(60_000)]) });
    server.send({ method: "notifications/cancelled", params: { requestId: 2 } });
    server.send({ id: 3, method: "tools/call", params: validate([readOnly]) });
    const lines = await server.stdout.atLeast(2);
    server.child.stdin.end();
    await server.exited;
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 3]);
    expect(server.stdout.all).toHaveLength(2);
  });
});

describe("settings of the other mode are refused", () => {
  test.each([
    [["--transport", "http"], /--transport.*--mode hosted/],
    [["--auth", "token"], /--auth.*--mode hosted/],
    [["--root", "/nowhere/at/all"], /--root.*not a directory/],
    [["--config", "https://example.com/x.yaml"], /not a URL/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await command(args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
  });

  test.each([["--root", "."], ["--allow-config-custom-checks"]])(
    "hosted mode knows no %s",
    async (...args) => {
      const config = new URL("../support/config/plain.yaml", import.meta.url).pathname;
      const hosted = ["--mode", "hosted", "--auth", "none", "--config", config, "--port", "0"];
      const { code, stderr } = await command([...hosted, ...args]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/local mode/);
    },
  );
});

describe("profiles", () => {
  test("read-only leaves out what changes the session", async () => {
    const client = await connectLocal("SDK 2 on 2026-07-28", { args: ["--profile", "read-only"] });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    await client.close();
    expect(names).toEqual(localTools.filter((name) => name !== "set_config"));
  });
});
