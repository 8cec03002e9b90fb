import type { AccessAnalyzerClient } from "@aws-sdk/client-accessanalyzer";

type Sdk = typeof import("@aws-sdk/client-accessanalyzer");

export interface ClientOptions {
  readonly version: string;
  /** Outbound connections at once, and idle ones kept, per region. */
  readonly maxConnections: number;
  readonly maxIdleConnections: number;
  /** Profile of the AWS config files; absent: the credentials of the environment. */
  readonly profile?: string | undefined;
}

/** The SDK with its clients, one per region, made when first needed. */
export interface Clients {
  get(region: string): Promise<{ readonly sdk: Sdk; readonly client: AccessAnalyzerClient }>;
}

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

export function createClients({
  version,
  maxConnections,
  maxIdleConnections,
  profile,
}: ClientOptions): Clients {
  const clients = new Map<string, AccessAnalyzerClient>();
  return {
    async get(region) {
      const sdk = await import("@aws-sdk/client-accessanalyzer");
      let client = clients.get(region);
      if (!client) {
        client = new sdk.AccessAnalyzerClient({
          region,
          ...(profile === undefined ? {} : { profile }),
          customUserAgent: [["validator-mcp", version]],
          // Requests and answers hold the policy and the findings.
          logger: silent,
          requestHandler: {
            connectionTimeout: 5_000,
            httpsAgent: {
              keepAlive: true,
              maxSockets: maxConnections,
              maxFreeSockets: maxIdleConnections,
            },
          },
        });
        clients.set(region, client);
      }
      return { sdk, client };
    },
  };
}
