import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { localServer } from "../support/issuer.ts";
import { readOnly, toolError } from "../support/rpc.ts";
import { type ServiceReference, serviceReference } from "../support/service-reference.ts";
import { callOf } from "../support/validate.ts";

type Answer = (response: ServerResponse) => void;

/** For what comes by itself; tests that run side by side have no `expect.poll`. */
const patience = { timeout: 20_000, interval: 50 };
const lookUp = { kind: "service_actions", service: "s3" };

const faults: [name: string, answer: Answer, said: RegExp][] = [
  ["an error", (response) => void response.writeHead(500).end(), /status 500/],
  ["nothing there", (response) => void response.writeHead(404).end(), /status 404/],
  ["no JSON", (response) => void response.end("<html>"), /not valid JSON/],
  [
    "JSON of another shape",
    (response) => void response.end('{"services":[]}'),
    /array|Name|string/,
  ],
  [
    "less than it promised",
    (response) => {
      response.writeHead(200, { "content-length": "10000" });
      response.write("[", () => response.destroy());
    },
    /terminated/,
  ],
  ["a connection that is cut", (response) => void response.destroy(), /fetch failed/],
];

/** One test's: its source of reference data, its cache, and the servers that use them. */
class World implements AsyncDisposable {
  reference: ServiceReference;
  readonly cache: string;
  readonly #servers: InProcess[] = [];

  private constructor(reference: ServiceReference, cache: string) {
    this.reference = reference;
    this.cache = cache;
  }

  static async make(): Promise<World> {
    return new World(await serviceReference(), await mkdtemp(join(tmpdir(), "reference-")));
  }

  async start(awaitData: boolean, url = this.reference.url): Promise<InProcess> {
    const server = await startInProcess({
      awaitData,
      flags: { cache_directory: this.cache, request_timeout_s: "1" },
      environment: { VALIDATOR_MCP_REFERENCE_DATA_URL: url },
    });
    this.#servers.push(server);
    return server;
  }

  /** Makes what is kept older. */
  async age(days: number): Promise<void> {
    const then = Date.now() / 1000 - days * 86_400;
    for (const name of await readdir(this.cache, { recursive: true })) {
      if (name.endsWith(".json")) await utimes(join(this.cache, name), then, then);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      await server.stop();
      await server.runtime.pool.close();
    }
    await this.reference.stop();
    await rm(this.cache, { recursive: true, force: true });
  }
}

const statusOf = async (target: InProcess, path: string) =>
  (await fetch(`${target.url}${path}`)).status;

/** Alive and not ready; a call that needs the data is told so within its time. */
async function isWaiting(target: InProcess): Promise<void> {
  expect([await statusOf(target, "/health"), await statusOf(target, "/ready")]).toEqual([200, 503]);
  const { result, record } = await callOf(target, "query", lookUp);
  expect(result).toMatchObject(toolError(expect.stringMatching(/still loading.*Try again/)));
  expect(record?.outcome).toBe("tool_error");
}

async function isWell(target: InProcess): Promise<void> {
  await vi.waitFor(async () => expect(await statusOf(target, "/ready")).toBe(200), patience);
  const { result } = await callOf(target, "query", lookUp);
  expect(result.isError).toBe(false);
}

// Most of their time is waiting, so they wait together.
describe.concurrent("when at the start the list of services is", () => {
  test.each(faults)(
    "%s: alive, not ready, told to callers; ready by itself",
    async (_, answer, said) => {
      await using world = await World.make();
      world.reference.answer("/", answer);
      const target = await world.start(false);
      await isWaiting(target);
      await vi.waitFor(() => expect(target.log.text).toMatch(/not ready/), patience);
      expect(target.log.text).toMatch(said);
      world.reference.restore("/");
      await isWell(target);
    },
  );

  test("a redirect: the same, and no other host is asked", async () => {
    await using world = await World.make();
    const elsewhere = await localServer((_, response) => void response.end("[]"));
    await using _ = elsewhere;
    world.reference.answer(
      "/",
      (response) => void response.writeHead(302, { location: elsewhere.url }).end(),
    );
    const target = await world.start(false);
    await isWaiting(target);
    expect(elsewhere.requests).toEqual([]);
    world.reference.restore("/");
    await isWell(target);
  });

  test("slow to come: the same until it is there", async () => {
    await using world = await World.make();
    const asked = Promise.withResolvers<ServerResponse>();
    world.reference.answer("/", (response) => {
      response.write("[");
      asked.resolve(response);
    });
    const target = await world.start(false);
    const response = await asked.promise;
    await isWaiting(target);
    response.end('{"service":"s3","url":"/s3.json"}]');
    await isWell(target);
  });

  test("with no listener: the same until there is one", async () => {
    await using world = await World.make();
    const { url } = world.reference;
    await world.reference.stop();
    const target = await world.start(false, url);
    await isWaiting(target);
    world.reference = await serviceReference(Number(new URL(url).port));
    await isWell(target);
  });

  test("at a name that leads nowhere: alive and not ready", async () => {
    await using world = await World.make();
    await isWaiting(await world.start(false, "https://reference.invalid/"));
  });
});

describe.concurrent("when a service of the list is", () => {
  test.each(faults)(
    "%s: no verdict on what names it, and one as soon as it is well",
    async (_, answer, said) => {
      await using world = await World.make();
      world.reference.answer("/s3.json", answer);
      const target = await world.start(true);
      expect(await statusOf(target, "/ready")).toBe(200);
      expect(target.log.text).toMatch(said);
      const validated = () => callOf(target, "validate_policies", { policies: [readOnly] });
      // Told at once, or at the call's own deadline while it is asked for once more.
      expect((await validated()).error).toMatch(
        /data of s3 could not be fetched|request_timeout_s/,
      );
      const other = await callOf(target, "query", { ...lookUp, service: "iam" });
      expect(other.result.isError).toBe(false);
      world.reference.restore("/s3.json");
      await vi.waitFor(
        async () => expect((await validated()).result.isError).toBe(false),
        patience,
      );
    },
  );

  test("slow to come: the call ends in its own time, and another one gets it", async () => {
    await using world = await World.make();
    const target = await world.start(true);
    const asked = Promise.withResolvers<ServerResponse>();
    world.reference.answer("/ssm.json", (response) => asked.resolve(response));
    const query = () => callOf(target, "query", { ...lookUp, service: "ssm" });
    const waiting = callOf(target, "validate_policies", {
      policies: [
        { ...readOnly, Statement: [{ ...readOnly.Statement[0], Action: "ssm:GetParameter" }] },
      ],
    });
    const response = await asked.promise;
    expect((await waiting).error).toMatch(/1 s \(request_timeout_s\)/);
    response.end('{"Name":"ssm","Actions":[{"Name":"GetParameter"}]}');
    await vi.waitFor(async () => expect((await query()).result.isError).toBe(false), patience);
  });
});

describe.concurrent("when what is kept has passed its time and the list is", () => {
  test.each(faults)(
    "%s: it is used, with a warning, and the server is ready",
    async (_, answer) => {
      await using world = await World.make();
      await (await world.start(true)).stop();
      await world.age(30);
      world.reference.answer("/", answer);
      world.reference.answer("/s3.json", answer);
      const target = await world.start(true);
      await isWell(target);
      expect(target.log.text).toMatch(/using an older copy/);
    },
  );
});
