import { bypass, http } from "msw";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type LoginIssuer, startLoginIssuer } from "../support/login/issuer.ts";
import { base, frontClient, keyOne, type Variables } from "../support/login/variables.ts";
import { loopbackRedirect } from "../support/login/visitor.ts";
import {
  type FrontUnderTest,
  type LoginWorld,
  loginWorld,
  startFront,
} from "../support/login/world.ts";
import { browse } from "../support/oidc.ts";

const tenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const callback = `${base}/oauth/callback`;
const common = { BASE_URL: base, OAUTH_KEYS: keyOne };

/** Each provider as its documentation describes it, played by a certified one. */
const profiles = {
  google: {
    options: {
      issuer: "https://accounts.google.com",
      routes: {
        authorization: "/o/oauth2/v2/auth",
        token: "/token",
        jwks: "/oauth2/v3/certs",
        revocation: "/revoke",
      },
      tokenLength: 256,
    },
    hosts: /^https:\/\/(accounts\.google\.com|oauth2\.googleapis\.com|www\.googleapis\.com)\//,
    variables: () => ({
      ...common,
      GOOGLE_CLIENT_ID: frontClient.id,
      GOOGLE_CLIENT_SECRET: frontClient.secret,
      SCOPE_MAP:
        '{"group:example.com":["iam:validate"],"login:alice@example.com":["iam:query"],"role:x":["iam:config"]}',
    }),
    claims: { email: "alice@example.com", email_verified: true, hd: "example.com" },
    scopes: "iam:validate iam:query",
    revokes: true,
  },
  azure: {
    options: {
      issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
      routes: {
        authorization: `/${tenant}/oauth2/v2.0/authorize`,
        token: `/${tenant}/oauth2/v2.0/token`,
        jwks: `/${tenant}/discovery/v2.0/keys`,
      },
      tokenLength: 1_900,
    },
    hosts: /^https:\/\/login\.microsoftonline\.com\//,
    variables: () => ({
      ...common,
      AZURE_TENANT_ID: tenant.toUpperCase(),
      AZURE_CLIENT_ID: frontClient.id,
      AZURE_CLIENT_SECRET: frontClient.secret,
      SCOPE_MAP: '{"role:reader":["iam:query"],"group:g1":["iam:validate"]}',
    }),
    claims: { groups: ["g1"], roles: ["reader"] },
    scopes: "iam:validate iam:query",
    revokes: false,
  },
  auth0: {
    options: { audience: `${base}/mcp` },
    hosts: undefined,
    variables: (url: string) => ({
      ...common,
      AUTH0_CONFIG_URL: `${url}/.well-known/openid-configuration`,
      AUTH0_CLIENT_ID: frontClient.id,
      AUTH0_CLIENT_SECRET: frontClient.secret,
      AUTH0_AUDIENCE: `${base}/mcp`,
    }),
    claims: {},
    scopes: "iam:validate iam:query",
    revokes: true,
  },
  jwt: {
    options: {},
    hosts: undefined,
    variables: (url: string) => ({
      ...common,
      JWT_ISSUER: url,
      JWT_AUDIENCE: `${base}/mcp`,
      OAUTH_CLIENT_ID: frontClient.id,
      OAUTH_CLIENT_SECRET: frontClient.secret,
      SCOPE_MAP: '{"group:g1":["iam:validate"],"role:reader":["iam:query"]}',
    }),
    claims: { groups: ["g1"], roles: ["reader"] },
    scopes: "iam:validate iam:query",
    revokes: true,
  },
} as const;

/** Entra wants the scope again with every refresh, and takes `offline_access` without a prompt. */
function formFor(provider: string, text: string): string {
  const form = new URLSearchParams(text);
  if (provider !== "azure" || form.get("grant_type") !== "refresh_token") return text;
  if (form.get("scope") !== "openid profile email offline_access") return "";
  form.delete("scope");
  return form.toString();
}

