import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "./address.ts";

/** A request whose answer has not been sent completely. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When the whole answer was first seen to be written; ms of a monotonic clock. */
  writtenAt?: number;
}

export interface ConnectionBounds {
  /** Sockets held at once. */
  readonly most: number;
  /** Time that a client has to read an answer. */
  readonly takeMs: number;
  /** Bytes of answers that clients have not read yet, all together. */
  readonly unreadBytes: number;
  /** A socket was closed in favour of another. */
  readonly onCut: () => void;
}

/**
 * The sockets of a server in three groups: unused, idle, and with a request. Above the limit, the largest group closes
 * the oldest socket of the address that has the most sockets, so a caller that collects idle sockets loses them and
 * other callers can connect. Behind a proxy all sockets have one address, and the oldest are closed. Sockets whose
 * request is being answered are never closed for this.
 */
export class Connections {
  /** No request has come yet. */
  readonly #unused = new Set<Socket>();
  /** Between two requests. */
  readonly #idle = new Set<Socket>();
  readonly #busy = new Map<Socket, Exchange[]>();
  /** Busy ones whose client had not read the whole answer when that was last checked. */
  readonly #unread = new Set<Socket>();
  readonly #bounds: ConnectionBounds;
  readonly #addresses = new Map<Socket, string>();
  /** Sockets by address. */
  readonly #held = new Map<string, number>();
  #lastAnswers = false;

  constructor(server: Server, bounds: ConnectionBounds) {
    this.#bounds = bounds;
    server.on("connection", (socket) => this.#add(socket));
    // Before the app, which may answer at once.
    server.prependListener("request", (request, response) => this.#begin(request, response));
    const sweep = setInterval(() => this.#cutSlowReaders(), Math.min(5_000, bounds.takeMs)).unref();
    server.once("close", () => clearInterval(sweep));
  }

  /** From now on every answer is the last one of its connection and says so, including answers in progress. */
  endKeepAlive(): void {
    this.#lastAnswers = true;
    for (const { response } of [...this.#busy.values()].flat()) response.shouldKeepAlive = false;
  }

  /** To Node, a socket that has sent nothing yet is not idle: load balancers keep such sockets ready. */
  closeUnused(): void {
    for (const socket of this.#unused) if (socket.bytesRead === 0) socket.destroy();
  }

  #add(socket: Socket): void {
    if (socket.destroyed) return;
    const address = networkOf(socket.remoteAddress);
    this.#unused.add(socket);
    this.#addresses.set(socket, address);
    this.#held.set(address, (this.#held.get(address) ?? 0) + 1);
    socket.once("close", () => this.#forget(socket));
    if (this.#unused.size + this.#idle.size + this.#busy.size > this.#bounds.most) this.#makeRoom();
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (this.#lastAnswers) response.shouldKeepAlive = false;
    this.#unused.delete(socket);
    this.#idle.delete(socket);
    const exchange = { request, response };
    const exchanges = this.#busy.get(socket);
    if (exchanges) exchanges.push(exchange);
    else this.#busy.set(socket, [exchange]);
    response.once("prefinish", () => {
      if (socket.writableLength > 0) this.#unread.add(socket);
      this.#cutUnread();
    });
    response.once("close", () => this.#end(socket, exchange));
  }

  #end(socket: Socket, exchange: Exchange): void {
    const left = this.#busy.get(socket)?.filter((each) => each !== exchange);
    // It was closed in the meantime.
    if (!left) return;
    if (left.length > 0) {
      this.#busy.set(socket, left);
      return;
    }
    this.#busy.delete(socket);
    if (!socket.destroyed) this.#idle.add(socket);
  }

  /** Called when an answer has been written: what clients do not read of their answers stays in memory. */
  #cutUnread(): void {
    let total = 0;
    let most: Socket | undefined;
    for (const socket of this.#unread) {
      if (socket.writableLength === 0) this.#unread.delete(socket);
      total += socket.writableLength;
      if (socket.writableLength > (most?.writableLength ?? 0)) most = socket;
    }
    if (total <= this.#bounds.unreadBytes || !most) return;
    most.destroy();
    this.#bounds.onCut();
  }

  #forget(socket: Socket): void {
    this.#unread.delete(socket);
    this.#unused.delete(socket);
    this.#idle.delete(socket);
    this.#busy.delete(socket);
    const address = this.#addresses.get(socket);
    // Forgotten before it closed.
    if (address === undefined) return;
    this.#addresses.delete(socket);
    const left = (this.#held.get(address) ?? 0) - 1;
    if (left > 0) this.#held.set(address, left);
    else this.#held.delete(address);
  }

  #makeRoom(): void {
    const greediest = this.#greediest();
    const ofGreediest = (socket: Socket) => this.#addresses.get(socket) === greediest;
    // If all its requests are being answered, a socket of another address is closed.
    if (!this.#cutOne(ofGreediest)) this.#cutOne(() => true);
  }

  /** @returns the address that holds most sockets. */
  #greediest(): string | undefined {
    let most = 0;
    let greediest: string | undefined;
    for (const [address, held] of this.#held) {
      if (held > most) [most, greediest] = [held, address];
    }
    return greediest;
  }

  /** @returns false if no such socket may be closed. */
  #cutOne(may: (socket: Socket) => boolean): boolean {
    const groups = [
      { size: this.#unused.size, victim: () => first(this.#unused, may) },
      { size: this.#idle.size, victim: () => first(this.#idle, may) },
      { size: this.#busy.size, victim: () => this.#oldestSender(may) },
    ].sort((left, right) => right.size - left.size);
    for (const { victim } of groups) {
      const socket = victim();
      if (!socket) continue;
      this.#forget(socket);
      socket.destroy();
      this.#bounds.onCut();
      return true;
    }
    return false;
  }

  /** @returns the socket whose request has been on its way for longest. */
  #oldestSender(may: (socket: Socket) => boolean): Socket | undefined {
    for (const [socket, exchanges] of this.#busy) {
      if (may(socket) && exchanges.every(({ request }) => !request.complete)) return socket;
    }
    return undefined;
  }

  #cutSlowReaders(): void {
    const now = performance.now();
    for (const [socket, [exchange]] of this.#busy) {
      if (!exchange?.response.writableEnded) continue;
      exchange.writtenAt ??= now;
      if (now - exchange.writtenAt >= this.#bounds.takeMs) socket.destroy();
    }
  }
}

function first<T>(set: ReadonlySet<T>, may: (each: T) => boolean): T | undefined {
  for (const each of set) if (may(each)) return each;
  return undefined;
}
