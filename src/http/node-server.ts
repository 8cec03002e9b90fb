import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { App } from "../app.ts";

/** Time to send all headers; slower clients hold a socket for nothing. */
const headersTimeoutMs = 10_000;
/** Time to send headers and body. */
const requestTimeoutMs = 60_000;
/** Longer than the 60 s of common load balancers, which else reuse a socket we are closing. */
const keepAliveTimeoutMs = 65_000;
const maxHeaderBytes = 16 * 1024;
/** Sockets beside those of open streams. */
const spareConnections = 1024;
/** A socket on which nothing moves this long after a call must have ended is dead. */
const idleMarginMs = 60_000;

export interface NodeServerLimits {
  readonly requestTimeoutS: number;
  readonly maxStreams: number;
}

/** @returns an HTTP server for the app, not listening yet. */
export function createNodeServer(
  app: Pick<App, "fetch">,
  { requestTimeoutS, maxStreams }: NodeServerLimits,
): Server {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: maxHeaderBytes,
    },
    getRequestListener((request, bindings) => app.fetch(request, bindings)),
  );
  server.maxConnections = maxStreams + spareConnections;
  server.timeout = requestTimeoutS * 1000 + idleMarginMs;
  return server;
}

/**
 * Stops accepting, ends streams, lets calls finish and cuts those that do not.
 * @param boundMs Time for calls to finish.
 */
export async function drain(
  server: Server,
  app: Pick<App, "endStreams" | "close">,
  boundMs: number,
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<"closed">();
  server.close(() => resolve("closed"));
  app.endStreams();
  // Sockets that become idle later would keep the server open until their keep-alive ends.
  const sweep = setInterval(() => server.closeIdleConnections(), 25);
  try {
    if ((await Promise.race([closed, after(boundMs)])) === "closed") return;
    await app.close();
    // Long enough to write the answers of the calls just cut.
    await Promise.race([closed, after(500)]);
  } finally {
    clearInterval(sweep);
    server.closeAllConnections();
    await app.close();
  }
}

function after(ms: number): Promise<"late"> {
  return new Promise((resolve) => setTimeout(resolve, ms, "late").unref());
}
