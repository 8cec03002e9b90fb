import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startLoginFront } from "../support/login/front.ts";
import type { LoginIssuer } from "../support/login/issuer.ts";
import { allowAndSignIn } from "../support/login/person.ts";
import type { Target } from "../support/target.ts";

let issuer: LoginIssuer;
let front: Target;
let base: string;
beforeAll(async () => {
  const variables = { ADVERTISED_SCOPES: "iam:validate,iam:query" };
  ({ base, issuer, front } = await startLoginFront({ variables }));
});
afterAll(async () => {
  await front.stop();
  await issuer[Symbol.asyncDispose]();
});

/** A client on a person's machine, which this server has never heard of. */
class Desktop implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:33418/callback";
  readonly clientMetadata = {
    client_name: "desktop",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  sentTo: URL | undefined;
  stored: StoredOAuthTokens | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = "";

  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client;
  }
  tokens() {
    return this.stored;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.stored = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  discoveryState() {
    return this.#discovery;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

const info = { name: "login-tests", version: "1" };
const url = () => new URL(`${base}/mcp`);
const tools = ["describe_checks", "query", "validate_policies"];

describe.each([
  ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" as const } } }],
  ["2025-11-25", { versionNegotiation: { mode: "legacy" as const } }],
])("SDK 2.4 on %s", (_, options) => {
  test("from the address alone to a tool, and through a refresh", async () => {
    const desktop = new Desktop();
    const transport = () => new StreamableHTTPClientTransport(url(), { authProvider: desktop });
    await expect(new Client(info, options).connect(transport())).rejects.toThrow();
    const callback = await allowAndSignIn(desktop.sentTo ?? url(), base);
    await transport().finishAuth(callback.searchParams);
    const client = new Client(info, options);
    await client.connect(transport());
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name).toSorted()).toEqual(tools);

    const before = desktop.stored;
    if (!before) throw new Error("no tokens");
    // What has ended is answered with 401, and the client refreshes by itself.
    desktop.saveTokens({ ...before, access_token: `${before.access_token.slice(0, -8)}AAAAAAAA` });
    await client.callTool({ name: "describe_checks", arguments: {} });
    expect(desktop.stored?.refresh_token).not.toBe(before.refresh_token);
    await client.close();
  });
});

describe("SDK 1.32", () => {
  test("from the address alone to a tool, and through a refresh", async () => {
    const desktop = new Desktop();
    const authProvider = desktop as unknown as NonNullable<
      ConstructorParameters<typeof Http1>[1]
    >["authProvider"];
    const transport = () => new Http1(url(), authProvider ? { authProvider } : {});
    await expect(new Client1(info).connect(transport())).rejects.toThrow();
    const callback = await allowAndSignIn(desktop.sentTo ?? url(), base);
    expect(callback.searchParams.get("iss")).toBe(base);
    await transport().finishAuth(callback.searchParams.get("code") ?? "");
    const client = new Client1(info);
    await client.connect(transport());
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name).toSorted()).toEqual(tools);

    const before = desktop.stored;
    if (!before) throw new Error("no tokens");
    desktop.saveTokens({ ...before, access_token: `${before.access_token.slice(0, -8)}AAAAAAAA` });
    await client.callTool({ name: "describe_checks", arguments: {} });
    expect(desktop.stored?.refresh_token).not.toBe(before.refresh_token);
    await client.close();
  });
});
