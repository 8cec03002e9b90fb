import {
  Client,
  ClientCredentialsProvider,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { ClientCredentialsProvider as Credentials1 } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { browse, machine, narrowMachine, type Oidc, startOidc } from "../support/oidc.ts";
import { startProcess } from "../support/process.ts";
import { readOnly, rpc } from "../support/rpc.ts";
import { auditRecords, type Target } from "../support/target.ts";

let port: number;
let oidc: Oidc;
let target: Target;
let resource: string;
beforeAll(async () => {
  port = await freePort();
  // Clients compare the resource with the URL they were given, so the base URL is the real one.
  resource = `http://127.0.0.1:${port}/mcp`;
  oidc = await startOidc([resource, "https://other.example/mcp"]);
  target = await startWith("jwt", {
    JWT_ISSUER: oidc.url,
    JWT_AUDIENCE: resource,
    JWT_JWKS_URI: `${oidc.url}/jwks`,
    ADVERTISED_SCOPES: "iam:validate",
    STEP_UP: "1",
  });
});

/** @param variables without the prefix. */
function startWith(auth: string, variables: Readonly<Record<string, string>>) {
  const all = { ...variables, BASE_URL: `http://127.0.0.1:${port}` };
  return startProcess({
    flags: { auth, port: String(port) },
    environment: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value]),
    ),
  });
}
afterAll(async () => {
  await target.stop();
  await oidc[Symbol.asyncDispose]();
});

const info = { name: "oidc-tests", version: "1" };
const modern = { versionNegotiation: { mode: { pin: "2026-07-28" as const } } };
const legacy = { versionNegotiation: { mode: "legacy" as const } };

function credentials({ id, secret }: { id: string; secret: string } = machine) {
  return new ClientCredentialsProvider({
    clientId: id,
    clientSecret: secret,
    expectedIssuer: oidc.url,
  });
}

async function connect(authProvider: OAuthClientProvider, options: object = modern) {
  const client = new Client(info, options);
  const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider });
  await client.connect(transport);
  return { client, transport, [Symbol.asyncDispose]: () => client.close() };
}

const toolsOf = async (client: Pick<Client, "listTools">) =>
  (await client.listTools()).tools.map(({ name }) => name);

