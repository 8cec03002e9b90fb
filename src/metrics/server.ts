import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { StartupError } from "../errors.ts";
import { createGuard } from "../http/guard.ts";
import type { Metrics } from "./metrics.ts";

/** Whoever collects metrics needs one or two. */
const maxConnections = 64;

/**
 * `GET /metrics` and nothing else. Not authenticated: it has a port of its own to be kept private.
 * @param host Address it listens on; on loopback, web pages are kept out.
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
 * @returns the listening server; closing it is the caller's.
 * @throws {StartupError} when the address is taken or not ours.
 */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    getRequestListener(createMetricsApp(metrics, host).fetch),
  );
  server.maxConnections = maxConnections;
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
