import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { settingSources } from "../../spec/settings.ts";
import { createHandler } from "../../src/awslambda.ts";
import type { FunctionHandler } from "../../src/lambda/create.ts";
import { hostedFlags, type TargetOptions } from "./target.ts";

/** Carries what the gateway in front found out, as JSON; clients of a real gateway have no such way. */
export const authorizerHeader = "x-stand-in-authorizer";

export interface FunctionTarget {
  readonly url: string;
  stop(): Promise<void>;
}

/** The real function behind a stand-in for what turns HTTP into events of format 2.0. */
export async function startFunction({
  flags,
  environment,
}: TargetOptions): Promise<FunctionTarget> {
  const given = Object.entries(hostedFlags(flags)).flatMap(([field, value]) => {
    const source = settingSources[field as keyof typeof settingSources];
    return source.variable && value !== undefined ? [[source.variable, value]] : [];
  });
  const handler = await createHandler({
    environment: { ...Object.fromEntries(given), ...environment },
  });
  return functionUrl(handler);
}

/** What turns HTTP into events of format 2.0 and results into HTTP, as a function URL does. */
export async function functionUrl(handler: FunctionHandler): Promise<FunctionTarget> {
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    void invoke(handler, request).then(({ statusCode, headers, body, isBase64Encoded }) => {
      response.writeHead(statusCode, headers);
      response.end(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function invoke(handler: FunctionHandler, request: IncomingMessage) {
  const body = await text(request);
  const headers = Object.fromEntries(
    Object.entries(request.headersDistinct)
      .filter(([name]) => name !== authorizerHeader)
      .map(([name, values]) => [name, values?.join(",")]),
  );
  const authorizer = request.headers[authorizerHeader];
  const [rawPath = "/", rawQueryString = ""] = (request.url ?? "/").split("?");
  return handler({
    version: "2.0",
    rawPath,
    rawQueryString,
    headers,
    body,
    isBase64Encoded: false,
    requestContext: {
      http: { method: request.method, path: rawPath },
      stage: "$default",
      ...(authorizer !== undefined && { authorizer: JSON.parse(String(authorizer)) }),
    },
  });
}
