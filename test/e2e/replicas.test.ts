import { once } from "node:events";
import { join } from "node:path";
import { GenericContainer, Network, type StartedNetwork, Wait } from "testcontainers";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type ContainerTarget, startContainer } from "../support/container.ts";
import { open } from "../support/http.ts";
import { docker } from "../support/images.ts";
import { call, readOnly } from "../support/rpc.ts";

const noEngine = inject("noEngine");
const root = join(import.meta.dirname, "../..");

/** The proxy of deploy/nginx.conf in front of whatever answers to `validator` in the network. */
async function startProxy(network: StartedNetwork) {
  await docker("build", "--quiet", "-t", "validator-mcp-nginx:e2e", join(root, "test/e2e/nginx"));
  const container = await new GenericContainer("validator-mcp-nginx:e2e")
    .withNetwork(network)
    .withExposedPorts(8080)
    .withBindMounts([
      {
        source: join(root, "deploy/nginx.conf"),
        target: "/etc/nginx/conf.d/validator.conf",
        mode: "ro",
      },
    ])
    .withWaitStrategy(Wait.forHttp("/", 8080).forStatusCode(404))
    .start();
  return {
    url: `http://${container.getHost()}:${container.getMappedPort(8080)}`,
    stop: () => container.stop({ timeout: 0 }),
  };
}

describe.skipIf(noEngine !== null)("two replicas behind nginx", () => {
  let network: StartedNetwork;
  let replicas: ContainerTarget[] = [];
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    network = await new Network().start();
    const replica = () => startContainer({ network: { of: network, alias: "validator" } });
    replicas = await Promise.all([replica(), replica()]);
    proxy = await startProxy(network);
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await network?.stop();
  });

  test("share the calls: no state ties a client to one of them", async () => {
    const answers = [];
    for (let turn = 0; turn < 10; turn += 1) {
      answers.push(await call(proxy, "validate_policies", { policies: [readOnly] }));
    }
    const digests = new Set(
      answers.map(({ body }) => body.result?.structuredContent).map(digestOf),
    );
    expect(digests.size).toBe(1);
    for (const replica of replicas) {
      await expect.poll(() => replica.audit.all.length).toBeGreaterThanOrEqual(1);
    }
  });

  test("hand an event stream on as it comes, not when it ends", async () => {
    const request = open(`${proxy.url}/mcp`, { headers: { accept: "text/event-stream" } });
    request.end();
    const [response] = await once(request, "response");
    expect(response.headers["content-type"]).toMatch(/^text\/event-stream/);
    const [first] = await once(response, "data");
    expect(String(first)).toMatch(/^: /);
    expect(response.complete).toBe(false);
    request.destroy();
  });

  test("take requests of the size that the server itself takes", async () => {
    const answer = await call(proxy, "validate_policies", {
      policies: Array.from({ length: 9 }, () => "x".repeat(1_000_000)),
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("max_request_bytes");
  });

  test("show nothing but the protocol to the outside", async () => {
    for (const path of ["/health", "/ready", "/metrics", "/mcp/x"]) {
      expect([path, (await fetch(proxy.url + path)).status]).toEqual([path, 404]);
    }
  });

  test("lose no call while one of them is replaced", async () => {
    const [first, second] = replicas;
    if (!first || !second) throw new Error("two replicas");
    let stopped = false;
    const exit = first.terminate().then((code) => {
      stopped = true;
      return code;
    });
    const statuses = new Set<number>();
    // Enough at once for some to be on their way when the replica is told to stop.
    const clients = Array.from({ length: 16 }, async () => {
      for (let calls = 0; !stopped || calls < 20; calls += 1) {
        const answer = await call(proxy, "validate_policies", { policies: [readOnly] });
        statuses.add(answer.status);
      }
    });
    await Promise.all(clients);
    expect([...statuses]).toEqual([200]);
    expect(await exit).toBe(0);
  });
});

function digestOf(structured: unknown): string {
  return JSON.stringify(structured).match(/"config_digest":"([0-9a-f]{64})"/)?.[1] ?? "none";
}