let world: LoginWorld;
beforeAll(async () => {
  world = await loginWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe.each(Object.entries(profiles))("%s", (provider, profile) => {
  let issuer: LoginIssuer;
  let front: FrontUnderTest;
  let variables: Variables;
  beforeAll(async () => {
    issuer = await startLoginIssuer({ callback, ...profile.options });
    const { hosts } = profile;
    if (hosts) {
      world.internet.use(
        http.all(hosts, async ({ request }) => {
          const { pathname, search, host } = new URL(request.url);
          const headers = new Headers(request.headers);
          headers.set("x-forwarded-proto", "https");
          headers.set("x-forwarded-host", host);
          headers.delete("content-length");
          return fetch(
            bypass(issuer.url + pathname + search, {
              method: request.method,
              headers,
              redirect: "manual",
              ...(request.method === "POST" && { body: formFor(provider, await request.text()) }),
            }),
          );
        }),
      );
    }
    variables = profile.variables(issuer.url);
    front = await startFront(provider, variables, (url) => browse(new URL(url), callback));
  });
  afterEach(() => {
    Object.assign(issuer.state, {
      account: "alice",
      claims: profile.claims,
      rotatesRefreshTokens: false,
      givesRefreshTokens: true,
    });
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });

  const loggedIn = async () => {
    issuer.state.claims = profile.claims;
    const visitor = front.visitor();
    return { visitor, tokens: await visitor.login() };
  };

  test("a person logs in, calls a tool and refreshes", async () => {
    const { visitor, tokens } = await loggedIn();
    expect(tokens).toMatchObject({ status: 200, body: { scope: profile.scopes } });
    const called = await visitor.send("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${String(tokens.body.access_token)}`,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(called.status).toBe(200);
    expect(called.text).toContain("validate_policies");
    expect(called.text).not.toContain("get_config");
    const refreshed = await visitor.refresh(String(tokens.body.refresh_token));
    expect(refreshed).toMatchObject({ status: 200, body: { scope: profile.scopes } });
  });

  test("a code works once, and a second try ends nothing that it should not", async () => {
    issuer.state.claims = profile.claims;
    const visitor = front.visitor();
    const code = await visitor.toCode();
    expect((await visitor.token(code)).status).toBe(200);
    expect(await visitor.token(code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("of two at the same moment one gets tokens (T-22)", async () => {
    issuer.state.claims = profile.claims;
    const visitor = front.visitor();
    const code = await visitor.toCode();
    const both = await Promise.all([visitor.token(code), visitor.token(code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test("a provider that rotates refresh tokens ends the old one (F-10)", async () => {
    issuer.state.rotatesRefreshTokens = true;
    const { visitor, tokens } = await loggedIn();
    const old = String(tokens.body.refresh_token);
    const next = await visitor.refresh(old);
    expect(next.status).toBe(200);
    expect(await visitor.refresh(old)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("one that keeps them gives the same one again (F-11, F-12)", async () => {
    const { visitor, tokens } = await loggedIn();
    const first = await visitor.refresh(String(tokens.body.refresh_token));
    expect((await visitor.refresh(String(first.body.refresh_token))).status).toBe(200);
    expect((await visitor.refresh(String(tokens.body.refresh_token))).status).toBe(200);
  });

  test("two refreshes at once ask the provider once (F-13)", async () => {
    issuer.state.rotatesRefreshTokens = true;
    const { visitor, tokens } = await loggedIn();
    const before = issuer.requests.filter((line) => /token$/.test(line)).length;
    const both = await Promise.all(
      [1, 2].map(() => visitor.refresh(String(tokens.body.refresh_token))),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(issuer.requests.filter((line) => /token$/.test(line)).length).toBe(before + 1);
  });

  test("keys that the provider has just changed are found", async () => {
    await loggedIn();
    issuer.rotateKeys();
    expect((await loggedIn()).tokens.status).toBe(200);
  });

  test("what the provider has forgotten ends here (F-9)", async () => {
    const { visitor, tokens } = await loggedIn();
    issuer.forgetAll();
    expect(await visitor.refresh(String(tokens.body.refresh_token))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("without a refresh token of the provider there is none here (T-35)", async () => {
    issuer.state.givesRefreshTokens = false;
    const { tokens } = await loggedIn();
    expect(tokens.status).toBe(200);
    expect(tokens.body).not.toHaveProperty("refresh_token");
  });

  test("the issuer in the callback is checked (B-12, B-13, B-14)", async () => {
    issuer.state.claims = profile.claims;
    const other = front.visitor();
    const path = await other.toCallback();
    const [route, query] = path.split("?");
    const changed = new URLSearchParams(query);
    changed.set("iss", "https://evil.example");
    const refused = await other.browse(`${route}?${changed}`);
    expect(refused).toMatchObject({
      status: 400,
      text: expect.stringContaining("identity provider"),
    });
    if (profile.hosts) return;
    changed.delete("iss");
    expect((await other.browse(`${route}?${changed}`)).status).toBe(400);
  });

  test(`revocation ${profile.revokes ? "ends the refresh token" : "is not offered"}`, async () => {
    const { visitor, tokens } = await loggedIn();
    const token = String(tokens.body.refresh_token);
    const revoked = await visitor.post("/oauth/revoke", { token, client_id: visitor.clientId });
    expect(revoked.status).toBe(profile.revokes ? 200 : 404);
    expect((await visitor.refresh(token)).status).toBe(profile.revokes ? 400 : 200);
  });

  test("nothing of the provider is in what clients and browsers get", async () => {
    issuer.state.claims = profile.claims;
    const visitor = front.visitor();
    await visitor.register();
    const allowed = await visitor.consent(await visitor.authorize());
    const location = new URL(allowed.headers.get("location") ?? "");
    expect(location.searchParams.get("resource")).toBeNull();
    expect(location.searchParams.get("redirect_uri")).toBe(callback);
    expect(location.searchParams.get("code_challenge")).not.toBe(visitor.pkce.challenge);
    expect(location.href).not.toContain(encodeURIComponent(loopbackRedirect));
    expect(location.href).not.toContain("client-state");
  });
});
