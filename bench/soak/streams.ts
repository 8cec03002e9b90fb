import { Agent, get, type IncomingMessage } from "node:http";
import { token } from "./stage.ts";

const again = 200;

/** Clients that keep the optional event stream open, and open it again whenever it ends. */
export class EventStreams {
  opened = 0;
  /** Ended by the server as it should be: with the last chunk. */
  ended = 0;
  /** Anything else than a 200, or a break in the middle. */
  readonly failures = new Map<string, number>();
  readonly #agent = new Agent();
  readonly #url: string;
  #stopped = false;

  constructor(proxyUrl: string, count: number) {
    this.#url = `${proxyUrl}/mcp`;
    for (let one = 0; one < count; one++) this.#open();
  }

  #open(): void {
    if (this.#stopped) return;
    const headers = { accept: "text/event-stream", authorization: `Bearer ${token}` };
    const next = () => setTimeout(() => this.#open(), again).unref();
    get(this.#url, { headers, agent: this.#agent }, (incoming) => this.#hold(incoming, next)).on(
      "error",
      (error) => {
        this.#failed(error.message);
        next();
      },
    );
  }

  #hold(incoming: IncomingMessage, next: () => void): void {
    const opened = incoming.statusCode === 200;
    if (opened) this.opened++;
    else this.#failed(`status ${incoming.statusCode}`);
    incoming.on("error", () => undefined);
    incoming.once("close", () => {
      if (opened && incoming.complete) this.ended++;
      else if (opened) this.#failed("cut off");
      next();
    });
    incoming.resume();
  }

  #failed(what: string): void {
    if (this.#stopped) return;
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }

  stop(): void {
    this.#stopped = true;
    this.#agent.destroy();
  }
}
