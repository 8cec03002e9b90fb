import { createServer, IncomingMessage, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Budget, Reservation } from "../admission/budget.ts";
import { memoryLimit } from "../memory.ts";
import { unreservedBytes } from "./body-source.ts";
import { closingIfUnread } from "./closing.ts";
import { Connections } from "./connections.ts";
import { Gate, type RequestConnection } from "./gate.ts";

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
/**
 * How long idle sockets stay open once the server stops. A proxy may have put its next request on
 * one of them that we have not read yet; closing it would lose that call.
 */
const lingerMs = 1_000;
/** Time to read an answer, which stays in memory until then. */
const answerTimeoutMs = 60_000;

export interface NodeServerLimits {
  readonly requestTimeoutS: number;
  readonly maxStreams: number;
  /** Sockets held at once; default: those of the streams and 1,024. */
  readonly maxConnections?: number;
  /** Default: 60 s. */
  readonly answerTimeoutMs?: number;
  /** Bytes of answers that clients have not read; default: an eighth of the memory. */
  readonly unreadBytes?: number;
  /** A socket was closed in favour of another. */
  readonly onCut?: () => void;
}

/** The app, as far as a socket needs to know it. */
export interface Served {
  fetch(request: Request, bindings: object): Response | Promise<Response>;
  /** Ends open streams, and later ones as soon as they open. Calls go on. */
  endStreams(): void;
  /** Cuts the calls that are still running. */
  close(): Promise<void>;
}

/** A plain HTTP server that knows how to stop. */
export interface NodeServer {
  /** Not listening yet. */
  readonly server: Server;
  /**
   * Stops accepting, ends streams, lets calls finish and cuts those that do not. Calls that still come
   * on open connections are answered, with `Connection: close`.
   * @param boundMs Time for calls to finish.
   */
  drain(boundMs: number): Promise<void>;
}

/**
 * Serves an app over HTTP/1.1, with the time limits of a connection and the shares of its senders.
 */
export function createNodeServer(app: Served, limits: NodeServerLimits): NodeServer {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: maxHeaderBytes,
  });
  const listener = getRequestListener(
    async (request, bindings) => {
      const { incoming } = bindings;
      // There is no HTTP/2 here.
      const connection =
        incoming instanceof IncomingMessage ? gate.connectionOf(incoming) : undefined;
      if (!connection) return app.fetch(request, bindings);
      if (!isMcp(incoming.url)) await provideBody(connection, incoming);
      return closingIfUnread(
        await app.fetch(request, { ...bindings, connection }),
        connection.body,
      );
    },
    // `closingIfUnread` drops the rest of a body, in a way that lets the client see the answer.
    { autoCleanupIncoming: false },
  );
  const gate = new Gate(server, { serve: listener, onCut: limits.onCut ?? (() => {}) });
  const most = limits.maxConnections ?? limits.maxStreams + spareConnections;
  // A connection above the limit is accepted and another one closed. In a burst, as many may still be closing.
  server.maxConnections = 2 * most;
  server.timeout = limits.requestTimeoutS * 1000 + idleMarginMs;

  const connections = new Connections(server, {
    most,
    takeMs: limits.answerTimeoutMs ?? answerTimeoutMs,
    unreadBytes: limits.unreadBytes ?? memoryLimit() / 8,
    onCut: limits.onCut ?? (() => {}),
  });
  const closeIdle = () => {
    server.closeIdleConnections();
    connections.closeUnused();
  };

  return {
    server,
    async drain(boundMs) {
      const { promise: closed, resolve } = Promise.withResolvers<"closed">();
      // Not the HTTP server's own, which closes idle sockets at once.
      NetServer.prototype.close.call(server, () => resolve("closed"));
      connections.endKeepAlive();
      app.endStreams();
      const lingersUntil = performance.now() + Math.min(lingerMs, boundMs);
      // Sockets that become idle later would keep the server open until their keep-alive ends.
      const sweep = setInterval(() => {
        if (performance.now() >= lingersUntil) closeIdle();
      }, 25);
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
    },
  };
}

/** `POST /mcp` reads its body itself. */
function isMcp(url = ""): boolean {
  return /^\/mcp\/?(\?|$)/.test(url);
}

/** Puts the small body of any other route where the request looks for it, because the socket is already being read. */
async function provideBody({ body }: RequestConnection, incoming: object): Promise<void> {
  const none = new Reservation(new Budget({ process: 0, caller: 0 }), "");
  const read = await body.read(unreservedBytes, none);
  // Of a refused body, the part that has arrived: the route has a smaller limit and refuses it.
  const rawBody = Buffer.concat(typeof read === "string" ? [body.head()] : read.parts);
  Object.assign(incoming, { rawBody });
}

function after(ms: number): Promise<"late"> {
  return new Promise((resolve) => setTimeout(resolve, ms, "late"));
}
