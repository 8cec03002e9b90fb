import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { StartupError } from "../errors.ts";
import type { Metrics } from "./metrics.ts";

/** `GET /metrics` and nothing else. Not authenticated: it has a port of its own to be kept private. */
export function createMetricsApp(metrics: Pick<Metrics, "text" | "contentType">): Hono {
  const app = new Hono();
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
  const server = createServer(getRequestListener(createMetricsApp(metrics).fetch));
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
