import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type FakeProvider,
  fakeProvider,
  json,
  upstreamOptions,
} from "../../../test/support/login/fake-provider.ts";
import {
  base,
  frontClient,
  keyOne,
  type Variables,
} from "../../../test/support/login/variables.ts";
import { auth0Upstream } from "./auth0.ts";
import { azureUpstream } from "./azure.ts";
import { UpstreamError } from "./calls.ts";
import { googleUpstream } from "./google.ts";
import type { Upstream } from "./upstream.ts";

const nonce = "n".repeat(22);
let provider: FakeProvider;
describe("providers", () => {
  beforeAll(() => vi.stubGlobal("fetch", ((...given) => provider.fetch(...given)) as typeof fetch));
  afterAll(() => vi.unstubAllGlobals());

  const common: Variables = {
    BASE_URL: base,
    OAUTH_KEYS: keyOne,
    SCOPE_MAP: '{"*":["iam:query"]}',
  };
  const signal = () => new AbortController().signal;
  const queryOf = async (upstream: Upstream, scopes: readonly "iam:query"[] = []) => {
    const url = new URL(
      await upstream.authorizationUrl({ state: "s", verifier: "v", nonce, scopes }),
    );
    const { state, code_challenge, ...query } = Object.fromEntries(url.searchParams);
    expect(state).toBe("s");
    expect(code_challenge).toMatch(/^[\w-]{43}$/);
    return { url: url.origin + url.pathname, query };
  };
  const always = {
    client_id: frontClient.id,
    redirect_uri: `${base}/oauth/callback`,
    response_type: "code",
    code_challenge_method: "S256",
    nonce,
  };
  const login = async (upstream: Upstream, claims: object = {}) => {
    provider.tokens({ id_token: await provider.sign({ nonce, ...claims }), refresh_token: "r1" });
    provider.requests.length = 0;
    return upstream.redeem({ code: "c1", verifier: "v".repeat(44), nonce }, signal());
  };
  const refresh = async (upstream: Upstream, claims?: object) => {
    provider.tokens(claims ? { id_token: await provider.sign(claims) } : {});
    provider.requests.length = 0;
    return upstream.refresh({ refresh: "r1" }, nonce, signal());
  };
  /** Forms that went to the token endpoint, without what every one has. */
  const tokenForms = () =>
    provider.requests
      .filter(({ url }) => url.endsWith("/token"))
      .map(({ url, form, headers }) => {
        expect(headers.has("authorization")).toBe(false);
        const { client_id, client_secret, grant_type, ...rest } = Object.fromEntries(form);
        expect([client_id, client_secret]).toEqual([frontClient.id, frontClient.secret]);
        return { url, grant_type, ...rest };
      });

  describe("Google", () => {
    const start = () => {
      provider = fakeProvider("https://accounts.google.com");
      const variables = { ...common, GOOGLE_CLIENT_ID: "x", GOOGLE_CLIENT_SECRET: "y" };
      return googleUpstream(upstreamOptions({ provider: "google", variables }).options);
    };

    test("is asked for a refresh token every time", async () => {
      const upstream = start();
      expect(await queryOf(upstream, ["iam:query"])).toEqual({
        url: "https://accounts.google.com/o/oauth2/v2/auth",
        query: { ...always, scope: "openid email", access_type: "offline", prompt: "consent" },
      });
      expect(upstream.name).toBe("Google");
      expect([
        upstream.acceptsIssuer(undefined),
        upstream.acceptsIssuer("https://x.example"),
      ]).toEqual([true, false]);
    });

    test.each<[string, object, object]>([
      ["alone", {}, { groups: [], login: undefined }],
      ["of a Workspace", { hd: "example.com" }, { groups: ["example.com"] }],
      [
        "with a verified address",
        { email: "a@example.com", email_verified: true },
        { login: "a@example.com" },
      ],
      [
        "with one that is verified in words",
        { email: "a@example.com", email_verified: "true" },
        { login: "a@example.com" },
      ],
      [
        "with one that is not verified",
        { email: "a@example.com", email_verified: false },
        { login: undefined },
      ],
      ["with one of which nothing is said", { email: "a@example.com" }, { login: undefined }],
      ["with an empty one", { email: "", email_verified: true }, { login: undefined }],
    ])("says who an account is, %s", async (_what, claims, identity) => {
      const upstream = start();
      expect(await login(upstream, claims)).toMatchObject({
        identity: { subject: "alice", clientId: "alice", scopes: [], ...identity },
        grant: { refresh: "r1" },
      });
      expect(provider.requests.map(({ url }) => url)).toEqual([
        "https://oauth2.googleapis.com/token",
        "https://www.googleapis.com/oauth2/v3/certs",
      ]);
      expect(tokenForms()).toEqual([
        {
          url: "https://oauth2.googleapis.com/token",
          grant_type: "authorization_code",
          code: "c1",
          code_verifier: "v".repeat(44),
          redirect_uri: `${base}/oauth/callback`,
        },
      ]);
    });

    test("says nothing new without an ID token", async () => {
      expect(await refresh(start())).toEqual({ identity: undefined, grant: { refresh: "r1" } });
    });

    test("ends a login", async () => {
      const upstream = start();
      await upstream.revoke?.({ refresh: "r1" }, signal());
      expect(provider.requests.map(({ url }) => url)).toEqual([
        "https://oauth2.googleapis.com/revoke",
      ]);
    });
  });

  describe("Entra", () => {
    const tenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
    const authority = `https://login.microsoftonline.com/${tenant}`;
    const scope = "openid profile email offline_access";
    const start = (id = tenant) => {
      provider = fakeProvider(`${authority}/v2.0`);
      const variables = {
        ...common,
        AZURE_TENANT_ID: id,
        AZURE_CLIENT_ID: "x",
        AZURE_CLIENT_SECRET: "y",
      };
      const { options, warnings } = upstreamOptions({ provider: "azure", variables });
      return { upstream: azureUpstream(options), warnings };
    };

    test("is asked for the same scopes whatever a client asks for", async () => {
      const { upstream } = start(` ${tenant.toUpperCase()} `);
      expect(await queryOf(upstream, ["iam:query"])).toEqual({
        url: `${authority}/oauth2/v2.0/authorize`,
        query: { ...always, scope },
      });
      expect(upstream.name).toBe("Microsoft Entra");
      expect(upstream).not.toHaveProperty("revoke");
      expect(upstream.acceptsIssuer(`${authority}/v2.0`)).toBe(true);
    });

    test.each([
      "common",
      "",
      `x${tenant}`,
      `${tenant}0`,
      tenant.replace("-", ""),
      tenant.replace("9", "g"),
    ])("has no directory %j", (id) => {
      expect(() => start(id)).toThrow(
        "Auth azure: VALIDATOR_MCP_AUTH_AZURE_TENANT_ID must be the directory's id (a GUID) for login.",
      );
    });

    test("says who a person is, and in which groups and roles", async () => {
      const { upstream, warnings } = start();
      expect(await login(upstream, { groups: ["g1"], roles: ["reader"], name: "A" })).toEqual({
        identity: {
          subject: "alice",
          clientId: "alice",
          scopes: [],
          groups: ["g1"],
          roles: ["reader"],
        },
        grant: { refresh: "r1" },
      });
      expect(provider.requests.map(({ url }) => url)).toEqual([
        `${authority}/oauth2/v2.0/token`,
        `${authority}/discovery/v2.0/keys`,
      ]);
      expect(tokenForms()).toMatchObject([{ grant_type: "authorization_code" }]);
      expect(warnings).toEqual([]);
    });

    test("wants the scopes again at a refresh (AADSTS90009)", async () => {
      const { upstream } = start();
      expect(await refresh(upstream)).toMatchObject({ identity: undefined });
      expect(tokenForms()).toEqual([
        {
          url: `${authority}/oauth2/v2.0/token`,
          grant_type: "refresh_token",
          refresh_token: "r1",
          scope,
        },
      ]);
    });

    const over = [
      "A person is in more than 200 groups, so Entra names none of them. Use app roles, or assign groups to the application.",
    ];
    test.each<[string, object, readonly string[]]>([
      ["by names of claims", { _claim_names: { groups: "src1" } }, over],
      ["by a mark", { hasgroups: true }, over],
      ["not by other claims", { _claim_names: { roles: "src1" } }, []],
      ["not by a mark that is not true", { hasgroups: "x", _claim_names: null }, []],
      ["not by a text", { _claim_names: "groups" }, []],
      ["not beside groups", { groups: ["g1"], hasgroups: true }, []],
    ])("says once that it left the groups out, %s", async (_what, claims, expected) => {
      const { upstream, warnings } = start();
      await login(upstream, claims);
      await login(upstream, claims);
      expect(warnings).toEqual(expected);
    });
  });

  describe("Auth0", () => {
    const issuer = "https://tenant.eu.auth0.com/";
    const aud = `${base}/mcp`;
    const start = async (variables: Variables = {}, document: object = {}) => {
      provider = fakeProvider(issuer, {
        document: {
          token_endpoint: `${issuer}oauth/token`,
          jwks_uri: `${issuer}jwks`,
          ...document,
        },
      });
      const all = {
        ...common,
        AUTH0_CONFIG_URL: ` ${issuer}.well-known/openid-configuration`,
        AUTH0_AUDIENCE: ` ${aud} `,
        AUTH0_CLIENT_ID: "x",
        AUTH0_CLIENT_SECRET: "y",
        ...variables,
      };
      return auth0Upstream(upstreamOptions({ provider: "auth0", variables: all }).options);
    };
    const withAccess = async (claims: object, id: object | null = {}) => {
      const access_token = await provider.sign({ aud, ...claims });
      const id_token = id && (await provider.sign({ nonce, ...id }));
      provider.tokens({ access_token, ...(id_token && { id_token }) });
    };
    const redeem = (upstream: Upstream) =>
      upstream.redeem({ code: "c1", verifier: "v".repeat(44), nonce }, signal());

    const oidc = "openid profile email offline_access";
    test("is asked for a token for our API, with the scopes that are wanted", async () => {
      expect(await queryOf(await start(), ["iam:query"])).toEqual({
        url: "https://tenant.eu.auth0.com//authorize",
        query: { ...always, scope: `${oidc} iam:query`, audience: aud },
      });
      expect((await queryOf(await start())).query.scope).toBe(
        `${oidc} iam:validate iam:query iam:analyze iam:config`,
      );
      const strict = await start({ REQUIRED_SCOPES: "iam:validate,iam:query" });
      expect((await queryOf(strict, ["iam:query"])).query.scope).toBe(
        `${oidc} iam:query iam:validate`,
      );
      expect(strict.name).toBe("tenant.eu.auth0.com");
    });

    test("says in the access token what a person may do", async () => {
      const upstream = await start();
      await withAccess({ scope: "openid iam:query", permissions: ["p1"] });
      expect(await redeem(upstream)).toEqual({
        identity: {
          subject: "alice",
          clientId: "alice",
          scopes: ["openid", "iam:query"],
          roles: ["p1"],
        },
        grant: {},
      });
      expect(tokenForms()).toHaveLength(1);
    });

    test.each<[string, object]>([
      ["for another API", { aud: "https://other.example" }],
      ["of another person than the ID token", { sub: "mallory" }],
      ["without a person", { sub: undefined }],
      ["of another issuer", { iss: "https://evil.example/" }],
    ])("gives nothing for an access token %s (T-28)", async (_what, claims) => {
      const upstream = await start();
      await withAccess({ scope: "iam:query", ...claims });
      await expect(redeem(upstream)).rejects.toMatchObject({ failure: "answer" });
    });

    test("gives nothing for an access token without a person, at a refresh too", async () => {
      const upstream = await start();
      await withAccess({ scope: "iam:query", sub: undefined }, null);
      const renewed = upstream.refresh({ refresh: "r1" }, nonce, signal());
      await expect(renewed).rejects.toMatchObject({ failure: "answer" });
    });

    test("needs no ID token at a refresh, and is down while its keys cannot be had", async () => {
      const upstream = await start();
      await withAccess({ scope: "iam:query" }, null);
      const renew = () => upstream.refresh({ refresh: "r1" }, nonce, signal());
      provider.answers.set("/jwks", () => json({}, 503));
      await expect(renew()).rejects.toEqual(new UpstreamError("down"));
      const later = await start();
      await withAccess({ scope: "iam:query" }, null);
      expect(await later.refresh({ refresh: "r1" }, nonce, signal())).toMatchObject({
        identity: { subject: "alice", scopes: ["iam:query"] },
      });
    });

    const url = `${issuer}.well-known/openid-configuration`;
    const named = `Auth auth0: the discovery document ${url} (VALIDATOR_MCP_AUTH_AUTH0_CONFIG_URL)`;
    test.each(["AUTH0_CONFIG_URL", "AUTH0_AUDIENCE"])("needs %s (S32)", async (name) => {
      await expect(start({ [name]: " " })).rejects.toMatchObject({
        kind: "auth_login",
        message: `Auth auth0: VALIDATOR_MCP_AUTH_${name} is not set; login needs it.`,
      });
    });

    test("is found at its address only", async () => {
      await expect(start({}, { issuer: "https://other.example/" })).rejects.toMatchObject({
        kind: "auth0_discovery",
        message: `${named} is invalid: its issuer is not the URL it was found at.`,
      });
    });
  });
});
