import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { authUnderTest } from "../../../test/support/auth.ts";
import { signToken, testKey } from "../../../test/support/issuer.ts";

const nowS = 1_800_000_000;
const key = testKey("RS256", "provider-key");
const tenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const client = "11112222-bbbb-3333-cccc-4444dddd5555";
const realm = "https://sso.example/realms/corp";
const auth0 = "https://tenant.eu.auth0.com";
const configUrl = `${auth0}/.well-known/openid-configuration`;
const authkit = "https://login.authkit.app";
const baseUrl = "https://v.example";

/** Claims as the providers write them, and what each provider's page says about them. */
const own = ["iam:validate", "iam:query", "iam:analyze", "iam:config"];
const providers = {
  azure: {
    variables: {
      AZURE_CLIENT_ID: client,
      AZURE_TENANT_ID: tenant,
      REQUIRED_SCOPES: `openid,api://${client}/access`,
    },
    jwksUri: `https://login.microsoftonline.com/${tenant}/discovery/v2.0/keys`,
    issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
    otherIssuer: "https://login.microsoftonline.com/00000000-0000-0000-0000-000000000001/v2.0",
    claims: {
      aud: client,
      iss: `https://login.microsoftonline.com/${tenant}/v2.0`,
      iat: nowS - 10,
      nbf: nowS - 10,
      exp: nowS + 4000,
      aio: "ATQAy/8TAAAA",
      azp: "22223333-cccc-4444-dddd-5555eeee6666",
      azpacr: "0",
      groups: ["group-1"],
      name: "Alice",
      oid: "690222be-ff1a-4d56-abd1-7e4f7d38e474",
      preferred_username: "alice@corp.example",
      roles: ["Policy.Author"],
      scp: "access iam:validate",
      sub: "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ",
      tid: tenant,
      uti: "fqiBqXLPj0eQa82S-IYFAA",
      ver: "2.0",
    },
    header: { typ: "JWT" },
    caller: {
      subject: "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ",
      clientId: "22223333-cccc-4444-dddd-5555eeee6666",
      scopes: ["access", "iam:validate"],
    },
    mapped: ["Policy.Author", "group:group-1"],
    requiredScopes: ["openid", `api://${client}/access`],
    advertised: own.map((scope) => `api://${client}/${scope}`),
    lacking: { scp: "iam:validate" },
  },
  keycloak: {
    variables: { KEYCLOAK_REALM_URL: `${realm}/`, KEYCLOAK_AUDIENCE: "validator" },
    jwksUri: `${realm}/protocol/openid-connect/certs`,
    issuer: realm,
    otherIssuer: "https://sso.example/realms/other",
    claims: {
      exp: nowS + 300,
      iat: nowS - 10,
      auth_time: nowS - 20,
      jti: "onrtac:3d0d1b3e-0d3c",
      iss: realm,
      aud: ["validator", "account"],
      sub: "f1c3c8f4-0a5b-4a9f-8c0d-7f2f3b9e8a11",
      typ: "Bearer",
      azp: "agent",
      sid: "5c1b",
      acr: "1",
      realm_access: { roles: ["offline_access", "security-team"] },
      resource_access: {
        validator: { roles: ["author"] },
        other: { roles: ["admin-elsewhere"] },
      },
      scope: "openid iam:validate profile",
      groups: ["/security"],
      preferred_username: "alice",
    },
    header: { typ: "JWT" },
    caller: {
      subject: "f1c3c8f4-0a5b-4a9f-8c0d-7f2f3b9e8a11",
      clientId: "agent",
      scopes: ["iam:validate", "openid", "profile"],
    },
    mapped: ["security-team", "role:author", "group:/security"],
    requiredScopes: ["openid"],
    advertised: own,
    lacking: { scope: "profile" },
  },
  auth0: {
    variables: {
      AUTH0_CONFIG_URL: configUrl,
      AUTH0_CLIENT_ID: "auth0-client",
      AUTH0_CLIENT_SECRET: "auth0-s3cr3t",
      AUTH0_AUDIENCE: "https://v.example/mcp",
    },
    jwksUri: `${auth0}/.well-known/jwks.json`,
    issuer: `${auth0}/`,
    otherIssuer: "https://other.eu.auth0.com/",
    claims: {
      iss: `${auth0}/`,
      sub: "auth0|656f1c2d",
      aud: ["https://v.example/mcp", `${auth0}/userinfo`],
      iat: nowS - 10,
      exp: nowS + 86_400,
      scope: "openid iam:validate",
      azp: "my_client_id",
      permissions: ["validate:policies"],
    },
    header: { typ: "JWT" },
    caller: {
      subject: "auth0|656f1c2d",
      clientId: "my_client_id",
      scopes: ["iam:validate", "openid"],
    },
    mapped: ["validate:policies"],
    requiredScopes: ["openid"],
    advertised: own,
    lacking: { scope: "profile" },
  },
  workos: {
    variables: { WORKOS_AUTHKIT_DOMAIN: "login.authkit.app", REQUIRED_SCOPES: "openid" },
    jwksUri: `${authkit}/oauth2/jwks`,
    issuer: authkit,
    otherIssuer: "https://other.authkit.app",
    claims: {
      iss: authkit,
      aud: `${baseUrl}/mcp`,
      sub: "user_01HBEQKA6K4QJAS93VPE39W1JT",
      sid: "session_01HQSXZGF8FHF7A9ZZFCW4387R",
      jti: "01HQSXZXPPFPKMDD32RKTFY6PV",
      org_id: "org_01HRDMC6CM357W30QMHMQ96Q0S",
      role: "author",
      permissions: ["policies:validate"],
      scope: "openid iam:validate",
      iat: nowS - 10,
      exp: nowS + 300,
    },
    header: { typ: "JWT" },
    caller: {
      subject: "user_01HBEQKA6K4QJAS93VPE39W1JT",
      clientId: "user_01HBEQKA6K4QJAS93VPE39W1JT",
      scopes: ["iam:validate", "openid"],
    },
    mapped: ["author", "policies:validate"],
    requiredScopes: ["openid"],
    advertised: own,
    lacking: { scope: "profile" },
  },
} as const;

