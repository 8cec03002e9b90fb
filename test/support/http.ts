import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from "node:http";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as it is; absent: no body. */
  readonly body?: string | Uint8Array;
}

/** A request below `fetch`, which keeps Host, Origin and broken bodies to itself. */
export function open(url: string, { method = "GET", headers = {} }: RawRequest): ClientRequest {
  return httpRequest(url, { method, headers, agent: false });
}

/** @returns the answer with its whole body. */
export function raw(url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const request = open(url, options);
  const answer = answerOf(request);
  request.end(options.body);
  return answer;
}

export function answerOf(request: ClientRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString("utf8"),
        });
      });
    });
  });
}
