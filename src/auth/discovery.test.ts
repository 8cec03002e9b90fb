import { expect, test } from "vitest";
import { publish } from "./discovery.ts";

const base = "https://v.example";
const issuer = "https://as.example/";

function publishWith(
  baseUrl: string | undefined,
  servers: readonly string[],
  environment: Record<string, string> = {},
) {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
  const metadata = publish(
    {
      provider: "jwt",
      environment,
      log: { info: write("info"), warn: write("warn") },
      defaultBaseUrl: undefined,
      now: Date.now,
    },
    baseUrl,
    servers,
  );
  return { metadata, lines };
}

test("a base URL that was set is published without a word", () => {
  expect(publishWith(base, [issuer], { VALIDATOR_MCP_AUTH_BASE_URL: base })).toEqual({
    metadata: { baseUrl: base, authorizationServers: [issuer] },
    lines: [],
  });
});

test("an issuer on this machine may do without TLS", () => {
  const servers = ["http://127.0.0.1:9000"];
  expect(publishWith(base, servers, { VALIDATOR_MCP_AUTH_BASE_URL: base }).metadata).toEqual({
    baseUrl: base,
    authorizationServers: servers,
  });
});

test.each([[{}], [{ VALIDATOR_MCP_AUTH_BASE_URL: "  " }]])(
  "the server's own address is published, and the log says so (%o)",
  (environment) => {
    const { metadata, lines } = publishWith("http://127.0.0.1:8000", [issuer], environment);
    expect(metadata?.baseUrl).toBe("http://127.0.0.1:8000");
    expect(lines).toEqual([
      'info {"base_url":"http://127.0.0.1:8000"} VALIDATOR_MCP_AUTH_BASE_URL is not set: clients are told that this server is reached at its own address.',
    ]);
  },
);

test("without an address nothing is published, and the log says why", () => {
  const { metadata, lines } = publishWith(undefined, [issuer]);
  expect(metadata).toBeUndefined();
  expect(lines).toEqual([
    "info {} VALIDATOR_MCP_AUTH_BASE_URL is not set: no protected-resource metadata is published, and clients need to be told where to get tokens.",
  ]);
});

test.each([
  ["no URL", ["issuer"]],
  ["another scheme", ["urn:example:issuer"]],
  ["another scheme that names a URL", ["urn:example:https://as.example/"]],
  ["a host that is none", ["https://exa mple/"]],
  ["one good and one that is none", [issuer, "issuer"]],
])("issuers that clients cannot go to are not published: %s", (_, servers) => {
  const { metadata, lines } = publishWith(base, servers, { VALIDATOR_MCP_AUTH_BASE_URL: base });
  expect(metadata).toBeUndefined();
  expect(lines).toEqual([
    "warn {} The issuer is not a URL: no protected-resource metadata is published, and clients need to be told where to get tokens.",
  ]);
});