const discovery = { issuer: `${auth0}/`, jwks_uri: `${auth0}/.well-known/jwks.json` };
const server = setupServer(http.get(configUrl, () => HttpResponse.json(discovery)));
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe.each(Object.entries(providers))("%s", (name, provider) => {
  const serveKeys = () =>
    server.use(http.get(provider.jwksUri, () => HttpResponse.json({ keys: [key.jwk] })));
  const create = (more: Record<string, string> = {}) =>
    authUnderTest(name, { ...provider.variables, BASE_URL: baseUrl, ...more });
  const sign = (change: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    signToken(key, { ...provider.claims, ...change }, { ...provider.header, ...header });

  test("a good token is its caller", async () => {
    serveKeys();
    const { present } = await create();
    expect(await present(await sign())).toMatchObject({ caller: provider.caller });
  });

  test("the scope map knows its groups and roles", async () => {
    serveKeys();
    for (const mapped of provider.mapped) {
      const { present } = await create({ SCOPE_MAP: JSON.stringify({ [mapped]: ["iam:config"] }) });
      const result = await present(await sign());
      expect("caller" in result && result.caller.may("iam:config"), mapped).toBe(true);
    }
  });

  test("a missing subject or client falls back to what the token has", async () => {
    serveKeys();
    const { present } = await create();
    const callers = await Promise.all(
      [{ azp: undefined }, { azp: undefined, sub: undefined }, { azp: 7, sub: ["alice"] }].map(
        async (change) => present(await sign(change)),
      ),
    );
    const { subject } = provider.caller;
    expect(callers).toMatchObject([
      { caller: { subject, clientId: subject } },
      { caller: { subject: "unknown", clientId: "unknown" } },
      { caller: { subject: "unknown", clientId: "unknown" } },
    ]);
  });

  test.each([
    ["expired", { exp: nowS - 60 }, "has expired"],
    ["without expiry", { exp: undefined }, "has no valid expiry"],
    ["not valid yet", { nbf: nowS + 60 }, "is not valid yet"],
    ["for another audience", { aud: "https://other.example/mcp" }, "is for another audience"],
    ["without audience", { aud: undefined }, "is for another audience"],
    ["of another tenant", { iss: provider.otherIssuer }, "has another issuer"],
  ])("a token %s is refused", async (_, change, reason) => {
    serveKeys();
    const { present } = await create();
    expect(await present(await sign(change))).toEqual({
      refusal: { kind: "invalid_token", description: `The access token ${reason}.` },
    });
  });

  test("a token of the right claims and another key is refused", async () => {
    serveKeys();
    const { present } = await create();
    const forged = await signToken(testKey("RS256", key.kid), provider.claims, provider.header);
    expect(await present(forged)).toMatchObject({ refusal: { kind: "invalid_token" } });
  });

  test("a token of another algorithm than RS256 is refused", async () => {
    const other = testKey("PS256", key.kid);
    server.use(
      http.get(provider.jwksUri, () =>
        HttpResponse.json({ keys: [{ ...other.jwk, alg: undefined }] }),
      ),
    );
    const { present } = await create();
    const token = await signToken(other, provider.claims, provider.header);
    expect(await present(token)).toMatchObject({ refusal: { kind: "invalid_token" } });
  });

  test("a token without a required scope is refused with the scopes named", async () => {
    serveKeys();
    const { present, authenticator } = await create();
    expect(authenticator.challengeScopes).toEqual([
      ...provider.requiredScopes,
      ...provider.advertised,
    ]);
    expect(await present(await sign(provider.lacking))).toMatchObject({
      refusal: { kind: "insufficient_scope", scopes: provider.requiredScopes },
    });
  });

  test.each([
    ["is down", () => HttpResponse.error()],
    ["limits our rate", () => new HttpResponse(null, { status: 429 })],
    ["fails", () => new HttpResponse("oops", { status: 500 })],
    ["answers with something else", () => HttpResponse.json({ keys: "none" })],
    ["redirects", () => HttpResponse.redirect("https://elsewhere.example/jwks")],
  ])("no caller gets in while the provider %s, and no token is logged", async (_, answer) => {
    server.use(http.get(provider.jwksUri, answer));
    const { present, lines } = await create();
    const token = await sign();
    expect(await present(token)).toEqual({
      refusal: {
        kind: "invalid_token",
        description: "The access token cannot be checked at the moment.",
      },
    });
    expect(lines.join("\n")).toContain(provider.jwksUri);
    expect(lines.join("\n")).not.toContain(token.slice(0, 20));
  });

  test("clients are sent to the issuer", async () => {
    const { authenticator } = await create();
    expect(authenticator.metadata).toEqual({
      baseUrl,
      authorizationServers: [provider.issuer],
    });
  });

  test("starts only with its variables, and names what is missing without any value", async () => {
    expect(await create({ STEP_UP: "1" })).toMatchObject({
      authenticator: { provider: name, stepUp: true },
    });
    const required = Object.keys(provider.variables).filter(
      (variable) =>
        !(name !== "azure" && variable === "REQUIRED_SCOPES") && variable !== "KEYCLOAK_AUDIENCE",
    );
    for (const missing of required) {
      const error: unknown = await create({ [missing]: " " }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        kind: "auth_provider",
        message: expect.stringContaining(`VALIDATOR_MCP_AUTH_${missing} is not set`),
      });
      expect(String(error)).not.toContain("s3cr3t");
    }
  });
});

