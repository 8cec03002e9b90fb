import { hash } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Budget, shareOf } from "../admission/budget.ts";
import { FairLoop } from "../admission/fair-loop.ts";
import { lruCache } from "../lru-cache.ts";
import { IncomingBody } from "./incoming-body.ts";
import { addressOf, Line, type Queued } from "./line.ts";

/** What the app knows of the connection of a request. */
export interface RequestConnection {
  readonly body: IncomingBody;
  /** Of the other end. */
  readonly address: string;
  /** The sender of the request has been authenticated. */
  remember(): void;
  /** Runs the work when it is the turn of the sender of the request. */
  later(work: () => void): void;
  /** Calls `then` once the client has read the answer or the connection has ended. */
  onAnswered(then: () => void): void;
}

interface Exchange extends RequestConnection, Queued {}

/**
 * Pipelined requests: parsed before the answer to an earlier one of their connection, a few kilobytes each. One address
 * may have a share of them.
 */
const mostPipelined = 2_048;

/** The headers of common clients are shorter. */
const mostHeadBytes = 4_096;
/** Credentials that were accepted recently; only a hash of each is stored. */
const mostRemembered = 4_096;

export interface GateOptions {
  serve(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** A connection was closed because too many requests wait on it. */
  readonly onCut: () => void;
}

/**
 * Between the sockets and the app. A connection has one request answered at a time (RFC 9112, 9.3.2 leaves that to
 * servers). Setting connections up, parsing what they send and starting their requests happens in fair order.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #fair = new FairLoop();
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #connections = new WeakMap<IncomingMessage, RequestConnection>();
  /** By the sender's name. */
  readonly #remembered = lruCache<true>(mostRemembered);
  /** By address. */
  readonly #pipelined = new Budget({ process: mostPipelined, caller: shareOf(mostPipelined) });

  constructor(server: Server, options: GateOptions) {
    this.#options = options;
    // Node's own listeners, which prepare a connection for HTTP; a burst of connections would block the event loop.
    const setUps = server.listeners("connection");
    server.removeAllListeners("connection");
    // A connection is read once it has been set up: reading up to 64 KiB of each would take longer than accepting it. An
    // option of `net.createServer`, which `http.createServer` does not pass on.
    Object.assign(server, { pauseOnConnect: true });
    server.on("connection", (socket: Socket) => {
      // Without an address its client has reset it while it waited to be accepted.
      if (socket.remoteAddress === undefined) {
        socket.destroy();
        return;
      }
      // Node listens for errors once it has set the connection up. A client may reset it before that, and an error that
      // no one hears ends the process.
      socket.on("error", () => {});
      this.#fair.arrived();
      this.#fair.run("arrival", addressOf(socket), () => {
        if (socket.destroyed) return;
        for (const setUp of setUps) Reflect.apply(setUp, server, [socket]);
        this.#open(socket);
        socket.resume();
      });
    });
    server.on("request", (incoming, outgoing) => this.#accept(incoming, outgoing));
  }

  /** Pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#fair.waiting;
  }

  connectionOf(incoming: IncomingMessage): RequestConnection | undefined {
    return this.#connections.get(incoming);
  }

  #accept(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const line = this.#lines.get(socket);
    if (!line) {
      socket.destroy();
      return;
    }
    const exchange: Exchange = {
      incoming,
      outgoing,
      body: new IncomingBody(incoming, () => line.update()),
      address: socket.remoteAddress ?? "",
      remember: () => {
        const sender = senderOf(incoming);
        if (incoming.headers.authorization !== undefined) this.#remembered.set(sender, true);
        line.remember(sender);
      },
      later: (work) => line.run(work),
      onAnswered: (then) => {
        // A client may leave while its token is checked, which can take a while.
        if (outgoing.closed) then();
        else outgoing.once("close", then);
      },
    };
    this.#connections.set(incoming, exchange);
    if (line.isFree) {
      this.#start(line, exchange);
      return;
    }
    if (this.#pipelined.take(line.address, 1)) {
      socket.destroy();
      this.#options.onCut();
      return;
    }
    line.waiting.push(exchange);
    line.update();
  }

  #open(socket: Socket): void {
    // Node's own listener, which parses; the line calls it with pieces of what arrives.
    const parsers = socket.listeners("data") as ((bytes: Buffer) => void)[];
    const line = new Line(socket, this.#fair, {
      parse: (bytes) => {
        for (const parse of parsers) parse.call(socket, bytes);
      },
      knownSender: (bytes) => this.#knownSender(bytes),
    });
    for (const parse of parsers) socket.removeListener("data", parse);
    this.#lines.set(socket, line);
    socket.once("close", () => {
      this.#pipelined.release(line.address, line.waiting.length);
      line.waiting.length = 0;
    });
  }

  /**
   * @returns who seems to send the first bytes of a connection, by credentials that were accepted on another. It decides
   * about the order alone: the request is authenticated like any other.
   */
  #knownSender(bytes: Buffer): string | undefined {
    const head = bytes.toString("latin1", 0, mostHeadBytes);
    const [, credentials] = /\r\nauthorization:([^\r\n]+)\r\n/i.exec(head) ?? [];
    if (credentials === undefined) return undefined;
    const sender = nameOf(credentials.trim());
    return this.#remembered.get(sender) ? sender : undefined;
  }

  #start(line: Line, exchange: Queued): void {
    const { incoming, outgoing } = exchange;
    line.active = exchange;
    outgoing.once("close", () => {
      line.active = undefined;
      line.answered(() => {
        const next = line.waiting.shift();
        if (next) {
          this.#pipelined.release(line.address, 1);
          this.#start(line, next);
        }
        line.update();
      });
    });
    line.run(() => {
      if (!outgoing.destroyed) this.#options.serve(incoming, outgoing);
    });
  }
}

/** Requests with the same credentials have the same sender; without any, it is the address. */
function senderOf({ headers, socket }: IncomingMessage): string {
  const { authorization } = headers;
  return authorization === undefined ? addressOf(socket) : nameOf(authorization);
}

function nameOf(credentials: string): string {
  return hash("sha256", credentials, "base64");
}
