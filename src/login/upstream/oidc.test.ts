import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { signedByHand, testKey } from "../../../test/support/issuer.ts";
import {
  type FakeProvider,
  fakeProvider,
  json,
  nowMs,
  upstreamOptions,
} from "../../../test/support/login/fake-provider.ts";
import { base, frontClient, jwtVariables } from "../../../test/support/login/variables.ts";
import { UpstreamError } from "./calls.ts";
import { jwtUpstream } from "./jwt.ts";
import type { Upstream } from "./upstream.ts";

const issuer = "https://id.example";
const nonce = "n".repeat(22);
const verifier = "v".repeat(44);
let provider: FakeProvider;
let upstream: Upstream;

describe("an OpenID provider", () => {
  beforeAll(() => vi.stubGlobal("fetch", ((...given) => provider.fetch(...given)) as typeof fetch));
  afterAll(() => vi.unstubAllGlobals());
  beforeEach(() => start());

  async function start(document: object = {}, at = issuer): Promise<void> {
    provider = fakeProvider(at, { document });
    const { options } = upstreamOptions({
      provider: "jwt",
      variables: jwtVariables(at),
    });
    ({ upstream } = await jwtUpstream(options));
    provider.requests.length = 0;
  }

  const signal = () => new AbortController().signal;
  const redeem = () => upstream.redeem({ code: "provider-code", verifier, nonce }, signal());
  const refresh = () => upstream.refresh({ refresh: "r1" }, nonce, signal());
  const login = async (claims: object = {}, more: object = {}) => {
    provider.tokens({ id_token: await provider.sign({ nonce, ...claims }), ...more });
    return redeem();
  };
  async function failureOf(work: () => Promise<unknown>): Promise<Partial<UpstreamError>> {
    const error = await work().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(UpstreamError);
    const { failure, word, retryAfterS } = error as UpstreamError;
    return { failure, word, retryAfterS };
  }

  describe("the way to the provider", () => {
    test("carries what OpenID Connect asks for, and nothing of the client", async () => {
      const url = new URL(
        await upstream.authorizationUrl({ state: "s", verifier, nonce, scopes: ["iam:query"] }),
      );
      expect(url.origin + url.pathname).toBe(`${issuer}/authorize`);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: frontClient.id,
        redirect_uri: `${base}/oauth/callback`,
        response_type: "code",
        scope: "openid profile email offline_access",
        state: "s",
        nonce,
        // SHA-256 of the verifier.
        code_challenge: "4bubTICySE6otjSHzFF0Xe9rvcgVq2f6hb_p2aByNm4",
        code_challenge_method: "S256",
      });
      expect(upstream.name).toBe("id.example");
    });

    test("keeps a query that the endpoint has", async () => {
      await start({ authorization_endpoint: `${issuer}/authorize?p=policy` });
      const url = await upstream.authorizationUrl({ state: "s", verifier, nonce, scopes: [] });
      expect(new URL(url).searchParams.get("p")).toBe("policy");
    });
  });

  describe("the issuer in the callback", () => {
    test("is the provider's, and may be missing where it sends none", () => {
      expect(upstream.acceptsIssuer(issuer)).toBe(true);
      expect(upstream.acceptsIssuer(`${issuer}/`)).toBe(false);
      expect(upstream.acceptsIssuer("")).toBe(false);
      expect(upstream.acceptsIssuer(undefined)).toBe(true);
    });
    test("is missed where the provider says that it sends one", async () => {
      await start({ authorization_response_iss_parameter_supported: true });
      expect(upstream.acceptsIssuer(issuer)).toBe(true);
      expect(upstream.acceptsIssuer(undefined)).toBe(false);
      await start({ authorization_response_iss_parameter_supported: false });
      expect(upstream.acceptsIssuer(undefined)).toBe(true);
    });
  });

  describe("a code", () => {
    test("is redeemed with our credentials, verifier and callback", async () => {
      expect(await login({ groups: ["g"], roles: "r" }, { refresh_token: "r1" })).toEqual({
        identity: { subject: "alice", clientId: "alice", scopes: [], groups: ["g"], roles: ["r"] },
        grant: { refresh: "r1" },
      });
      const [token] = provider.requests;
      expect(token).toMatchObject({ method: "POST", url: `${issuer}/token` });
      expect(Object.fromEntries(token?.form ?? [])).toEqual({
        grant_type: "authorization_code",
        code: "provider-code",
        redirect_uri: `${base}/oauth/callback`,
        code_verifier: verifier,
      });
      expect(token?.headers.get("authorization")).toBe(
        `Basic ${Buffer.from(`${frontClient.id}:${frontClient.secret}`).toString("base64")}`,
      );
    });

    test.each([
      ["plain-._*", "plain-._*"],
      ["with space", "with+space"],
      ["a:b/c+d%", "a%3Ab%2Fc%2Bd%25"],
      ["ä", "%C3%A4"],
    ])("is redeemed with the secret %s as RFC 6749 writes it", async (secret, written) => {
      const { options } = upstreamOptions({ provider: "jwt", variables: jwtVariables(issuer) });
      const client = { id: "id:1", secret };
      ({ upstream } = await jwtUpstream({ ...options, client }));
      provider.requests.length = 0;
      await redeem().catch(() => undefined);
      const header = provider.requests[0]?.headers.get("authorization")?.slice("Basic ".length);
      expect(Buffer.from(header ?? "", "base64").toString()).toBe(`id%3A1:${written}`);
    });

    test("is redeemed at a provider on this machine over http", async () => {
      await start({}, "http://127.0.0.1:9");
      expect(await login()).toHaveProperty("identity.subject", "alice");
    });

    test("that meets a defect of ours meets no failure of the provider", async () => {
      const defect = new TypeError("a defect");
      const fetch = () => Promise.reject(defect);
      const { options } = upstreamOptions({ provider: "jwt", variables: jwtVariables(issuer) });
      ({ upstream } = await jwtUpstream({ ...options, calls: { fetch } }));
      await expect(redeem()).rejects.toBe(defect);
    });

    test("may bring no refresh token", async () => {
      expect((await login()).grant).toEqual({});
    });

    test.each<[string, object]>([
      ["another issuer", { iss: "https://evil.example" }],
      ["another audience", { aud: "other" }],
      ["several audiences without azp", { aud: [frontClient.id, "other"] }],
      ["several audiences for another party", { aud: [frontClient.id, "other"], azp: "other" }],
      ["an end in the past", { exp: nowMs / 1000 - 31 }],
      ["no end", { exp: undefined }],
      ["no nonce", { nonce: undefined }],
      ["another nonce", { nonce: "m".repeat(22) }],
      ["an empty subject", { sub: "" }],
      ["no subject", { sub: undefined }],
      ["a subject of 256 characters", { sub: "s".repeat(256) }],
    ])("whose ID token has %s identifies no one (T-27)", async (_what, claims) => {
      expect(await failureOf(() => login(claims))).toMatchObject({ failure: "answer" });
    });

    test.each<[string, object]>([
      [
        "its party beside several audiences",
        { aud: [frontClient.id, "other"], azp: frontClient.id },
      ],
      ["an end less than 30 seconds ago", { exp: nowMs / 1000 - 29 }],
      ["a subject of 255 characters", { sub: "s".repeat(255) }],
    ])("whose ID token has %s logs in", async (_what, claims) => {
      expect(await login(claims)).toHaveProperty("identity");
    });

    const stranger = testKey("RS256", "fake");
    const other = testKey("ES256", "fake");
    test.each<[string, () => Promise<string>]>([
      ["with another key", () => provider.sign({ nonce }, stranger)],
      ["with another algorithm", () => provider.sign({ nonce }, other)],
      [
        "with a key that is not published",
        () => provider.sign({ nonce }, provider.key, { kid: "x" }),
      ],
      [
        "by no one",
        async () =>
          signedByHand({ alg: "none" }, { iss: issuer, aud: frontClient.id, sub: "a", nonce }),
      ],
      ["and is no token", async () => "x"],
    ])("whose ID token is signed %s identifies no one", async (_what, sign) => {
      provider.tokens({ id_token: await sign() });
      expect(await failureOf(redeem)).toMatchObject({ failure: "answer" });
    });

    test("without an ID token identifies no one (T-26)", async () => {
      provider.tokens({});
      expect(await failureOf(redeem)).toMatchObject({ failure: "answer" });
    });

    test.each<[string, () => Response | string, Partial<UpstreamError>]>([
      [
        "used",
        () => json({ error: "invalid_grant" }, 400),
        { failure: "grant", word: "invalid_grant" },
      ],
      [
        "of another client",
        () => json({ error: "invalid_client" }, 401),
        { failure: "refuses_us" },
      ],
      ["refused", () => json({ error: "unauthorized_client" }, 400), { failure: "refuses_us" }],
      [
        "of a client that is challenged",
        () => new Response(null, { status: 401, headers: { "www-authenticate": "Basic" } }),
        { failure: "refuses_us" },
      ],
      [
        "met with a pause",
        () => json({ error: "slow_down" }, 400),
        { failure: "down", word: "slow_down" },
      ],
      ["met with an error", () => json({ error: "server_error" }, 400), { failure: "down" }],
      [
        "met with overload",
        () => json({ error: "temporarily_unavailable" }, 400),
        { failure: "down" },
      ],
      [
        "that wants a person",
        () => json({ error: "interaction_required" }, 400),
        { failure: "grant" },
      ],
      ["that wants a login", () => json({ error: "login_required" }, 400), { failure: "grant" }],
      [
        "that wants a consent",
        () => json({ error: "consent_required" }, 400),
        { failure: "grant" },
      ],
      ["met with status 500", () => json({}, 500), { failure: "down" }],
      [
        "met with a redirect",
        () => Response.redirect("https://evil.example/"),
        { failure: "answer" },
      ],
      ["met with another shape", () => json({ hello: 1 }), { failure: "answer" }],
      ["met with a page", () => new Response("<html>"), { failure: "answer" }],
      ["met with silence", () => "fetch failed", { failure: "down" }],
    ])("%s", async (_what, answer, expected) => {
      provider.answers.set("/token", answer);
      expect(await failureOf(redeem)).toMatchObject(expected);
    });

    test("cannot be checked while the keys cannot be had: the provider is down (T-25)", async () => {
      provider.answers.set("/jwks", () => json({}, 503));
      expect(await failureOf(() => login())).toMatchObject({ failure: "down" });
      // Within a second of a failed look, none is made.
      expect(await failureOf(() => login())).toMatchObject({ failure: "down" });
    });

    test("cannot be checked while too many wait for the keys", async () => {
      let answer: (response: Response) => void = () => undefined;
      provider.answers.set(
        "/jwks",
        () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      );
      provider.tokens({ id_token: await provider.sign({ nonce }) });
      const failures: unknown[] = [];
      const all: Promise<unknown>[] = [];
      for (let count = 0; count < 300 && failures.length === 0; count += 1) {
        all.push(redeem().catch((error: unknown) => failures.push(error)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(failures[0]).toMatchObject({ failure: "down" });
      // More than may ask the provider at once: these wait for the keys.
      expect(all.length).toBeGreaterThan(64);
      answer(json({ keys: [provider.key.jwk] }));
      await Promise.all(all);
    });
  });

  describe("a refresh", () => {
    test("presents the provider's token, and keeps the one that comes back", async () => {
      provider.tokens({ id_token: await provider.sign({ nonce }), refresh_token: "r2" });
      expect(await refresh()).toMatchObject({
        identity: { subject: "alice" },
        grant: { refresh: "r2" },
      });
      expect(Object.fromEntries(provider.requests[0]?.form ?? [])).toEqual({
        grant_type: "refresh_token",
        refresh_token: "r1",
      });
    });

    test("keeps the token that it had where none comes back, and says nothing new without an ID token", async () => {
      provider.tokens({});
      expect(await refresh()).toEqual({ identity: undefined, grant: { refresh: "r1" } });
    });

    test("may bring an ID token without nonce, and none with another (F-22)", async () => {
      provider.tokens({ id_token: await provider.sign() });
      expect(await refresh()).toMatchObject({ identity: { subject: "alice" } });
      provider.tokens({ id_token: await provider.sign({ nonce: "m".repeat(22) }) });
      expect(await failureOf(refresh)).toMatchObject({ failure: "answer" });
    });

    test("needs a token", async () => {
      const without = () => upstream.refresh({ access: "a" }, nonce, signal());
      expect(await failureOf(without)).toMatchObject({ failure: "grant" });
      expect(provider.requests).toEqual([]);
    });

    test("ends with its request", async () => {
      const gone = AbortSignal.abort();
      const aborted = () => upstream.refresh({ refresh: "r1" }, nonce, gone);
      expect(await failureOf(aborted)).toMatchObject({ failure: "down" });
    });
  });

  describe("a revocation", () => {
    const revoke = () => upstream.revoke?.({ refresh: "r1" }, signal()) ?? Promise.resolve();
    test("names the refresh token", async () => {
      await revoke();
      expect(provider.requests[0]).toMatchObject({ method: "POST", url: `${issuer}/revoke` });
      expect(Object.fromEntries(provider.requests[0]?.form ?? [])).toEqual({
        token: "r1",
        token_type_hint: "refresh_token",
      });
    });

    test.each(["invalid_grant", "invalid_token"])(
      "of an unknown token is done (%s)",
      async (error) => {
        provider.answers.set("/revoke", () => json({ error }, 400));
        await expect(revoke()).resolves.toBeUndefined();
      },
    );

    test.each([
      ["invalid_client", 401, "refuses_us"],
      ["server_error", 400, "down"],
      ["x", 503, "down"],
    ])("fails with %s", async (error, status, failure) => {
      provider.answers.set("/revoke", () => json({ error }, status));
      expect(await failureOf(revoke)).toMatchObject({ failure });
    });

    test("is not offered where the provider has none", async () => {
      await start({ revocation_endpoint: undefined });
      expect(upstream).not.toHaveProperty("revoke");
    });
  });

  describe("our credentials", () => {
    test.each<[string, string[] | undefined, boolean]>([
      ["nothing", undefined, false],
      ["only the body", ["client_secret_post"], true],
      ["both", ["client_secret_post", "client_secret_basic"], false],
      ["only the header", ["client_secret_basic"], false],
      ["neither", ["private_key_jwt"], false],
    ])("where the provider lists %s", async (_what, methods, isPost) => {
      await start({ token_endpoint_auth_methods_supported: methods });
      await login();
      const [token] = provider.requests;
      expect(token?.headers.has("authorization")).toBe(!isPost);
      expect(token?.form.get("client_secret")).toBe(isPost ? frontClient.secret : null);
      expect(token?.form.get("client_id")).toBe(isPost ? frontClient.id : null);
    });
  });
});
