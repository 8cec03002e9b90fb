import type { AccessAnalyzerClient } from "@aws-sdk/client-accessanalyzer";

type Sdk = typeof import("@aws-sdk/client-accessanalyzer");

export interface ClientOptions {
  readonly version: string;
  /** Maximum outbound connections, and idle ones kept open, per region. */
  readonly maxConnections: number;
  readonly maxIdleConnections: number;
  /** Profile in the AWS config files. Absent: the credentials of the environment. */
  readonly profile?: string | undefined;
}

/** The SDK and its clients, one per region, created on first use. */
export interface Clients {
  get(region: string): Promise<{ readonly sdk: Sdk; readonly client: AccessAnalyzerClient }>;
}

/** AWS has some forty regions; where every region is allowed, callers can invent names. */
export const mostClients = 64;

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/**
 * Clients of IAM Access Analyzer, made when they are first needed and kept by region; the AWS SDK is loaded
 * then.
 */
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
          // The SDK's log would contain policies and findings.
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
        // Not destroyed: a call may use it still.
        for (const oldest of clients.keys()) if (clients.size > mostClients) clients.delete(oldest);
      }
      return { sdk, client };
    },
  };
}
