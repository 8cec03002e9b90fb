import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Ready } from "../../spec/health.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call, eras, readOnly, rpc, toolError } from "../support/rpc.ts";
import {
  type ServiceReference,
  serviceReference,
  unavailable,
} from "../support/service-reference.ts";
import { auditRecords } from "../support/target.ts";
import { callOf, largeBody, validated } from "../support/validate.ts";

let reference: ServiceReference;
let cache: string;
let server: InProcess | undefined;
beforeEach(async () => {
  reference = await serviceReference();
  cache = await mkdtemp(join(tmpdir(), "reference-"));
});
afterEach(async () => {
  await server?.stop();
  await server?.runtime.pool.close();
  server = undefined;
  await reference.stop();
  await rm(cache, { recursive: true, force: true });
});

async function start(options: { awaitData?: boolean; timeoutS?: number } = {}) {
  server = await startInProcess({
    awaitData: options.awaitData ?? true,
    flags: { request_timeout_s: String(options.timeoutS ?? 60), cache_directory: cache },
    environment: { VALIDATOR_MCP_REFERENCE_DATA_URL: reference.url },
  });
  return server;
}

/** Holds back the answer to a path until told to go on, and tells when it was asked for. */
function holdBack(path: string) {
  const asked = Promise.withResolvers<ServerResponse>();
  reference.answer(path, (response) => asked.resolve(response));
  return {
    asked: asked.promise,
    async release() {
      reference.restore(path);
      // The request that waits is told to come again.
      unavailable(await asked.promise);
    },
  };
}

async function ready(target: InProcess): Promise<[status: number, body: Ready]> {
  const response = await fetch(`${target.url}/ready`);
  return [response.status, (await response.json()) as Ready];
}

const lookUp = { kind: "service_actions", service: "s3" };

describe("while the list of services loads", () => {
  test("the server listens, is alive and not ready; then it is ready, for good", async () => {
    const list = holdBack("/");
    const target = await start({ awaitData: false });
    await list.asked;
    expect(await ready(target)).toMatchObject([
      503,
      { status: "not_ready", checks: { config_resolved: true, aws_data_ready: false } },
    ]);
    expect((await fetch(`${target.url}/health`)).status).toBe(200);
    await list.release();
    await target.runtime.warm;
    expect(await ready(target)).toMatchObject([200, { checks: { aws_data_ready: true } }]);
    reference.answer("/", unavailable);
    expect((await ready(target))[0]).toBe(200);
  });

  test("calls that need it wait for it; others are answered", async () => {
    const list = holdBack("/");
    const target = await start({ awaitData: false });
    await list.asked;
    const ended: string[] = [];
    const waiting = [
      ...eras.map((era) => call(target, "query", lookUp, { era })),
      call(target, "validate_policies", { policies: [readOnly] }),
    ].map((answer) =>
      answer.finally(() => {
        ended.push("late");
      }),
    );
    for (const tool of ["describe_checks", "get_config"]) {
      expect((await call(target, tool)).body.result?.isError).toBe(false);
    }
    expect((await rpc(target, "tools/list")).status).toBe(200);
    expect((await rpc(target, "resources/read", { uri: "iam://checks" })).status).toBe(200);
    expect(ended).toEqual([]);
    await list.release();
    for (const { body } of await Promise.all(waiting)) expect(body.result?.isError).toBe(false);
  });

  test("calls whose own deadline comes first are told that the server is not ready", async () => {
    const list = holdBack("/");
    const target = await start({ awaitData: false, timeoutS: 1 });
    await list.asked;
    const calls = eras.flatMap((era) => [
      call(target, "query", lookUp, { era }),
      call(target, "validate_policies", { policies: [readOnly] }, { era }),
    ]);
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(200);
      expect(body.result).toMatchObject(
        toolError(expect.stringMatching(/reference data is still loading.*Try again/)),
      );
    }
    const outcomes = auditRecords(target.audit.all).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array(4).fill("tool_error"));
    await list.release();
    await target.runtime.warm;
    expect((await call(target, "query", lookUp)).body.result?.isError).toBe(false);
  });

  test("a list that fails is asked for again until it comes", async () => {
    reference.answer("/", unavailable);
    const target = await start({ awaitData: false });
    await expect.poll(() => reference.requests.length).toBeGreaterThan(1);
    expect((await ready(target))[0]).toBe(503);
    reference.restore("/");
    await target.runtime.warm;
    expect((await ready(target))[0]).toBe(200);
    expect(target.log.text).not.toContain("warm-up failed");
  });
});

describe("a service of the list that does not come", () => {
  test("is a warning at the start, and for calls that name it: not ready", async () => {
    reference.answer("/s3.json", (response) => void response.writeHead(404).end());
    const target = await start();
    expect((await ready(target))[0]).toBe(200);
    expect(target.log.text).toContain('"service":"s3"');
    for (const era of eras) {
      const answers = [
        await callOf(target, "query", lookUp, { era }),
        await callOf(target, "query", { kind: "action_details", actions: ["s3:Get*"] }, { era }),
        await callOf(target, "validate_policies", { policies: [readOnly] }, { era }),
      ];
      for (const { error, record } of answers) {
        expect(error).toMatch(/reference data of s3 could not be fetched.*Try again/);
        expect(record?.outcome).toBe("tool_error");
      }
      const other = await callOf(target, "query", { ...lookUp, service: "iam" }, { era });
      expect(other.result.isError).toBe(false);
    }
  });

  test("is asked for again by the next call, and used when it comes", async () => {
    reference.answer("/s3.json", (response) => void response.writeHead(404).end());
    const target = await start();
    await callOf(target, "query", lookUp);
    reference.restore("/s3.json");
    const { result } = await callOf(target, "query", lookUp);
    expect(result).toMatchObject({
      isError: false,
      structuredContent: { actions: expect.arrayContaining(["s3:GetObject"]) },
    });
  });
});

test("large calls are validated with the same data, in a worker", async () => {
  const target = await start();
  const policy = { ...readOnly, Statement: [{ ...readOnly.Statement[0], Action: "s3:GetOject" }] };
  const small = await validated(target, { policies: [policy] });
  const large = await validated(target, { policies: [policy] }, { bodyBytes: largeBody });
  expect(target.runtime.pool.figures().threads).toBeGreaterThan(0);
  expect(small.output.results[0]?.severity_counts.error).toBe(1);
  expect(large.output).toEqual(small.output);
});

test("get_config names the source, its day and its hash", async () => {
  const target = await start();
  const { body } = await call(target, "get_config");
  expect(body.result?.structuredContent).toMatchObject({
    reference_data: {
      source: "remote",
      date: new Date().toISOString().slice(0, 10),
      hash: target.runtime.services.hash,
    },
  });
});