describe("azure", () => {
  const { variables, claims, jwksUri } = providers.azure;
  test("the audience may also be the application id URI", async () => {
    server.use(http.get(jwksUri, () => HttpResponse.json({ keys: [key.jwk] })));
    const { present } = await authUnderTest("azure", variables);
    const token = await signToken(key, { ...claims, aud: `api://${client}` });
    expect(await present(token)).toHaveProperty("caller");
  });

  test("an id token of the application is refused, having no scope", async () => {
    server.use(http.get(jwksUri, () => HttpResponse.json({ keys: [key.jwk] })));
    const { present } = await authUnderTest("azure", variables);
    expect(await present(await signToken(key, { ...claims, scp: undefined }))).toMatchObject({
      refusal: { kind: "insufficient_scope" },
    });
  });

  test.each([["openid"], ["openid, profile,email,offline_access"], [","]])(
    "does not start with the scopes %j only",
    async (scopes) => {
      const start = authUnderTest("azure", { ...variables, REQUIRED_SCOPES: scopes });
      await expect(start).rejects.toMatchObject({
        kind: "auth_provider",
        message:
          "Auth azure: VALIDATOR_MCP_AUTH_REQUIRED_SCOPES needs at least one non-OIDC scope of the app registration, such as api://<client id>/access.",
      });
    },
  );

  test.each([
    ["access", "access", true],
    ["api://other/access", "access", true],
    ["access", "ccess", false],
    ["access", "Access", false],
    ["openid,profile,email,offline_access,access", "access", true],
  ])("the scopes %s are met by a token with %s: %s", async (REQUIRED_SCOPES, scp, met) => {
    server.use(http.get(jwksUri, () => HttpResponse.json({ keys: [key.jwk] })));
    const { present } = await authUnderTest("azure", { ...variables, REQUIRED_SCOPES });
    const result = await present(await signToken(key, { ...claims, scp }));
    expect("caller" in result).toBe(met);
  });

  test.each([["common"], ["Organizations"], ["consumers"], ["../x"]])(
    "does not start with the tenant %s",
    async (name) => {
      const start = authUnderTest("azure", { ...variables, AZURE_TENANT_ID: name });
      await expect(start).rejects.toMatchObject({ kind: "auth_provider" });
    },
  );
});

