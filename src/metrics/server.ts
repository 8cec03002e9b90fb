import { once } from "node:events";
import type { Server } from "node:http";
import { Hono } from "hono";
import { StartupError } from "../errors.ts";
import { createGuard } from "../http/guard.ts";
import { createNodeServer } from "../http/node-server.ts";
import type { Metrics } from "./metrics.ts";

/** A metrics collector needs one or two connections. */
const maxConnections = 64;
const requestTimeoutS = 10;

/**
 * Serves only `GET /metrics`, without authentication: its separate port must be kept private.
 * @param host Address on which it listens. On loopback, requests of web pages are rejected.
 */
export function createMetricsApp(
  metrics: Pick<Metrics, "text" | "contentType">,
  host?: string,
): Hono {
  const app = new Hono();
  const guard = createGuard({ host });
  app.use(async (c, next) => guard(c.req.raw) ?? next());
  app.get("/metrics", async (c) =>
    c.body(await metrics.text(), 200, {
      "content-type": metrics.contentType,
      "cache-control": "no-store",
    }),
  );
  app.notFound((c) => c.text("Not found\n", 404));
  return app;
}

/**
 * Listens on the port of the metrics.
 * @returns The listening server; the caller must close it.
 * @throws {StartupError} If the address is in use or does not belong to this machine.
 */
export async function listenForMetrics(
  metrics: Pick<Metrics, "text" | "contentType">,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const { fetch } = createMetricsApp(metrics, host);
  // With the bounds of the main port: what a connection sends in one go would start thousands of scrapes at once.
  const { server } = createNodeServer(
    { fetch, endStreams() {}, async close() {} },
    { requestTimeoutS, maxStreams: 0, maxConnections },
  );
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new StartupError(
      "listen",
      `cannot listen for metrics on ${host}, port ${port} (VALIDATOR_MCP_METRICS_PORT): ${code}.`,
    );
  }
  return server;
}
