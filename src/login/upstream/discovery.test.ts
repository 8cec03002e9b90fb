import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type FakeProvider,
  fakeProvider,
  json,
  upstreamOptions,
} from "../../../test/support/login/fake-provider.ts";
import { jwtVariables, type Variables } from "../../../test/support/login/variables.ts";
import { jwtUpstream } from "./jwt.ts";

const issuer = "https://id.example/realm";
const url = `${issuer}/.well-known/openid-configuration`;
let provider: FakeProvider;
describe("discovery", () => {
  beforeAll(() => vi.stubGlobal("fetch", ((...given) => provider.fetch(...given)) as typeof fetch));
  afterAll(() => vi.unstubAllGlobals());

  async function start(
    document: object = {},
    variables: Variables = {},
    answer?: () => Response | string,
  ) {
    provider = fakeProvider(issuer, { document });
    if (answer) provider.answers.set("openid-configuration", answer);
    const all = Object.entries({ ...jwtVariables(issuer), ...variables });
    const { options, warnings } = upstreamOptions({
      provider: "jwt",
      variables: Object.fromEntries(all.filter(([, value]) => value !== "")),
    });
    return { ...(await jwtUpstream(options)), warnings };
  }

  describe("the provider's document", () => {
    test("is read once, and says where its keys are", async () => {
      const { jwksUri, upstream, warnings } = await start();
      expect(provider.requests.map((request) => request.url)).toEqual([url]);
      expect([jwksUri, upstream.name, warnings]).toEqual([`${issuer}/jwks`, "id.example", []]);
    });

    test("is found below an issuer with a slash at its end, too", async () => {
      await start({ issuer: `${issuer}/` }, { JWT_ISSUER: ` ${issuer}/ ` });
      expect(provider.requests.map((request) => request.url)).toEqual([url]);
    });

    test("may leave out the methods of PKCE, with a warning", async () => {
      const { warnings } = await start({ code_challenge_methods_supported: undefined });
      expect(warnings).toEqual([
        "The provider's discovery document lists no PKCE methods; logins use S256 all the same.",
      ]);
    });

    const unusable = (field: string) =>
      `has no usable ${field}: endpoints must be https:// URLs (http:// only for a loopback address)`;
    test.each<[string, object, string]>([
      [
        "of another issuer",
        { issuer: "https://id.example" },
        "is invalid: its issuer is not the URL it was found at",
      ],
      [
        "with a slash more",
        { issuer: `${issuer}/` },
        "is invalid: its issuer is not the URL it was found at",
      ],
      ["without an issuer", { issuer: undefined }, unusable("issuer")],
      ["without a token endpoint", { token_endpoint: undefined }, unusable("token_endpoint")],
      ["without keys", { jwks_uri: undefined }, unusable("jwks_uri")],
      [
        "without a login",
        { authorization_endpoint: undefined },
        unusable("authorization_endpoint"),
      ],
      [
        "with an endpoint over http",
        { token_endpoint: "http://id.example/token" },
        unusable("token_endpoint"),
      ],
      [
        "with a script as endpoint",
        { authorization_endpoint: "javascript:alert(1)" },
        unusable("authorization_endpoint"),
      ],
      [
        "with a revocation over http",
        { revocation_endpoint: "http://id.example/r" },
        unusable("revocation_endpoint"),
      ],
      [
        "without S256",
        { code_challenge_methods_supported: ["plain"] },
        "does not list S256 for PKCE",
      ],
    ])("%s stops the start (S40)", async (_what, document, problem) => {
      await expect(start(document)).rejects.toMatchObject({
        kind: "auth_discovery",
        message: `Auth jwt: the discovery document ${url} ${problem}.`,
      });
    });

    test.each<[string, () => Response | string, string]>([
      ["cannot be had", () => "fetch failed", "is not reachable: the request failed"],
      ["has another status", () => json({}, 404), "is answered with status 404"],
      ["is no JSON", () => new Response("<html>"), "is not a JSON object"],
      ["is a list", () => json([]), "is not a JSON object"],
    ])("that %s stops the start (S40)", async (_what, answer, problem) => {
      await expect(start({}, {}, answer)).rejects.toThrow(
        `Auth jwt: the discovery document ${url} ${problem}.`,
      );
    });
  });

  describe("settings of another OpenID provider", () => {
    const prefix = "VALIDATOR_MCP_AUTH_";
    test.each<[string, Variables, string, string]>([
      [
        "no issuer",
        { JWT_ISSUER: "" },
        "auth_login",
        `${prefix}JWT_ISSUER is not set; login needs it.`,
      ],
      [
        "scopes without openid (S39)",
        { OAUTH_SCOPES: "profile openid2" },
        "auth_login",
        `${prefix}OAUTH_SCOPES must contain openid.`,
      ],
      [
        "a shared secret",
        { JWT_ALGORITHM: "HS256" },
        "auth_login",
        `${prefix}JWT_ALGORITHM HS256 cannot be used for login; ID tokens need a public-key algorithm such as RS256.`,
      ],
      [
        "Ed448",
        { JWT_ALGORITHM: "Ed448" },
        "auth_login",
        `${prefix}JWT_ALGORITHM Ed448 cannot be used for login; ID tokens need a public-key algorithm such as RS256.`,
      ],
    ])("%s", async (_what, variables, kind, message) => {
      await expect(start({}, variables)).rejects.toMatchObject({
        kind,
        message: `Auth jwt: ${message}`,
      });
    });
    test("an algorithm that does not exist", async () => {
      await expect(start({}, { JWT_ALGORITHM: "none" })).rejects.toMatchObject({
        kind: "auth_jwt",
        message: expect.stringMatching(
          /^Auth jwt: VALIDATOR_MCP_AUTH_JWT_ALGORITHM must be one of RS256, .*\.$/,
        ),
      });
    });
    test("scopes are asked for as they are written, with single spaces", async () => {
      const { upstream } = await start(
        {},
        { OAUTH_SCOPES: "  openid\tgroups  x ", JWT_ALGORITHM: " ES256 " },
      );
      const href = await upstream.authorizationUrl({
        state: "s",
        verifier: "v",
        nonce: "n",
        scopes: [],
      });
      expect(new URL(href).searchParams.get("scope")).toBe("openid groups x");
    });
  });
});
