import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FairLoop, Standing } from "../admission/fair-loop.ts";
import { networkOf } from "./address.ts";
import type { IncomingBody } from "./incoming-body.ts";
import { PipeliningDelay } from "./pipelining-delay.ts";

/** Bytes that the HTTP parser gets in one step: adapted to the time of the last step, between these bounds. */
const firstSlice = 4 * 1024;
const leastSlice = 512;
const mostSlice = 64 * 1024;
/** An orchestrator's request has a few headers. */
const mostProbeBytes = 2_048;
/** Bytes that some clients send after a body (RFC 9112, 2.2). */
const emptyLine = 2;
const quickMs = 0.3;
const slowMs = 1;

/** A request on its connection. */
export interface Queued {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: IncomingBody;
}

export interface LineOptions {
  /** Node's own listener for what arrives on the socket. */
  readonly parse: (bytes: Buffer) => void;
  /** @returns the sender of the first bytes, where it has been authenticated on another connection. */
  readonly knownSender: (bytes: Buffer) => string | undefined;
}

/**
 * One connection. What it sends reaches the HTTP parser in pieces, each when it is the sender's turn: 64 KiB, which is
 * what one read returns, can hold two thousand requests or ten thousand chunks, and parsing them holds the event loop
 * for as long as all callers together should. While a request waits for its answer, the next one is not parsed.
 */
export class Line {
  active: Queued | undefined;
  /** Of the other end. A socket forgets it when it closes. */
  readonly address: string;
  /** Requests that were parsed in one piece with the active one, in the order in which they came. */
  readonly waiting: Queued[] = [];
  readonly #socket: Socket;
  readonly #fair: FairLoop;
  readonly #options: LineOptions;
  #standing: Standing = "new";
  #sender: string;
  /** What has arrived and is not parsed yet. */
  #rest: Buffer | undefined;
  #slice = firstSlice;
  readonly #delay = new PipeliningDelay();
  #isPaused = false;
  #isQueued = false;
  #isHeld = false;
  #isParsing = false;

  constructor(socket: Socket, fair: FairLoop, options: LineOptions) {
    this.#socket = socket;
    this.#fair = fair;
    this.#options = options;
    this.address = addressOf(socket);
    this.#sender = this.address;
    socket.once("data", (chunk: Buffer) => {
      const sender = options.knownSender(chunk);
      if (sender !== undefined) this.remember(sender);
    });
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    // A body that is read resumes its socket.
    socket.on("resume", () => {
      if (this.#isHeld) socket.pause();
    });
    socket.on("drain", () => this.update());
    socket.once("close", () => {
      this.#rest = undefined;
    });
  }

  /** Whether the next request may begin as soon as it is parsed. */
  get isFree(): boolean {
    return !this.active && !this.#isPaused && this.waiting.length === 0;
  }

  /** The sender of this connection has been authenticated under this name. */
  remember(sender: string): void {
    this.#standing = "known";
    this.#sender = sender;
  }

  /** Runs the work when it is the turn of this connection's sender: at once while its bytes are being parsed. */
  run(work: () => void): void {
    if (this.#isParsing) work();
    else this.#fair.run(this.#standing, this.#sender, work);
  }

  /**
   * A request of this connection has been answered.
   * @param next Called when the one after it may begin: later, for a connection that sends many ahead.
   */
  answered(next: () => void): void {
    if (this.#standing === "new") this.#standing = "stranger";
    const isAhead = this.waiting.length > 0 || (this.#rest?.length ?? 0) > emptyLine;
    const pauseMs = this.#delay.pauseMs(isAhead);
    if (pauseMs === 0 || this.#socket.destroyed) {
      next();
      return;
    }
    this.#isPaused = true;
    setTimeout(() => {
      this.#isPaused = false;
      next();
    }, pauseMs);
    this.update();
  }

  /** Called when something has changed that decides whether more may be parsed. */
  update(): void {
    this.#enqueue();
    const isHeld = this.#rest !== undefined || this.#isPaused || this.#isBlocked;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.#socket.pause();
    else this.#socket.resume();
  }

  get #isBlocked(): boolean {
    return this.waiting.length > 0 || (this.active?.body.isFull ?? false);
  }

  /** Whether the bytes that have arrived may be parsed now. */
  get #mayParse(): boolean {
    return (
      !this.#isPaused &&
      !this.#isBlocked &&
      !this.active?.incoming.complete &&
      !this.#socket.writableNeedDrain
    );
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.update();
  }

  #enqueue(): void {
    if (this.#isQueued || this.#isParsing || !this.#rest || !this.#mayParse) return;
    this.#isQueued = true;
    const standing = this.#standing !== "known" && isProbe(this.#rest) ? "probe" : this.#standing;
    this.#fair.run(standing, this.#sender, () => {
      this.#isQueued = false;
      this.#parseSome();
      this.update();
    });
  }

  #parseSome(): void {
    this.#isParsing = true;
    do this.#parseSlice();
    while (this.#rest && this.#mayParse && this.#fair.hasTimeNow());
    this.#isParsing = false;
  }

  #parseSlice(): void {
    const bytes = this.#rest;
    if (!bytes || !this.#mayParse || this.#socket.destroyed) return;
    this.#rest = bytes.length > this.#slice ? bytes.subarray(this.#slice) : undefined;
    const began = performance.now();
    this.#options.parse(bytes.subarray(0, this.#slice));
    const tookMs = performance.now() - began;
    if (tookMs > slowMs) this.#slice = Math.max(leastSlice, this.#slice / 2);
    else if (tookMs < quickMs) this.#slice = Math.min(mostSlice, this.#slice * 2);
  }
}

/** Whether all that has arrived is one request for the health of the server, as orchestrators send it. */
function isProbe(bytes: Buffer): boolean {
  if (bytes.length > mostProbeBytes) return false;
  const text = bytes.toString("latin1");
  return /^GET \/(health|ready) HTTP/.test(text) && text.indexOf("\r\n\r\n") === text.length - 4;
}

/**
 * Name of the sender of a connection for its share: the address, of IPv6 the network of 64 bits.
 */
export function addressOf({ remoteAddress }: Socket): string {
  return `address ${networkOf(remoteAddress)}`;
}
