import { Agent, type IncomingMessage, request } from "node:http";
import type { Ask } from "./mix.ts";
import { token } from "./stage.ts";

/** How one request ended. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** `address:port` of the replica that answered, as nginx says; with `, ` between those tried in turn. */
  readonly upstream: string;
}

/** No answer after this long is a failure; the server's own limit is 60 s. */
const patienceMs = 90_000;

/**
 * Of each kind of client. What finds none free waits, and the wait counts: a proxy has a bound on its
 * connections too, 768 where Debian packages it.
 */
const mostSockets = 150;

/** A client with one pool of connections to one address. */
export class Client {
  readonly #host: string;
  readonly #port: number;
  // Idle sockets go before the proxy's 75 s: one that both ends close at once would look like a failure.
  readonly #kept = new Agent({ keepAlive: true, timeout: 20_000, maxSockets: mostSockets });
  readonly #fresh = new Agent({ keepAlive: false, maxSockets: mostSockets });

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /**
   * @param fresh On a separate connection, closed afterwards.
   * @param caller Token of the honest caller who asks.
   * @throws {Error} When no complete answer came.
   */
  send({ headers, body }: Ask, fresh: boolean, caller = token): Promise<Answer> {
    const authorization = headers.authorization?.replace(token, caller);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const outgoing = request(
      {
        host: this.#host,
        port: this.#port,
        path: "/mcp",
        method: "POST",
        headers: authorization === undefined ? headers : { ...headers, authorization },
        agent: fresh ? this.#fresh : this.#kept,
      },
      (incoming) => collect(incoming, resolve, reject),
    );
    outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error("no answer in 90 s")));
    outgoing.on("error", reject);
    outgoing.end(body);
    return promise;
  }

  close(): void {
    this.#kept.destroy();
  }
}

function collect(
  incoming: IncomingMessage,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): void {
  const parts: Buffer[] = [];
  incoming.on("data", (part: Buffer) => parts.push(part));
  incoming.on("error", reject);
  incoming.on("end", () => {
    const { "x-soak-upstream": upstream } = incoming.headers;
    const [only] = parts;
    resolve({
      status: incoming.statusCode ?? 0,
      body: parts.length === 1 && only ? only : Buffer.concat(parts),
      upstream: typeof upstream === "string" ? upstream : "",
    });
  });
}