describe("client credentials", () => {
  test.each([
    ["2026-07-28", modern],
    ["2025-11-25", legacy],
  ])("SDK 2 on %s finds its way from the first 401 to a call", async (_, options) => {
    const before = oidc.requests.length;
    const provider = credentials();
    await using at = await connect(provider, options);
    expect(await toolsOf(at.client)).toEqual(["validate_policies", "describe_checks"]);
    const answer = await at.client.callTool({
      name: "validate_policies",
      arguments: { policies: [readOnly] },
    });
    expect(answer).toMatchObject({ isError: false });

    // It asked where the challenge sent it, for our resource and the scope we advertise.
    const asked = oidc.requests.slice(before);
    expect(asked.some((line) => line.startsWith("GET /.well-known/"))).toBe(true);
    expect(Object.fromEntries(oidc.tokenRequests.at(-1) ?? [])).toMatchObject({
      grant_type: "client_credentials",
      resource,
      scope: "iam:validate",
    });
    const { aud, iss, scope } = decodeJwt(provider.tokens()?.access_token ?? "");
    expect({ aud, iss, scope }).toEqual({ aud: resource, iss: oidc.url, scope: "iam:validate" });
  });

  test("SDK 1 does the same", async () => {
    const provider = new Credentials1({
      clientId: machine.id,
      clientSecret: machine.secret,
      scope: "iam:validate",
      expectedIssuer: oidc.url,
    });
    const client = new Client1(info);
    await client.connect(new Http1(new URL(resource), { authProvider: provider }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(["validate_policies", "describe_checks"]);
  });

  test("the audit record names the client and its scopes", async () => {
    const [record] = auditRecords(await target.audit.atLeast(1));
    expect(record).toMatchObject({
      subject: machine.id,
      scopes: ["iam:validate"],
      tool: "validate_policies",
    });
  });
});

describe("authorization code", () => {
  test("an unknown client registers, signs a person in, and calls", async () => {
    const desktop = new Desktop();
    await expect(connect(desktop)).rejects.toBeInstanceOf(UnauthorizedError);
    const at = desktop.sentTo ?? new URL("about:blank");
    expect(at.searchParams.get("resource")).toBe(resource);
    expect(at.searchParams.get("code_challenge_method")).toBe("S256");
    const callback = await browse(at, Desktop.callback);

    const transport = new StreamableHTTPClientTransport(new URL(resource), {
      authProvider: desktop,
    });
    await transport.finishAuth(callback.searchParams);
    await using again = await connect(desktop);
    expect(await toolsOf(again.client)).toEqual(["validate_policies", "describe_checks"]);
    await again.client.callTool({ name: "describe_checks", arguments: {} });
    const records = auditRecords(target.audit.all);
    expect(records.at(-1)).toMatchObject({ subject: "alice", tool: "describe_checks" });
    expect(oidc.requests).toContain("POST /reg");
  });
});

describe("scopes change", () => {
  test("a call past the token's scopes gets another token, and the surface grows", async () => {
    const provider = credentials();
    await using at = await connect(provider);
    expect(await toolsOf(at.client)).not.toContain("get_config");
    const answer = await at.client.callTool({ name: "get_config", arguments: {} });
    expect(answer).toMatchObject({ isError: false });
    expect(decodeJwt(provider.tokens()?.access_token ?? "").scope).toBe("iam:validate iam:config");
    await using again = await connect(provider);
    expect(await toolsOf(again.client)).toContain("get_config");
  });

  test("a client that may not have the scope stays where it was", async () => {
    const provider = credentials(narrowMachine);
    await using at = await connect(provider);
    await expect(at.client.callTool({ name: "get_config", arguments: {} })).rejects.toThrow();
    await using again = await connect(credentials(narrowMachine));
    expect(await toolsOf(again.client)).toEqual(["validate_policies", "describe_checks"]);
  });

  test("a token of fewer scopes sees less at once", async () => {
    const ask = (scope: string) => oidc.token({ resource, scope });
    const wide = await ask("iam:validate iam:query");
    const narrow = await ask("iam:query");
    for (const [token, count] of [
      [wide, 3],
      [narrow, 1],
      [wide, 3],
    ] as const) {
      const { body } = await rpc(target, "tools/list", {}, { token, era: "2026" });
      expect(body.result?.tools).toHaveLength(count);
    }
  });
});

describe("tokens that must not pass", () => {
  test("one for another resource of the same issuer", async () => {
    const token = await oidc.token({
      resource: "https://other.example/mcp",
      scope: "iam:validate",
    });
    const { status, headers } = await rpc(target, "tools/list", {}, { token });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toContain("another audience");
  });

  test("one for no resource, which is opaque", async () => {
    const token = await oidc.token({});
    expect((await rpc(target, "tools/list", {}, { token })).status).toBe(401);
  });
});

describe("expiry", () => {
  test("an expired token is refused, and the client gets a new one by itself", async () => {
    const provider = credentials();
    await using at = await connect(provider);
    oidc.lifetimeS = -60;
    const expired = await oidc.token({ resource, scope: "iam:validate" });
    oidc.lifetimeS = 600;
    const { status, headers } = await rpc(target, "tools/list", {}, { token: expired });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toContain('error="invalid_token"');

    const held = provider.tokens();
    if (!held) throw new Error("no token");
    provider.saveTokens({ ...held, access_token: expired });
    const before = oidc.tokenRequests.length;
    expect(await toolsOf(at.client)).toEqual(["validate_policies", "describe_checks"]);
    expect(oidc.tokenRequests.length).toBe(before + 1);
    expect(provider.tokens()?.access_token).not.toBe(expired);
  });
});

describe("key rotation", () => {
  test("a token of the new key passes at once, one of the withdrawn key no more", async () => {
    const ask = () => oidc.token({ resource, scope: "iam:validate" });
    const list = async (token: string) => (await rpc(target, "tools/list", {}, { token })).status;
    const old = await ask();
    expect(await list(old)).toBe(200);
    const fetches = () => oidc.requests.filter((line) => line === "GET /jwks").length;
    const before = fetches();
    oidc.rotate();
    expect(await list(old)).toBe(200);
    expect(fetches()).toBe(before);

    const fresh = await ask();
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid);
    expect(await list(fresh)).toBe(200);
    expect(fetches()).toBe(before + 1);
    expect(await list(old)).toBe(401);
    // Within 30 s of the last search, an unknown key causes no other.
    expect(fetches()).toBe(before + 1);
    expect(await list(fresh)).toBe(200);
  });
});

describe("providers that find their issuer at an address of the operator's", () => {
  const settings = {
    auth0: () => ({
      AUTH0_CONFIG_URL: `${oidc.url}/.well-known/openid-configuration`,
      AUTH0_CLIENT_ID: machine.id,
      AUTH0_CLIENT_SECRET: machine.secret,
      AUTH0_AUDIENCE: resource,
    }),
    keycloak: () => ({ KEYCLOAK_REALM_URL: oidc.url, KEYCLOAK_AUDIENCE: resource }),
    workos: () => ({ WORKOS_AUTHKIT_DOMAIN: oidc.url }),
  };

  const name = "%s lets the same client in, with all that it is told to ask for";
  test.each(Object.entries(settings))(name, async (auth, variables) => {
    await target.stop();
    target = await startWith(auth, { ...variables(), REQUIRED_SCOPES: "iam:validate" });
    await using at = await connect(credentials());
    expect(await toolsOf(at.client)).toEqual([
      "validate_policies",
      "query",
      "describe_checks",
      "get_config",
      "analyze_policy",
    ]);
    const { status } = await rpc(target, "tools/list", {}, { token: "a.b.c" });
    expect(status).toBe(401);
  });
});

/** A client on a person's machine, which the issuer has never heard of. */
class Desktop implements OAuthClientProvider {
  static readonly callback = "http://127.0.0.1:33418/callback";
  sentTo: URL | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = "";

  readonly redirectUrl = Desktop.callback;
  readonly clientMetadata = {
    client_name: "desktop",
    application_type: "native",
    redirect_uris: [Desktop.callback],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };

  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
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
