import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { refusalReasons } from "../http/refusal-reason.ts";
import { createMetrics } from "./metrics.ts";
import { limitKinds, limitOf, silentObserver } from "./observer.ts";
import { createMetricsApp, listenForMetrics } from "./server.ts";

const day = Date.parse("2026-01-01");

async function metricsAt(now = day, dataDate = "2026-01-01") {
  const pool = { running: 2, waiting: 3, threads: 4 };
  const metrics = await createMetrics({
    version: "1.2.3",
    pool: () => pool,
    dataDate: () => dataDate,
    now: () => now,
  });
  /** Samples of our own metrics by their text up to the value. */
  const samples = async () => {
    const rows = (await metrics.text())
      .split("\n")
      .filter((line) => line.startsWith("validator_mcp_"))
      .map((line): [string, number] => {
        const space = line.lastIndexOf(" ");
        return [line.slice(0, space), Number(line.slice(space + 1))];
      });
    return Object.fromEntries(rows);
  };
  return { metrics, samples, pool };
}

describe("what is counted", () => {
  const call = { tool: "query", durationSeconds: 0.02, outputBytes: null };

  test("calls, by tool and outcome, and how long they took", async () => {
    const { metrics, samples } = await metricsAt();
    metrics.call({ ...call, outcome: "success" });
    metrics.call({ ...call, outcome: "success", durationSeconds: 3 });
    metrics.call({ ...call, outcome: "tool_error" });
    expect(await samples()).toMatchObject({
      'validator_mcp_tool_calls_total{tool="query",outcome="success"}': 2,
      'validator_mcp_tool_calls_total{tool="query",outcome="tool_error"}': 1,
      'validator_mcp_tool_call_duration_seconds_bucket{le="0.025",tool="query"}': 2,
      'validator_mcp_tool_call_duration_seconds_bucket{le="5",tool="query"}': 3,
      'validator_mcp_tool_call_duration_seconds_count{tool="query"}': 3,
    });
  });

  test("sizes of requests, and of outputs where there are some", async () => {
    const { metrics, samples } = await metricsAt();
    metrics.request(300);
    metrics.request(300);
    metrics.call({ ...call, outcome: "success", outputBytes: 5_000 });
    metrics.call({ ...call, outcome: "tool_error" });
    expect(await samples()).toMatchObject({
      validator_mcp_request_bytes_sum: 600,
      'validator_mcp_request_bytes_bucket{le="256"}': 0,
      'validator_mcp_request_bytes_bucket{le="1024"}': 2,
      validator_mcp_output_bytes_count: 1,
      validator_mcp_output_bytes_sum: 5_000,
    });
  });

  test("limits and refusals, from zero, so that an alert can see the first one", async () => {
    const { metrics, samples } = await metricsAt();
    const before = await samples();
    for (const limit of limitKinds) {
      expect(before[`validator_mcp_limit_hits_total{limit="${limit}"}`]).toBe(0);
    }
    for (const reason of refusalReasons) {
      expect(before[`validator_mcp_refusals_total{reason="${reason}"}`]).toBe(0);
    }
    metrics.limit("max_policies");
    metrics.refusal("invalid_token");
    expect(await samples()).toMatchObject({
      'validator_mcp_limit_hits_total{limit="max_policies"}': 1,
      'validator_mcp_refusals_total{reason="invalid_token"}': 1,
    });
  });

  test("the pool's use and the age of the data, when asked", async () => {
    const { samples, pool } = await metricsAt(day + 36 * 3_600_000);
    expect(await samples()).toMatchObject({
      validator_mcp_pool_running: 2,
      validator_mcp_pool_waiting: 3,
      validator_mcp_pool_threads: 4,
      validator_mcp_reference_data_age_seconds: 129_600,
      'validator_mcp_info{version="1.2.3"}': 1,
    });
    pool.waiting = 9;
    expect(await samples()).toMatchObject({ validator_mcp_pool_waiting: 9 });
  });

  test("data that is not loaded yet has no age", async () => {
    const { samples } = await metricsAt(day, "");
    expect(await samples()).toMatchObject({ validator_mcp_reference_data_age_seconds: Number.NaN });
  });

  test("two servers in one process count apart", async () => {
    const [one, other] = [await metricsAt(), await metricsAt()];
    one.metrics.limit("max_policies");
    const hits = 'validator_mcp_limit_hits_total{limit="max_policies"}';
    expect([(await one.samples())[hits], (await other.samples())[hits]]).toEqual([1, 0]);
  });
});

