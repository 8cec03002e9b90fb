import { describe, expect, test } from "vitest";
import type { LoginProvider } from "../../spec/login.ts";
import { loginInMemory } from "../../test/support/login/in-memory.ts";
import {
  base,
  githubVariables,
  keyOne,
  type Variables,
} from "../../test/support/login/variables.ts";
import type { Authenticator } from "../auth/caller.ts";

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
    providerAuthenticator: async () => {
      asked += 1;
      return provider;
    },
  });
  const present = (token?: string) =>
    authenticator.authenticate({
      headers: new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
  return { authenticator, routes, warnings, present, asked: () => asked };
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
      { ...githubVariables, REQUIRED_SCOPES: "user,iam:validate,iam:nothing" },
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
