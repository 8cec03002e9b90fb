import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface AnalyzerStub {
  /** What a server asks it by. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): void;
}

/** Stands in for AWS in this process, so that what it costs is not the server's: finds nothing, at once. */
export async function analyzerStub(): Promise<AnalyzerStub> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"findings":[]}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      AWS_ENDPOINT_URL_ACCESSANALYZER: `http://127.0.0.1:${port}`,
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "not-a-secret",
      AWS_REGION: "eu-west-1",
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