test("the manual names every metric, limit and reason", async () => {
  const { metrics } = await metricsAt();
  const manual = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const names = (await metrics.text()).matchAll(/^# TYPE (validator_mcp_\w+)/gm);
  const words = [...[...names].map(([, name]) => name), ...limitKinds, ...refusalReasons];
  expect(words.filter((word) => !manual.includes(`\`${word}\``))).toEqual([]);
});

describe("GET /metrics", () => {
  test("answers with Prometheus' text format, the process's own figures included", async () => {
    const { metrics } = await metricsAt();
    const response = await createMetricsApp(metrics).request("/metrics");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await response.text()).toMatch(/^process_cpu_seconds_total /m);
  });

  test.each(["/", "/mcp", "/health"])("%s is not found on its port", async (path) => {
    const { metrics } = await metricsAt();
    expect((await createMetricsApp(metrics).request(path)).status).toBe(404);
  });

  test("on loopback is not for web pages, whatever name they call it by", async () => {
    const { metrics } = await metricsAt();
    const app = createMetricsApp(metrics, "127.0.0.1");
    const ask = async (headers: Record<string, string>) =>
      (await app.request("http://127.0.0.1:9090/metrics", { headers })).status;
    expect(await ask({ host: "localhost:9090" })).toBe(200);
    expect(await ask({ host: "attacker.example:9090" })).toBe(421);
    expect(await ask({ host: "127.0.0.1:9090", origin: "http://attacker.example" })).toBe(403);
  });

  test("listens on a separate port; a port that is taken is a start-up error", async () => {
    const { metrics } = await metricsAt();
    const server = await listenForMetrics(metrics, { host: "127.0.0.1", port: 0 });
    try {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      expect(await response.text()).toMatch(/^validator_mcp_info/m);
      await expect(listenForMetrics(metrics, { host: "127.0.0.1", port })).rejects.toMatchObject({
        kind: "listen",
        message: expect.stringMatching(/VALIDATOR_MCP_METRICS_PORT.*EADDRINUSE/),
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

test("requests of one connection for the metrics are answered one after the other", async () => {
  let underWay = 0;
  let most = 0;
  const metrics = {
    contentType: "text/plain",
    async text() {
      most = Math.max(most, ++underWay);
      await nextTurn();
      underWay--;
      return "figures\n";
    },
  };
  const server = await listenForMetrics(metrics, { host: "127.0.0.1", port: 0 });
  const address = server.address();
  const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  try {
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40));
    await expect.poll(() => received.split("figures\n").length - 1, { timeout: 20_000 }).toBe(40);
    expect(most).toBe(1);
  } finally {
    socket.destroy();
    server.close();
  }
});

describe("observers", () => {
  test("tool errors about a limit count as hits of it", () => {
    expect(limitOf("too_many_policies")).toBe("max_policies");
    expect(limitOf("rate_limited")).toBe("analyze_rate_limit");
    expect(limitOf("invalid_arguments")).toBeUndefined();
  });

  test("without metrics nothing is kept", () => {
    const call = { tool: "query", outcome: "success", durationSeconds: 1, outputBytes: 1 } as const;
    expect([
      silentObserver.call(call),
      silentObserver.request(1),
      silentObserver.limit("max_policies"),
      silentObserver.refusal("missing"),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