describe("keycloak", () => {
  const { variables, claims, jwksUri } = providers.keycloak;
  const serveKeys = () =>
    server.use(http.get(jwksUri, () => HttpResponse.json({ keys: [key.jwk] })));

  test.each([["ID"], ["Refresh"], ["Logout"], [7]])(
    "a token of type %s is refused",
    async (typ) => {
      serveKeys();
      const { present } = await authUnderTest("keycloak", variables);
      const token = await signToken(key, { ...claims, typ });
      expect(await present(token)).toEqual({
        refusal: {
          kind: "invalid_token",
          description: "The token is not an access token.",
        },
      });
    },
  );

  test("a token without a type is taken for an access token", async () => {
    serveKeys();
    const { present } = await authUnderTest("keycloak", variables);
    const token = await signToken(key, { ...claims, typ: undefined });
    expect(await present(token)).toHaveProperty("caller");
  });

  test.each([
    ["no roles at all", {}],
    ["roles of another shape", { realm_access: ["author"], resource_access: "author" }],
    ["roles that are not text", { realm_access: { roles: [7] }, resource_access: { x: 1 } }],
    ["roles that are one text", { realm_access: { roles: "author" } }],
    ["no roles of ours", { resource_access: { other: { roles: ["author"] } } }],
  ])("a token with %s grants nothing by them", async (_, roles) => {
    serveKeys();
    const SCOPE_MAP = '{"author": ["iam:config"], "a": ["iam:config"], "*": ["iam:query"]}';
    const { present } = await authUnderTest("keycloak", { ...variables, SCOPE_MAP });
    const bare = { ...claims, realm_access: undefined, resource_access: undefined };
    expect(await present(await signToken(key, { ...bare, ...roles }))).toMatchObject({
      caller: { scopes: ["iam:query", "iam:validate", "openid", "profile"] },
    });
  });

  test("without an audience of ours there is no client whose roles are ours", async () => {
    serveKeys();
    const { present } = await authUnderTest("keycloak", {
      ...variables,
      KEYCLOAK_AUDIENCE: undefined,
      SCOPE_MAP: '{"author": ["iam:config"], "security-team": ["iam:query"]}',
    });
    const resource_access = { undefined: { roles: ["author"] } };
    expect(await present(await signToken(key, { ...claims, resource_access }))).toMatchObject({
      caller: { scopes: ["iam:query", "iam:validate", "openid", "profile"] },
    });
  });

  test("a role of another client grants nothing", async () => {
    serveKeys();
    const SCOPE_MAP = '{"admin-elsewhere": ["iam:config"]}';
    const { present } = await authUnderTest("keycloak", { ...variables, SCOPE_MAP });
    const result = await present(await signToken(key, claims));
    expect("caller" in result && result.caller.may("iam:config")).toBe(false);
  });

  test("without an audience every token of the realm passes, and the log warns of it", async () => {
    serveKeys();
    const { present, lines } = await authUnderTest("keycloak", {
      ...variables,
      KEYCLOAK_AUDIENCE: undefined,
    });
    expect(await present(await signToken(key, { ...claims, aud: "x" }))).toHaveProperty("caller");
    expect(lines).toContain(
      "VALIDATOR_MCP_AUTH_KEYCLOAK_AUDIENCE is not set: access tokens for every other application of the realm are accepted too. {}",
    );
  });

  test("with an audience there is nothing to warn of", async () => {
    const { lines } = await authUnderTest("keycloak", { ...variables, BASE_URL: baseUrl });
    expect(lines).toEqual([]);
  });
});

test("auth0: the address of the tenant may end in a slash", async () => {
  const bare = { issuer: auth0, jwks_uri: discovery.jwks_uri };
  server.use(http.get(configUrl, () => HttpResponse.json(bare)));
  const { authenticator } = await authUnderTest("auth0", {
    ...providers.auth0.variables,
    BASE_URL: baseUrl,
  });
  expect(authenticator.metadata?.authorizationServers).toEqual([auth0]);
});

