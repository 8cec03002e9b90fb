import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGuard, type GuardOptions } from "../../src/http/guard.ts";
import { raw } from "../support/http.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { startProcess } from "../support/process.ts";
import { type TargetOptions, withTokens } from "../support/target.ts";

interface Row {
  /** Absent: there is no such header, as in some function events. */
  readonly host?: string;
  readonly origin?: string;
  /** Undefined: it passes. */
  readonly status?: 403 | 421;
  /** Of the request as this server sees it. */
  readonly scheme?: "http" | "https";
}

function table(title: string, options: GuardOptions, rows: readonly Row[]): void {
  describe(title, () => {
    test.each(rows)("Host $host, Origin $origin: $status", ({ host, origin, status, scheme }) => {
      const guard = createGuard(options);
      const headers = new Headers();
      if (host !== undefined) headers.set("host", host);
      if (origin !== undefined) headers.set("origin", origin);
      const request = new Request(`${scheme ?? "http"}://placeholder/mcp`, { headers });
      expect(guard(request)?.status).toBe(status);
    });
  });
}

table("on loopback", { host: "127.0.0.1" }, [
  { host: "127.0.0.1:8000" },
  { host: "localhost:8000" },
  { host: "LOCALHOST" },
  { host: "[::1]:8000" },
  { host: "127.0.0.2" },
  { host: "127.100.20.30" },
  { host: "0x7f.1" },
  { host: "::1" },
  { host: "128.0.0.1", status: 421 },
  { host: "::2", status: 421 },
  { host: "attacker.example", status: 421 },
  { host: "127.0.0.1.attacker.example", status: 421 },
  { host: "localhost.attacker.example:8000", status: 421 },
  { host: "10.0.0.1", status: 421 },
  { host: "", status: 421 },
  { host: "user@localhost", status: 421 },
  { host: "localhost/x", status: 421 },
  { host: "127.0.0.1:8000", origin: "http://127.0.0.1:8000" },
  { host: "127.0.0.1:8000", origin: "http://localhost:3000" },
  { host: "127.0.0.1:8000", origin: "https://localhost" },
  { host: "127.0.0.1:8000", origin: "http://attacker.example", status: 403 },
  { host: "127.0.0.1:8000", origin: "http://localhost.attacker.example", status: 403 },
  { host: "127.0.0.1:8000", origin: "null", status: 403 },
  { host: "127.0.0.1:8000", origin: "", status: 403 },
  { host: "127.0.0.1:8000", origin: "not a url", status: 403 },
  { host: "127.0.0.1:8000", origin: "chrome-extension://127.0.0.1:8000", status: 403 },
  { host: "attacker.example:8000", origin: "http://attacker.example:8000", status: 421 },
]);

table("on a loopback address of another form", { host: "::1" }, [
  { host: "[::1]:8000" },
  { host: "localhost" },
  { host: "[::2]", status: 421 },
]);

table("on a public address", { host: "0.0.0.0" }, [
  { host: "validator.example.com" },
  { host: "anything.example" },
  { host: "validator.example.com", origin: "http://validator.example.com" },
  { host: "validator.example.com", origin: "https://validator.example.com" },
  { host: "validator.example.com:443", origin: "https://validator.example.com" },
  { host: "Validator.Example.com", origin: "https://validator.example.com" },
  { host: "validator.example.com:8443", origin: "https://validator.example.com:8443" },
  { host: "validator.example.com:8443", origin: "https://validator.example.com", status: 403 },
  { host: "validator.example.com", origin: "https://attacker.example", status: 403 },
  { host: "validator.example.com", origin: "https://validator.example.com.evil", status: 403 },
  { host: "validator.example.com", origin: "null", status: 403 },
  { host: "localhost:8000", origin: "http://localhost:5173" },
  { host: "", origin: "http://validator.example.com", status: 403 },
  { host: "a b", origin: "http://validator.example.com", status: 403 },
  { host: "a b", origin: "http://localhost:5173", status: 403 },
]);

table(
  "with allowed origins, own origin means own scheme too",
  { host: "0.0.0.0", allowedOrigins: ["https://tools.example.com", "vscode-webview://abc"] },
  [
    { host: "validator.example.com", origin: "https://tools.example.com" },
    { host: "validator.example.com", origin: "https://TOOLS.example.com:443" },
    { host: "validator.example.com", origin: "http://tools.example.com", status: 403 },
    { host: "validator.example.com", origin: "https://tools.example.com:8443", status: 403 },
    { host: "validator.example.com", origin: "vscode-webview://abc" },
    { host: "validator.example.com", origin: "vscode-webview://abcd", status: 403 },
    { host: "validator.example.com", origin: "http://validator.example.com" },
    { host: "validator.example.com", origin: "https://validator.example.com", status: 403 },
    {
      host: "validator.example.com",
      origin: "https://validator.example.com",
      scheme: "https",
    },
  ],
);

