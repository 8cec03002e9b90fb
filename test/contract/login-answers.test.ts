import { createServer, type Server } from "node:http";
import { SignJWT } from "jose";
import { HttpResponse, http } from "msw";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testKey } from "../support/issuer.ts";
import {
  base,
  frontClient,
  githubVariables,
  jwtVariables,
  keyOne,
  keyTwo,
} from "../support/login/variables.ts";
import type { Reply, Visitor } from "../support/login/visitor.ts";
import {
  type FrontUnderTest,
  type LoginWorld,
  loginWorld,
  startFront,
} from "../support/login/world.ts";

let world: LoginWorld;
let clockMs = 0;
beforeAll(async () => {
  world = await loginWorld(() => Date.now() + clockMs);
});
afterEach(() => {
  clockMs = 0;
});
afterAll(() => world[Symbol.asyncDispose]());

const refusedAs = (status: number, error: string) => ({ status, body: { error } });
const list = (token: string, where: RequestInit = {}) => ({
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(token && { authorization: `Bearer ${token}` }),
    ...where.headers,
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
});

describe("what an OpenID provider answers", () => {
  const key = testKey("RS256", "answers");
  const stranger = testKey("RS256", "answers");
  let front: FrontUnderTest;
  let visitor: Visitor;
  /** Of the login that is under way. */
  let nonce: string;
  let issuer: string;
  let provider: Server;
  let idToken: (() => Promise<string | undefined>) | undefined;
  let accessToken: (() => Promise<string>) | undefined;

  const claims = (changes: object = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: issuer, aud: frontClient.id, sub: "alice", iat: now, exp: now + 600, nonce };
    return { ...all, ...changes };
  };
  const signed = (changes: object = {}, by = key, alg = "RS256") =>
    new SignJWT(claims(changes)).setProtectedHeader({ alg, kid: by.kid }).sign(by.privateKey);

  const answerTo = async (path: string): Promise<object> => {
    if (path === "/jwks") return { keys: [key.jwk] };
    if (path === "/token") {
      return {
        access_token: (await accessToken?.()) ?? "provider-access",
        token_type: "Bearer",
        refresh_token: "provider-refresh",
        id_token: await idToken?.(),
      };
    }
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      code_challenge_methods_supported: ["S256"],
    };
  };

  beforeAll(async () => {
    provider = createServer(async (request, response) => {
      const path = request.url ?? "";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(await answerTo(path)));
    });
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    const address = provider.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    issuer = `http://127.0.0.1:${address.port}`;
    front = await startFront("jwt", jwtVariables(issuer), signIn);
  });
  const signIn = (address: string): URL => {
    const asked = new URL(address).searchParams;
    nonce = asked.get("nonce") ?? "";
    const answer = { code: "provider-code", state: asked.get("state") ?? "", iss: issuer };
    return new URL(`${base}/oauth/callback?${new URLSearchParams(answer)}`);
  };
  beforeEach(() => {
    visitor = front.visitor();
    idToken = () => signed();
    accessToken = undefined;
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    provider.closeAllConnections();
    await new Promise((resolve) => provider.close(resolve));
  });

  const refreshedWith = async (next: typeof idToken): Promise<Reply> => {
    const { status, body } = await visitor.login();
    expect(status).toBe(200);
    idToken = next;
    return visitor.refresh(String(body.refresh_token));
  };

  test("T-27: a good ID token logs in", async () => {
    expect((await visitor.login()).status).toBe(200);
  });

  const none = () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return Promise.resolve(`${part({ alg: "none" })}.${part(claims())}.`);
  };
  const es256 = testKey("ES256", "answers");
  test.each<[string, () => Promise<string | undefined>]>([
    ["another issuer", () => signed({ iss: "https://evil.example" })],
    ["another audience", () => signed({ aud: "other" })],
    ["several audiences without azp", () => signed({ aud: [frontClient.id, "other"] })],
    ["another key", () => signed({}, stranger)],
    ["another algorithm", () => signed({}, es256, "ES256")],
    ["no signature", none],
    ["an end in the past", () => signed({ exp: Math.floor(Date.now() / 1000) - 120 })],
    ["no nonce", () => signed({ nonce: undefined })],
    ["another nonce", () => signed({ nonce: "n".repeat(22) })],
    ["an empty subject", () => signed({ sub: "" })],
    ["an over-long subject", () => signed({ sub: "s".repeat(2_000) })],
    ["no text at all (T-26)", async () => undefined],
  ])("T-27: an ID token with %s gives nothing", async (_what, token) => {
    idToken = token;
    const answer = await visitor.login();
    expect(answer).toMatchObject(refusedAs(500, "server_error"));
    expect(answer.body).not.toHaveProperty("access_token");
  });

  test("F-21: without an ID token a refresh grants what the last one granted", async () => {
    const answer = await refreshedWith(async () => undefined);
    expect(answer).toMatchObject({ status: 200, body: { scope: "iam:validate iam:query" } });
  });

  test("F-22: at a refresh the nonce may be absent", async () => {
    expect((await refreshedWith(() => signed({ nonce: undefined }))).status).toBe(200);
  });

  test.each<[string, () => Promise<string>]>([
    ["another nonce", () => signed({ nonce: "n".repeat(22) })],
    ["another issuer", () => signed({ iss: "https://evil.example" })],
    ["another key", () => signed({}, stranger)],
  ])("F-22: an ID token with %s refreshes nothing", async (_what, token) => {
    expect(await refreshedWith(token)).toMatchObject(refusedAs(500, "server_error"));
  });

  test("F-18: another subject than at login ends the session", async () => {
    const answer = await refreshedWith(() => signed({ sub: "mallory" }));
    expect(answer).toMatchObject(refusedAs(400, "invalid_grant"));
  });

  describe("as Auth0", () => {
    let auth0: FrontUnderTest;
    const aud = "https://api.example.com";
    beforeAll(async () => {
      const variables = {
        BASE_URL: base,
        OAUTH_KEYS: keyOne,
        AUTH0_CONFIG_URL: `${issuer}/.well-known/openid-configuration`,
        AUTH0_CLIENT_ID: frontClient.id,
        AUTH0_CLIENT_SECRET: "auth0-s3cr3t",
        AUTH0_AUDIENCE: aud,
      };
      auth0 = await startFront("auth0", variables, signIn);
    });
    afterAll(() => auth0[Symbol.asyncDispose]());
    const forUs = { aud, scope: "iam:validate", nonce: undefined };

    test("T-1: an access token for our API logs in", async () => {
      accessToken = () => signed(forUs);
      const answer = await auth0.visitor().login();
      expect(answer).toMatchObject({ status: 200, body: { scope: "iam:validate" } });
    });

    test.each([
      ["for another API", { aud: "https://other.example.com" }],
      ["of another person than the ID token", { sub: "mallory" }],
      ["without a subject", { sub: undefined }],
      ["of another issuer", { iss: "https://evil.example" }],
    ])("T-28: an access token %s gives nothing", async (_what, changes) => {
      accessToken = () => signed({ ...forUs, ...changes });
      expect(await auth0.visitor().login()).toMatchObject(refusedAs(500, "server_error"));
    });

    test("T-28: an access token that is not a JWT gives nothing", async () => {
      expect(await auth0.visitor().login()).toMatchObject(refusedAs(500, "server_error"));
    });
  });

  test("M-9, M-10: a token of the provider for this server is accepted, its ID token is not", async () => {
    const own = await signed({ aud: `${base}/mcp` });
    expect((await visitor.send("/mcp", list(own))).status).toBe(200);
    expect((await visitor.send("/mcp", list(await signed()))).status).toBe(401);
  });
});