test.each([
  ["a query", "?p=policy", `${auth0}/`],
  ["a path behind", "/x", `${auth0}/x`],
])("auth0: %s is no part of the issuer's address", async (_, more, issuer) => {
  const AUTH0_CONFIG_URL = configUrl + more;
  server.use(http.get(`${auth0}/*`, () => HttpResponse.json({ ...discovery, issuer })));
  await expect(
    authUnderTest("auth0", { ...providers.auth0.variables, AUTH0_CONFIG_URL }),
  ).rejects.toThrow("its issuer is not the URL it was found at");
});

describe("auth0 does not start when its discovery document", () => {
  const invalid = "is invalid: it needs issuer and jwks_uri as https:// URLs";
  const elsewhere = "is invalid: its jwks_uri is not at the tenant's own address";
  const otherIssuer = "is invalid: its issuer is not the URL it was found at";

  test.each([
    ["is unreachable", () => HttpResponse.error(), "is not reachable: the request failed"],
    ["is missing", () => new HttpResponse(null, { status: 404 }), "is answered with status 404"],
    [
      "is redirected",
      () => HttpResponse.redirect("https://elsewhere.example/"),
      "is answered with status 302",
    ],
    ["is not JSON", () => new HttpResponse("<html>"), invalid],
    ["lacks jwks_uri", () => HttpResponse.json({ issuer: `${auth0}/` }), invalid],
    ["lacks the issuer", () => HttpResponse.json({ jwks_uri: discovery.jwks_uri }), invalid],
    [
      "leads to another host",
      () => HttpResponse.json({ ...discovery, jwks_uri: "https://169.254.169.254/k" }),
      elsewhere,
    ],
    [
      "leads to a service of this machine",
      () => HttpResponse.json({ ...discovery, jwks_uri: "http://127.0.0.1:9/k" }),
      elsewhere,
    ],
    [
      "has keys in plain text",
      () => HttpResponse.json({ ...discovery, jwks_uri: "http://x.example/k" }),
      invalid,
    ],
    [
      "speaks for another issuer",
      () => HttpResponse.json({ ...discovery, issuer: "https://evil.example/" }),
      otherIssuer,
    ],
    [
      "speaks for an issuer with a path below",
      () => HttpResponse.json({ ...discovery, issuer: `${auth0}/x/` }),
      otherIssuer,
    ],
    [
      "speaks for an issuer with two slashes",
      () => HttpResponse.json({ ...discovery, issuer: `${auth0}//` }),
      otherIssuer,
    ],
  ])("%s", async (_, answer, message) => {
    server.use(http.get(configUrl, answer));
    const error: unknown = await authUnderTest("auth0", providers.auth0.variables).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      kind: "auth0_discovery",
      message: `Auth auth0: the discovery document ${configUrl} (VALIDATOR_MCP_AUTH_AUTH0_CONFIG_URL) ${message}.`,
    });
  });
});

describe("workos", () => {
  const { variables, claims, jwksUri } = providers.workos;
  test("no scope is needed unless the operator names one", async () => {
    server.use(http.get(jwksUri, () => HttpResponse.json({ keys: [key.jwk] })));
    const { present, authenticator } = await authUnderTest("workos", {
      ...variables,
      BASE_URL: baseUrl,
      REQUIRED_SCOPES: undefined,
    });
    expect(authenticator.requiredScopes).toEqual([]);
    expect(authenticator.challengeScopes).toEqual(own);
    const token = await signToken(key, { ...claims, scope: undefined });
    expect(await present(token)).toMatchObject({ caller: { scopes: [] } });
  });

  test("the scope map knows a list of roles, too", async () => {
    server.use(http.get(jwksUri, () => HttpResponse.json({ keys: [key.jwk] })));
    const { present } = await authUnderTest("workos", {
      ...variables,
      BASE_URL: baseUrl,
      SCOPE_MAP: '{"role:reviewer": ["iam:config"]}',
    });
    const token = await signToken(key, { ...claims, roles: ["reviewer"] });
    expect(await present(token)).toMatchObject({
      caller: { scopes: ["iam:config", "iam:validate", "openid"] },
    });
  });

  test("needs a public base URL, which may be the own address", async () => {
    await expect(authUnderTest("workos", variables)).rejects.toMatchObject({
      kind: "auth_provider",
      message:
        "Auth workos: VALIDATOR_MCP_AUTH_BASE_URL is not set; set it to the public URL of this server, because the audience of its tokens is <that URL>/mcp.",
    });
    const { authenticator } = await authUnderTest("workos", variables, {
      defaultBaseUrl: "http://127.0.0.1:8000",
    });
    expect(authenticator.metadata?.baseUrl).toBe("http://127.0.0.1:8000");
  });
});
