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
  const write = (_: object, message: string) => void lines.push(message);
  const metadata = publish(
    {
      provider: "jwt",
      environment,
      log: { info: write, warn: write },
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

test.each([[{}], [{ VALIDATOR_MCP_AUTH_BASE_URL: "  " }]])(
  "the server's own address is published, and the log says so (%o)",
  (environment) => {
    const { metadata, lines } = publishWith("http://127.0.0.1:8000", [issuer], environment);
    expect(metadata?.baseUrl).toBe("http://127.0.0.1:8000");
    expect(lines).toEqual([expect.stringContaining("reached at its own address")]);
  },
);

test("without an address nothing is published, and the log says why", () => {
  const { metadata, lines } = publishWith(undefined, [issuer]);
  expect(metadata).toBeUndefined();
  expect(lines).toEqual([expect.stringContaining("VALIDATOR_MCP_AUTH_BASE_URL is not set")]);
});

test.each([
  ["no URL", ["issuer"]],
  ["another scheme", ["urn:example:issuer"]],
  ["a host that is none", ["https://exa mple/"]],
  ["one good and one that is none", [issuer, "issuer"]],
])("issuers that clients cannot go to are not published: %s", (_, servers) => {
  const { metadata, lines } = publishWith(base, servers, { VALIDATOR_MCP_AUTH_BASE_URL: base });
  expect(metadata).toBeUndefined();
  expect(lines).toEqual([expect.stringContaining("not a URL")]);
});
