import { once } from "node:events";
import { Wait } from "testcontainers";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { Health, Ready } from "../../spec/health.ts";
import { type ContainerTarget, startContainer } from "../support/container.ts";
import { answerOf, open, raw } from "../support/http.ts";
import { docker } from "../support/images.ts";
import { localServer, sendJson, signToken, testKey } from "../support/issuer.ts";
import { call, readOnly, rpc, rpcRequest } from "../support/rpc.ts";
import { serviceDocuments } from "../support/service-documents.ts";
import { slowConfig, slowPolicy, validate } from "../support/slow-policy.ts";
import { auditRecords, tokens, withTokens } from "../support/target.ts";

const Catalogue = z.looseObject({
  checks: z.array(
    z.looseObject({ check_id: z.string(), description: z.string(), docstring: z.string() }),
  ),
});

const Listed = z.looseObject({ checks: z.array(z.looseObject({ check_id: z.string() })) });

const noEngine = inject("noEngine");

describe.skipIf(noEngine !== null)("the container", () => {
  let target: ContainerTarget;
  beforeAll(async () => {
    target = await startContainer(withTokens);
  });
  afterAll(() => target.stop());

  test("answers /health and /ready with their payloads, for any caller", async () => {
    const headers = { origin: "https://evil.example.com" };
    const health = await raw(`${target.url}/health`, { headers });
    const ready = await raw(`${target.url}/ready`, { headers });
    expect([health.status, ready.status]).toEqual([200, 200]);
    expect(Health.parse(JSON.parse(health.text)).config_source).toBe("file");
    expect(Ready.parse(JSON.parse(ready.text)).status).toBe("ready");
  });

  test("passes its own health check", async () => {
    const id = target.container.getId();
    const check = "/app/node_modules/validator-mcp/dist/src/health-check.js";
    await expect(docker("exec", id, "node", check)).resolves.toBe("");
  });

  test("cannot write outside its tmpfs", async () => {
    const id = target.container.getId();
    await expect(docker("exec", id, "touch", "/app/x")).rejects.toThrow(/Read-only file system/);
    await docker("exec", id, "touch", "/tmp/x");
  });

  test("gives every check of the catalogue its documentation", async () => {
    const list = await call(target, "describe_checks", {}, { token: tokens.all });
    const ids = Listed.parse(list.body.result?.structuredContent).checks;
    const check_ids = ids.map(({ check_id }) => check_id);
    const { body } = await call(target, "describe_checks", { check_ids }, { token: tokens.all });
    const checks = Catalogue.parse(body.result?.structuredContent).checks;
    expect(checks.length).toBe(check_ids.length);
    for (const { check_id, description, docstring } of checks) {
      expect([check_id, description, docstring]).toEqual([
        check_id,
        expect.stringMatching(/\S{2}/),
        expect.stringMatching(/\S{2}/),
      ]);
    }
  });

  test("serves the baked reference data", async () => {
    const { body } = await call(target, "get_config", {}, { token: tokens.all });
    expect(body.result?.structuredContent).toMatchObject({
      reference_data: { source: "directory", date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    });
  });

  test("writes audit records and nothing else to standard output, all else to standard error", async () => {
    await call(target, "validate_policies", { policies: [readOnly] }, { token: tokens.all });
    await call(target, "validate_policies", { policies: 7 }, { token: tokens.all });
    await call(target, "no_such_tool", {}, { token: tokens.all });
    await rpc(target, "tools/list");
    const records = () =>
      auditRecords(target.audit.all).filter(({ tool }) => tool === "validate_policies");
    await expect.poll(() => records().length).toBe(2);
    expect(records()).toMatchObject([
      { outcome: "success", subject: "subject-all", policy_count: 1 },
      { outcome: "tool_error", policy_count: 0 },
    ]);
    for (const line of target.log.all) expect(JSON.parse(line).logger).toBe("validator.mcp");
    expect(target.log.text).not.toContain("ReadReports");
  });

  test("gives the same digest after a restart, and to a second container", async () => {
    const digestOf = async ({ url }: { url: string }) =>
      Health.parse(await (await fetch(`${url}/health`)).json()).config_digest;
    const first = await digestOf(target);
    const second = await startContainer(withTokens);
    try {
      expect(await digestOf(second)).toBe(first);
      await second.container.restart();
      const url = `http://${second.container.getHost()}:${second.container.getMappedPort(8000)}`;
      expect(await digestOf({ url })).toBe(first);
    } finally {
      await second.stop();
    }
  });
});

describe.skipIf(noEngine !== null)("readiness", () => {
  test("is 503 until the reference data is there, while /health is 200", async () => {
    let up = false;
    await using source = await localServer((request, response) => {
      if (!up) response.writeHead(503).end();
      else if (request.url === "/s3.json") sendJson(response, serviceDocuments.s3);
      else sendJson(response, [{ service: "s3", url: "/s3.json" }]);
    });
    const target = await startContainer({
      hostNetwork: true,
      wait: Wait.forLogMessage(/Listening/),
      environment: {
        VALIDATOR_MCP_AWS_SERVICES_DIR: "",
        VALIDATOR_MCP_REFERENCE_DATA_URL: `${source.url}/list.json`,
      },
    });
    try {
      const ready = await fetch(`${target.url}/ready`);
      expect(ready.status).toBe(503);
      expect(Ready.parse(await ready.json())).toMatchObject({
        status: "not_ready",
        checks: { config_resolved: true, registry_built: true, aws_data_ready: false },
      });
      expect((await fetch(`${target.url}/health`)).status).toBe(200);
      up = true;
      await expect
        .poll(async () => (await fetch(`${target.url}/ready`)).status, { timeout: 30_000 })
        .toBe(200);
    } finally {
      await target.stop();
    }
  });
});

describe.skipIf(noEngine !== null)("stopping", () => {
  test("SIGTERM lets calls in flight finish, ends streams and exits with 0", async () => {
    const target = await startContainer({ flags: { config_source: slowConfig } });
    try {
      const stream = open(`${target.url}/mcp`, { headers: { accept: "text/event-stream" } });
      stream.end();
      const [events] = await once(stream, "response");
      events.resume();
      const ended = once(events, "end");

      const params = validate([slowPolicy(2_000)]);
      const { headers, body } = rpcRequest("tools/call", params);
      const request = open(`${target.url}/mcp`, { method: "POST", headers });
      const answer = answerOf(request);
      request.end(body);
      await expect.poll(() => target.log.text).toContain("begun");

      const code = target.terminate();
      await expect.poll(() => target.log.text).toContain("Stopping");
      await ended;
      const { status, text } = await answer;
      expect([status, JSON.parse(text).result.isError]).toEqual([200, false]);
      expect(await code).toBe(0);
      expect(auditRecords(await target.audit.atLeast(1))).toMatchObject([{ outcome: "success" }]);
    } finally {
      await target.stop();
    }
  });
});

describe.skipIf(noEngine !== null)("auth in the container", () => {
  test("jwt: tokens of an issuer whose keys are fetched, and no others", async () => {
    const key = testKey();
    await using issuer = await localServer((_request, response) =>
      sendJson(response, { keys: [key.jwk] }),
    );
    const audience = "https://validator.example.com/mcp";
    const target = await startContainer({
      hostNetwork: true,
      flags: { auth: "jwt" },
      environment: {
        VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer.url,
        VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
        VALIDATOR_MCP_AUTH_JWT_JWKS_URI: `${issuer.url}/jwks`,
        VALIDATOR_MCP_AUTH_BASE_URL: "https://validator.example.com",
      },
    });
    try {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer.url, aud: audience, sub: "alice", scope: "iam:query" };
      const token = await signToken(key, { ...claims, exp: now + 600 });
      const expired = await signToken(key, { ...claims, exp: now - 600 });
      const forged = await signToken(testKey(), { ...claims, exp: now + 600 });

      const { body } = await rpc(target, "tools/list", {}, { token });
      expect(body.result?.tools).toMatchObject([{ name: "query" }]);
      expect((await rpc(target, "tools/list", {}, { token: expired })).status).toBe(401);
      expect((await rpc(target, "tools/list", {}, { token: forged })).status).toBe(401);
      const { status, headers } = await rpc(target, "tools/list");
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toContain(
        'resource_metadata="https://validator.example.com/.well-known/oauth-protected-resource/mcp"',
      );
      expect(issuer.requests.filter((path) => path === "/jwks")).toHaveLength(1);
      for (const text of [token, expired, forged]) expect(target.log.text).not.toContain(text);
    } finally {
      await target.stop();
    }
  });

  test("none: everyone is anonymous and sees everything, over loopback only unless told", async () => {
    const target = await startContainer({ hostNetwork: true });
    try {
      const { body } = await rpc(target, "tools/list");
      expect(body.result?.tools).toHaveLength(5);
      expect(target.log.all[0]).toContain(
        "this machine only; set VALIDATOR_MCP_HOST=0.0.0.0 to accept",
      );
    } finally {
      await target.stop();
    }
  });
});