describe("what GitHub answers", () => {
  let front: FrontUnderTest;
  beforeAll(async () => {
    front = await world.githubFront();
  });
  afterEach(() => {
    world.github.state.isApp = false;
  });
  afterAll(() => front[Symbol.asyncDispose]());

  const requestsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = world.github.requests.length;
    await work();
    return world.github.requests.slice(before);
  };
  const check = "POST /applications/Ov23liAbCdEf/token";
  const exchange = "POST /login/oauth/access_token";

  test("T-29: a token of another app gives nothing", async () => {
    const visitor = front.visitor();
    const code = await visitor.toCode();
    const checkPath = "https://api.github.com/applications/:id/token";
    world.internet.use(
      http.post(
        checkPath,
        () => HttpResponse.json({ app: { client_id: "other" }, user: { id: 1, login: "octocat" } }),
        { once: true },
      ),
    );
    expect(await visitor.token(code)).toMatchObject(refusedAs(500, "server_error"));
  });

  test("F-14: the token of an OAuth app is checked, and nothing else is asked", async () => {
    const visitor = front.visitor();
    const { body } = await visitor.login();
    const asked = await requestsOf(() => visitor.refresh(String(body.refresh_token)));
    expect(asked).toEqual([check]);
  });

  test.each([
    ["F-16: more than 15 minutes left: checked only", 28_800 - 960, [check]],
    ["F-17: less left: refreshed, then checked", 28_800 - 840, [exchange, check]],
  ])("a GitHub App. %s", async (_what, elapsedS, expected) => {
    world.github.state.isApp = true;
    const visitor = front.visitor();
    const { body } = await visitor.login();
    clockMs = elapsedS * 1000;
    const asked = await requestsOf(async () => {
      expect((await visitor.refresh(String(body.refresh_token))).status).toBe(200);
    });
    expect(asked).toEqual(expected);
  });

  test("R-2: the same metadata give the same id, also elsewhere and under other keys", async () => {
    await using other = await world.githubFront({ ...githubVariables, OAUTH_KEYS: keyTwo });
    const replies = [
      await front.visitor().register(),
      await front.visitor().register(),
      await other.visitor().register(),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.client_id)).size).toBe(1);
  });

  test("R-26: many registrations at once are all answered", async () => {
    const visitor = front.visitor();
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        visitor.register({ client_name: `c${index}`, redirect_uris: ["http://127.0.0.1/cb"] }),
      ),
    );
    expect(replies.filter(({ status }) => status !== 201)).toEqual([]);
  });

  test("A-18: a redirect that is allowed no more is refused on a page", async () => {
    const visitor = front.visitor();
    visitor.redirect = "https://vscode.dev/redirect";
    await visitor.register();
    await using narrow = await world.githubFront({
      ...githubVariables,
      OAUTH_REDIRECTS: "loopback",
    });
    const later = narrow.visitor();
    later.redirect = visitor.redirect;
    later.clientId = visitor.clientId;
    expect(await later.authorize()).toMatchObject({
      status: 400,
      text: expect.stringContaining("that this server does not allow"),
    });
  });

  test("C-10, T-40, F-25: values of the second key open, and new ones are under the first", async () => {
    await using rotated = await world.githubFront({
      ...githubVariables,
      OAUTH_KEYS: `${keyTwo},${keyOne}`,
    });
    const visitor = front.visitor();
    await visitor.register();
    const page = await visitor.authorize();
    visitor.options.url = rotated.target.url;
    const allowed = await visitor.consent(page);
    expect(allowed.status).toBe(303);
    const callback = await visitor.options.signIn(allowed.headers.get("location") ?? "");
    visitor.options.url = front.target.url;
    // The first replica does not know the new key yet, and says so rather than failing.
    expect((await visitor.browse(`/oauth/callback${callback.search}`)).status).toBe(400);

    const first = front.visitor();
    const code = await first.toCode();
    first.options.url = rotated.target.url;
    const tokens = await first.token(code);
    const refreshed = await first.refresh(String(tokens.body.refresh_token));
    expect([tokens.status, refreshed.status]).toEqual([200, 200]);
    const old = await front.visitor().login();
    const kid = (reply: Reply, name: string) =>
      Buffer.from(String(reply.body[name]).split(".")[0] ?? "", "base64url").toString();
    for (const name of ["access_token", "refresh_token"]) {
      expect(kid(tokens, name)).toBe(kid(refreshed, name));
      expect(kid(tokens, name)).not.toBe(kid(old, name));
    }
  });

  test("M-15: a token in the query or in a cookie is not a token", async () => {
    const visitor = front.visitor();
    const token = String((await visitor.login()).body.access_token);
    const inQuery = await visitor.send(`/mcp?access_token=${token}`, list(""));
    const inCookie = await visitor.send(
      "/mcp",
      list("", { headers: { cookie: `token=${token}` } }),
    );
    for (const { status, headers } of [inQuery, inCookie]) {
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).not.toContain("error=");
    }
  });
});
