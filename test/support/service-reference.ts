import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serviceDocuments } from "./service-documents.ts";

type Answer = (response: ServerResponse) => void;

/** A service reference on this machine, in the layout of AWS's own. */
export interface ServiceReference {
  /** Address of the list. */
  readonly url: string;
  /** Paths asked for. */
  readonly requests: readonly string[];
  /** Answers requests of a path otherwise from now on. */
  answer(path: string, answer: Answer): void;
  /** Answers requests of a path as it should again. */
  restore(path: string): void;
  stop(): Promise<void>;
}

export const unavailable: Answer = (response) => void response.writeHead(503).end();

/**
 * Serves the small service documents of the tests.
 * @param at Port; 0: any free one.
 */
export async function serviceReference(at = 0): Promise<ServiceReference> {
  const documents = new Map<string, unknown>([
    ["/", Object.keys(serviceDocuments).map((service) => ({ service, url: `/${service}.json` }))],
    ...Object.entries(serviceDocuments).map(([service, document]): [string, unknown] => [
      `/${service}.json`,
      document,
    ]),
  ]);
  const special = new Map<string, Answer>();
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    const answer = special.get(url);
    if (answer) answer(response);
    else if (documents.has(url)) response.end(JSON.stringify(documents.get(url)));
    else response.writeHead(404).end();
  });
  server.listen(at, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    answer: (path, answer) => void special.set(path, answer),
    restore: (path) => void special.delete(path),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