table(
  "with allowed hosts, public addresses are checked",
  { host: "0.0.0.0", allowedHosts: ["validator.example.com", "other.example.com:8443"] },
  [
    { host: "validator.example.com" },
    { host: "VALIDATOR.example.com:9999" },
    { host: "other.example.com:8443" },
    { host: "other.example.com", status: 421 },
    { host: "attacker.example", status: 421 },
    { host: "localhost", status: 421 },
  ],
);

table(
  "with a single allowed origin",
  { host: "0.0.0.0", allowedOrigins: [" https://TOOLS.example.com "] },
  [
    { host: "validator.example.com", origin: "https://tools.example.com" },
    { host: "validator.example.com", origin: "http://validator.example.com" },
    { host: "validator.example.com", origin: "https://validator.example.com", status: 403 },
  ],
);

table(
  "with an allowed origin of another scheme, as people write it",
  { host: "0.0.0.0", allowedOrigins: [" VSCode-Webview://ABC "] },
  [
    { host: "validator.example.com", origin: "vscode-webview://abc" },
    { host: "validator.example.com", origin: "vscode-webview://ab", status: 403 },
  ],
);

table(
  "with allowed hosts as people write them",
  { host: "0.0.0.0", allowedHosts: [" Validator.Example.COM ", "10.0.0.1:8000"] },
  [
    { host: "validator.example.com" },
    { host: "10.0.0.1:8000" },
    { host: "10.0.0.1:8001", status: 421 },
    { host: "example.com", status: 421 },
  ],
);

table(
  "with allowed hosts on loopback, both pass",
  { host: "127.0.0.1", allowedHosts: ["validator.example.com"] },
  [
    { host: "validator.example.com" },
    { host: "localhost:8000" },
    { host: "attacker.example", status: 421 },
  ],
);

table("without its own address", {}, [
  { host: "abc.lambda-url.eu-west-1.on.aws" },
  {
    host: "abc.lambda-url.eu-west-1.on.aws",
    origin: "https://abc.lambda-url.eu-west-1.on.aws",
    scheme: "https",
  },
  { host: "abc.lambda-url.eu-west-1.on.aws", origin: "https://attacker.example", status: 403 },
  { origin: "http://placeholder" },
  { origin: "http://attacker.example", status: 403 },
]);

test("a host is accepted or refused however often it is named, and whatever others were", () => {
  const guard = createGuard({ host: "127.0.0.1" });
  const statusOf = (host: string) =>
    guard(new Request("http://placeholder/mcp", { headers: { host } }))?.status;
  for (let port = 8000; port < 8100; port++) {
    expect(statusOf(`localhost:${port}`)).toBeUndefined();
    expect(statusOf(`attacker.example:${port}`)).toBe(421);
  }
  expect(statusOf("localhost:8000")).toBeUndefined();
  expect(statusOf("localhost:8099")).toBeUndefined();
  expect(statusOf("attacker.example:8000")).toBe(421);
});

describe("through HTTP", () => {
  let target: InProcess;
  beforeAll(async () => {
    target = await startInProcess();
  });
  afterAll(() => target.stop());

  test("a foreign Origin gets a JSON-RPC error with the id null", async () => {
    const headers = { origin: "https://attacker.example" };
    const { status, text } = await raw(`${target.url}/mcp`, { method: "POST", headers });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: expect.stringContaining("Origin") },
    });
  });

  test("a foreign Host gets 421", async () => {
    const { status, headers, text } = await raw(`${target.url}/mcp`, {
      method: "POST",
      headers: { host: "attacker.example" },
    });
    expect(status).toBe(421);
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text).toBe("Misdirected Request: this server does not answer for that host.\n");
  });
});

describe("the log warns of a server that any web page may come to reach", () => {
  const token = { flags: { ...withTokens.flags, host: "0.0.0.0" } };
  test.each<[string, TargetOptions, boolean]>([
    ["open, without authentication", { flags: { host: "0.0.0.0" } }, true],
    [
      "open, with its names given",
      {
        flags: { host: "0.0.0.0" },
        environment: { VALIDATOR_MCP_ALLOWED_HOSTS: "validator.example.com" },
      },
      false,
    ],
    ["open, with authentication", { ...withTokens, ...token }, false],
    ["on loopback", {}, false],
  ])("%s", async (_, options, warns) => {
    const server = await startProcess(options);
    await server.stop();
    expect(/"level":"warn".*DNS rebinding/.test(server.log.text)).toBe(warns);
  });
});
