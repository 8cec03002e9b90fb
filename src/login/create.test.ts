import { describe, expect, test, vi } from "vitest";
import type { LoginProvider } from "../../spec/login.ts";
import { fakeProvider } from "../../test/support/login/fake-provider.ts";
import { loginInMemory } from "../../test/support/login/in-memory.ts";
import {
  base,
  githubVariables,
  jwtVariables,
  keyOne,
  prefixed,
  type Variables,
} from "../../test/support/login/variables.ts";
import type { Authenticator } from "../auth/caller.ts";
import { readVariables } from "./create.ts";

const map = '{"role:user":["iam:validate"]}';
const common = { BASE_URL: base, OAUTH_KEYS: keyOne, SCOPE_MAP: map };
const azure: Variables = {
  ...common,
  AZURE_CLIENT_ID: "11112222-bbbb-3333-cccc-4444dddd5555",
  AZURE_TENANT_ID: "9188040d-6c67-4c5b-b112-36a304b66dad",
  AZURE_CLIENT_SECRET: "s",
};
const google: Variables = { ...common, GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "s" };

async function start(auth: LoginProvider, variables: Variables, stepUp = false) {
  const warnings: [object, string][] = [];
  let asked = 0;
  let environment: Readonly<Record<string, string | undefined>> = {};
  const caller = { subject: "p", clientId: "p", scopes: [], may: () => false };
  const provider: Authenticator = {
    provider: auth,
    challengeScopes: [],
    requiredScopes: [],
    stepUp: false,
    authenticate: async () => ({ caller }),
  };
  const { authenticator, routes } = await loginInMemory({
    auth,
    variables,
    stepUp,
    log: {
      info: () => undefined,
      warn: (fields, message) => warnings.push([fields, message]),
      error: () => undefined,
    },
    providerAuthenticator: async (settings) => {
      asked += 1;
      environment = settings;
      return provider;
    },
  });
  const present = (token?: string) =>
    authenticator.authenticate({
      headers: new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
  return {
    authenticator,
    routes,
    warnings,
    present,
    asked: () => asked,
    environment: () => environment,
  };
}

describe("who may call", () => {
  test("is decided by our tokens, with what clients are told", async () => {
    const variables = {
      ...githubVariables,
      REQUIRED_SCOPES: "iam:validate",
      ADVERTISED_SCOPES: "iam:query,user",
    };
    const { authenticator, present } = await start("github", variables, true);
    expect(authenticator).toMatchObject({
      provider: "github",
      challengeScopes: ["iam:validate", "iam:query"],
      requiredScopes: ["iam:validate"],
      stepUp: true,
      metadata: { baseUrl: base, authorizationServers: [base] },
    });
    expect(await present()).toEqual({ refusal: { kind: "missing" } });
    expect(await present("vmcp")).toMatchObject({ refusal: { kind: "invalid_token" } });
    const [header] = [{ alg: "HS256", typ: "at+jwt", kid: "vmcp.x" }].map((value) =>
      Buffer.from(JSON.stringify(value)).toString("base64url"),
    );
    expect(await present(`${header}.e30.x`)).toEqual({
      refusal: {
        kind: "invalid_token",
        description: "The access token is not a valid token of this server.",
      },
    });
  });

  const foreign =
    "Login is on, so this server accepts only access tokens that it issued; tokens of the identity provider are not for it.";
  test.each<[string, LoginProvider, Variables, boolean]>([
    ["github", "github", { ...githubVariables, REQUIRED_SCOPES: "user" }, false],
    ["google", "google", { ...google, REQUIRED_SCOPES: "x" }, false],
    ["azure without required scopes", "azure", azure, false],
    [
      "azure with scopes of OpenID Connect",
      "azure",
      { ...azure, REQUIRED_SCOPES: "openid,profile,email,offline_access,address,phone" },
      false,
    ],
    ["azure with scopes of ours", "azure", { ...azure, REQUIRED_SCOPES: "iam:validate" }, false],
    [
      "azure with a scope of the application",
      "azure",
      { ...azure, REQUIRED_SCOPES: "iam:validate, api://x/access" },
      true,
    ],
  ])("%s: tokens of the provider are accepted: %s", async (_what, auth, variables, accepted) => {
    const { present, asked } = await start(auth, variables);
    expect(asked()).toBe(accepted ? 1 : 0);
    const refused = { refusal: { kind: "invalid_token", description: foreign } };
    expect(await present("gho_abc")).toEqual(
      accepted ? { caller: expect.objectContaining({ subject: "p" }) } : refused,
    );
  });
});

describe("tokens of a provider with audiences", () => {
  const issuer = "https://issuer.example";
  const from = async (url: string, auth: LoginProvider, variables: Variables) => {
    const document = { jwks_uri: `${issuer}/discovered-keys` };
    vi.stubGlobal("fetch", fakeProvider(url, { document }).fetch);
    try {
      return await start(auth, variables);
    } finally {
      vi.unstubAllGlobals();
    }
  };
  const uri = "VALIDATOR_MCP_AUTH_JWT_JWKS_URI";

  test("are verified with the keys that its document names", async () => {
    const { present, asked, environment } = await from(issuer, "jwt", jwtVariables(issuer));
    expect(asked()).toBe(1);
    expect(environment()).toEqual({
      ...prefixed(jwtVariables(issuer)),
      [uri]: `${issuer}/discovered-keys`,
    });
    expect(await present("a.b.c")).toEqual({ caller: expect.objectContaining({ subject: "p" }) });
  });

  test.each<Variables>([{ JWT_JWKS_URI: `${issuer}/own-keys` }, { JWT_PUBLIC_KEY: "a key" }])(
    "are verified with the configured key: %o",
    async (own) => {
      const variables = { ...jwtVariables(issuer), ...own };
      const { environment } = await from(issuer, "jwt", variables);
      expect(environment()).toEqual(prefixed(variables));
    },
  );

  test("are accepted beside a login at Auth0", async () => {
    const tenant = "https://tenant.eu.auth0.com";
    const variables = {
      ...common,
      AUTH0_CONFIG_URL: `${tenant}/.well-known/openid-configuration`,
      AUTH0_AUDIENCE: `${base}/mcp`,
      AUTH0_CLIENT_ID: "x",
      AUTH0_CLIENT_SECRET: "y",
    };
    const { present, asked, environment } = await from(tenant, "auth0", variables);
    expect(asked()).toBe(1);
    expect(environment()).toEqual(prefixed(variables));
    expect(await present("a.b.c")).toEqual({ caller: expect.objectContaining({ subject: "p" }) });
  });
});

test("the client at an issuer of one's choice is set by variables that no other provider reads", () => {
  const own = ["OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET", "OAUTH_SCOPES"];
  expect(readVariables("jwt")).toEqual([...readVariables("github"), ...own]);
  expect(readVariables("github")).toContain("OAUTH_KEYS");
});

describe("a start warns", () => {
  const ignored =
    "Access tokens of this server's own login have only iam:* scopes; these required scopes do not count for them.";
  const everyone =
    "The scope map grants scopes to `*`: every account of the world can log in and use them.";
  test.each<[string, LoginProvider, Variables, [object, string][]]>([
    ["of nothing", "github", githubVariables, []],
    [
      "of required scopes that own tokens do not have",
      "github",
      { ...githubVariables, REQUIRED_SCOPES: "user,iam:validate,iam:query,iam:nothing" },
      [[{ scopes: ["user", "iam:nothing"] }, ignored]],
    ],
    [
      "of everyone at GitHub",
      "github",
      { ...githubVariables, SCOPE_MAP: '{"*":["iam:query"]}' },
      [[{}, everyone]],
    ],
    [
      "of everyone at Google",
      "google",
      { ...google, SCOPE_MAP: '{"*":["iam:query"]}' },
      [[{}, everyone]],
    ],
    ["not of everyone in a directory", "azure", { ...azure, SCOPE_MAP: '{"*":["iam:query"]}' }, []],
  ])("%s", async (_what, auth, variables, expected) => {
    const { warnings } = await start(auth, variables);
    expect(warnings.filter(([, message]) => message === ignored || message === everyone)).toEqual(
      expected,
    );
  });
});

test("the front has the pages that browsers go to", async () => {
  const { routes } = await start("github", githubVariables);
  expect(routes.browserPaths).toEqual(["/oauth/authorize", "/oauth/consent", "/oauth/callback"]);
});

test("a defect is answered with the id of its line in the log, and nothing else of it", async () => {
  let isBroken = false;
  const { routes } = await loginInMemory({
    auth: "github",
    variables: githubVariables,
    now: () => {
      if (isBroken) throw new Error("the clock stands still");
      return 0;
    },
    defect: () => "line-7",
  });
  isBroken = true;
  const answer = await routes.app.fetch(
    new Request(`${base}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/callback"] }),
    }),
  );
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    error: "server_error",
    error_description: "Internal error; see line-7 in the log.",
  });
});
