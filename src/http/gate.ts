import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { FairStart } from "../admission/fair-start.ts";
import { IncomingBody } from "./incoming-body.ts";

/** What the app learns of the connection that a request came on. */
export interface Inlet {
  readonly body: IncomingBody;
  /** Of the other end. */
  readonly address: string;
  /** Who sent this has been authenticated. */
  remember(): void;
  /** The answer has been taken, or the connection has ended. */
  onAnswered(then: () => void): void;
}

interface Exchange extends Inlet {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Requests that have been parsed while one before them on their connection is not answered: a few kilobytes each. */
const mostPipelined = 2_048;

const probes: readonly (string | undefined)[] = ["/health", "/ready"];

export interface GateOptions {
  serve(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** A connection was cut because of the requests that wait on it. */
  readonly onCut: () => void;
}

/**
 * Between the sockets and the app. A connection has one request answered at a time; the next one is not read before,
 * except for what came in the same packet (RFC 9112, 9.3.2 leaves that to servers). Requests of all connections are
 * started in fair order.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #fair = new FairStart();
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #inlets = new WeakMap<IncomingMessage, Inlet>();
  #pipelined = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  inletOf(incoming: IncomingMessage): Inlet | undefined {
    return this.#inlets.get(incoming);
  }

  readonly accept = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket } = incoming;
    const line = this.#lines.get(socket) ?? this.#open(socket);
    const exchange: Exchange = {
      incoming,
      outgoing,
      body: new IncomingBody(incoming, () => line.update()),
      address: socket.remoteAddress ?? "",
      remember: () => this.#fair.remember(senderOf(incoming)),
      onAnswered: (then) => void outgoing.once("close", then),
    };
    this.#inlets.set(incoming, exchange);
    if (!line.active) {
      this.#start(line, exchange);
      return;
    }
    line.waiting.push(exchange);
    this.#pipelined++;
    line.update();
    if (this.#pipelined <= mostPipelined) return;
    socket.destroy();
    this.#options.onCut();
  };

  #open(socket: Socket): Line {
    const line = new Line(socket);
    this.#lines.set(socket, line);
    socket.once("close", () => {
      this.#pipelined -= line.waiting.length;
      line.waiting.length = 0;
    });
    return line;
  }

  #start(line: Line, exchange: Exchange): void {
    const { incoming, outgoing } = exchange;
    line.active = exchange;
    outgoing.once("close", () => {
      line.active = undefined;
      const next = line.waiting.shift();
      if (next) {
        this.#pipelined--;
        this.#start(line, next);
      }
      line.update();
    });
    const isProbe = incoming.method === "GET" && probes.includes(incoming.url);
    this.#fair.start(
      () => (isProbe ? `probe ${exchange.address}` : senderOf(incoming)),
      () => {
        if (!outgoing.destroyed) this.#options.serve(incoming, outgoing);
      },
      isProbe,
    );
  }
}

/** One connection. */
class Line {
  active: Exchange | undefined;
  /** In the order in which they came. */
  readonly waiting: Exchange[] = [];
  readonly #socket: Socket;
  #isHeld = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // A body that is read resumes its socket.
    socket.on("resume", () => {
      if (this.#isHeld) socket.pause();
    });
  }

  update(): void {
    const isHeld = this.waiting.length > 0 || (this.active?.body.isFull ?? false);
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.#socket.pause();
    else this.#socket.resume();
  }
}

/** Whoever sends the same credentials is the same sender; without any, it is the address. */
function senderOf({ headers, socket }: IncomingMessage): string {
  const { authorization } = headers;
  return authorization === undefined
    ? `address ${socket.remoteAddress}`
    : hash("sha256", authorization, "base64");
}
