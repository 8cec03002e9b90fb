import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { authUnderTest } from "../../../test/support/auth.ts";
import { ProviderCrowded } from "../key-source.ts";

const nowS = 1_800_000_000;
const googleClient = "407408718192.apps.googleusercontent.com";
const githubClient = "Iv1.abcdef0123456789";
const githubUrl = `https://api.github.com/applications/${githubClient}/token`;
const googleUrl = "https://oauth2.googleapis.com/tokeninfo";
const notFound = {
  message: "Not Found",
  documentation_url: "https://docs.github.com/rest/apps/oauth-applications#check-a-token",
  status: "404",
};

/** Requests and answers as the providers' pages show them. */
const providers = {
  google: {
    url: googleUrl,
    variables: { GOOGLE_CLIENT_ID: googleClient, GOOGLE_CLIENT_SECRET: "google-s3cr3t" },
    required: ["GOOGLE_CLIENT_ID"],
    token: "ya29.a0AfB_byC-token-of-alice",
    answer: {
      azp: googleClient,
      aud: googleClient,
      sub: "110169484474386276334",
      scope: "openid https://www.googleapis.com/auth/userinfo.email",
      exp: String(nowS + 3599),
      expires_in: "3599",
      email: "alice@corp.example",
      email_verified: "true",
      access_type: "online",
    },
    caller: {
      subject: "110169484474386276334",
      clientId: "110169484474386276334",
      scopes: ["https://www.googleapis.com/auth/userinfo.email", "openid"],
    },
    login: "alice@corp.example",
    otherAudience: { aud: "other.apps.googleusercontent.com" },
    lacking: { scope: "https://www.googleapis.com/auth/userinfo.email" },
    defaultScope: "openid",
    expiresIn: (seconds: number) => ({ exp: String(nowS + seconds) }),
    revoked: () =>
      HttpResponse.json(
        { error: "invalid_token", error_description: "Invalid Value" },
        { status: 400 },
      ),
    unknown: "Google does not know the access token.",
    limited: () => new HttpResponse(null, { status: 429, headers: { "retry-after": "7" } }),
    pauseMs: 7_000,
    headers: {
      accept: "application/json",
      authorization: "Bearer ya29.a0AfB_byC-token-of-alice",
      "content-type": "application/x-www-form-urlencoded",
      "user-agent": "validator-mcp",
    },
    issuer: "https://accounts.google.com",
    sent: (request: Request) => Promise.resolve(request.headers.get("authorization")?.slice(7)),
  },
  github: {
    url: githubUrl,
    variables: { GITHUB_CLIENT_ID: githubClient, GITHUB_CLIENT_SECRET: "github-s3cr3t" },
    required: ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
    token: "gho_16C7e42F292c6912E7710c838347Ae178B4a",
    answer: {
      id: 1,
      url: "https://api.github.com/authorizations/1",
      scopes: ["user", "read:org"],
      token: "",
      token_last_eight: "Ae178B4a",
      hashed_token: "25f94a2a5c7fbaf499c665bc73d67c1c87e496da8985131633ee0a95819db2e8",
      app: { url: "http://my-github-app.com", name: "my github app", client_id: githubClient },
      note: null,
      note_url: null,
      updated_at: "2026-07-20T20:39:23Z",
      created_at: "2026-07-20T17:26:27Z",
      fingerprint: null,
      expires_at: null,
      user: { login: "octocat", id: 583231, type: "User", site_admin: false },
    },
    caller: { subject: "583231", clientId: "583231", scopes: ["read:org", "user"] },
    login: "octocat",
    otherAudience: { app: { name: "other", client_id: "Iv1.other" } },
    lacking: { scopes: ["read:org"] },
    defaultScope: "user",
    expiresIn: (seconds: number) => ({
      expires_at: new Date((nowS + seconds) * 1000).toISOString(),
    }),
    revoked: () => HttpResponse.json(notFound, { status: 404 }),
    unknown: "GitHub does not know the access token.",
    limited: () =>
      new HttpResponse(null, {
        status: 403,
        headers: { "x-ratelimit-remaining": "0", "retry-after": "20" },
      }),
    pauseMs: 20_000,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Basic ${btoa(`${githubClient}:github-s3cr3t`)}`,
      "content-type": "application/json",
      "user-agent": "validator-mcp",
      "x-github-api-version": "2022-11-28",
    },
    issuer: "https://github.com/login/oauth",
    sent: async (request: Request) => {
      const body = (await request.json()) as { access_token: string };
      const basic = Buffer.from(`${githubClient}:github-s3cr3t`).toString("base64");
      return request.headers.get("authorization") === `Basic ${basic}` ? body.access_token : "?";
    },
  },
} as const;

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const unchecked = {
  refusal: {
    kind: "invalid_token",
    description: "The access token cannot be checked at the moment.",
  },
};

describe.each(Object.entries(providers))("%s", (name, provider) => {
  const { url, token } = provider;
  /** Answers and notes the tokens asked about. */
  const serve = (answer: () => Response | Promise<Response>) => {
    const asked: unknown[] = [];
    server.use(
      http.post(url, async ({ request }) => {
        asked.push(await provider.sent(request));
        return answer();
      }),
    );
    return asked;
  };
  const json = (change: object = {}) => HttpResponse.json({ ...provider.answer, ...change });
  const create = (more: Record<string, string> = {}) =>
    authUnderTest(name, { ...provider.variables, ...more });

  test("a good token is its caller, and is asked about once", async () => {
    const asked = serve(() => json());
    const { present } = await create();
    expect(await present(token)).toMatchObject({ caller: provider.caller });
    expect(await present(token)).toMatchObject({ caller: provider.caller });
    expect(asked).toEqual([token]);
  });

  test("the provider is asked as its page says", async () => {
    const headers: object[] = [];
    server.use(
      http.post(url, ({ request }) => {
        headers.push(Object.fromEntries(request.headers));
        return json();
      }),
    );
    const { present } = await create();
    await present(token);
    expect(headers).toEqual([expect.objectContaining(provider.headers)]);
  });

  test("concurrent checks of one token are one request", async () => {
    const asked = serve(() => json());
    const { present } = await create();
    const results = await Promise.all(Array.from({ length: 20 }, () => present(token)));
    expect(results.every((result) => "caller" in result)).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test("a good answer counts for five minutes, and a revoked token ends then", async () => {
    const asked = serve(() => json());
    const { present, clock } = await create();
    await present(token);
    serve(provider.revoked);
    clock.ms += 299_999;
    expect(await present(token)).toHaveProperty("caller");
    clock.ms += 1;
    expect(await present(token)).toMatchObject({ refusal: { kind: "invalid_token" } });
    expect(asked).toHaveLength(1);
  });

  test("a good answer never counts past the expiry of the token", async () => {
    serve(() => json(provider.expiresIn(10)));
    const { present, clock } = await create();
    expect(await present(token)).toHaveProperty("caller");
    clock.ms += 10_000;
    expect(await present(token)).toMatchObject({ refusal: { description: /expired/ } });
  });

  test("a bad answer counts for five seconds", async () => {
    const asked = serve(provider.revoked);
    const { present, clock } = await create();
    const refusal = { kind: "invalid_token", description: provider.unknown };
    expect(await present(token)).toEqual({ refusal });
    await present(token);
    expect(asked).toHaveLength(1);
    clock.ms += 5_000;
    serve(() => json());
    expect(await present(token)).toHaveProperty("caller");
  });

  test("a token for another audience is refused", async () => {
    serve(() => json(provider.otherAudience));
    const { present } = await create();
    expect(await present(token)).toMatchObject({
      refusal: {
        kind: "invalid_token",
        description: `The access token is for another ${name === "google" ? "audience" : "app"}.`,
      },
    });
  });

  test("a token that has expired already is refused", async () => {
    serve(() => json(provider.expiresIn(0)));
    const { present } = await create();
    expect(await present(token)).toMatchObject({ refusal: { kind: "invalid_token" } });
  });

  test("the default floor is the provider's own scope", async () => {
    serve(() => json(provider.lacking));
    const { present, authenticator } = await create();
    expect(authenticator.challengeScopes).toEqual([provider.defaultScope]);
    expect(await present(token)).toMatchObject({
      refusal: { kind: "insufficient_scope", scopes: [provider.defaultScope] },
    });
  });

  test("no token carries scopes of this server; the map gives them by login", async () => {
    serve(() => json());
    for (const [SCOPE_MAP, may] of [
      ["{}", false],
      [JSON.stringify({ [provider.login]: ["iam:validate"] }), true],
      [JSON.stringify({ "*": ["iam:validate"] }), true],
      [JSON.stringify({ someone: ["iam:validate"] }), false],
    ] as const) {
      const { present } = await create({ SCOPE_MAP });
      const result = await present(token);
      expect("caller" in result && result.caller.may("iam:validate")).toBe(may);
    }
  });

  const otherShape = "its answer has another shape";
  test.each([
    ["is down", () => HttpResponse.error(), "the request failed"],
    ["fails", () => new HttpResponse("oops", { status: 502 }), "it answered with status 502"],
    ["forbids", () => new HttpResponse("no", { status: 403 }), "it answered with status 403"],
    ["answers without JSON", () => new HttpResponse("<html>"), otherShape],
    ["answers in another shape", () => HttpResponse.json({ ok: true }), otherShape],
    [
      "redirects",
      () => HttpResponse.redirect("https://elsewhere.example/"),
      "it answered with status 302",
    ],
  ])(
    "no new caller gets in while the provider %s; who is known stays in",
    async (_, answer, reason) => {
      serve(() => json());
      const { present, lines, clock } = await create();
      await present(token);
      const asked = serve(answer);
      expect(await present("other-token")).toEqual(unchecked);
      expect(await present("third-token")).toEqual(unchecked);
      expect(asked).toHaveLength(1);
      expect(await present(token)).toHaveProperty("caller");
      expect(lines.filter((line) => line.includes("cannot check"))).toEqual([
        `The identity provider cannot check tokens. ${JSON.stringify({ reason })}`,
      ]);
      expect(lines.join()).not.toMatch(/other-token|s3cr3t/);
      clock.ms += 1_000;
      serve(() => json());
      expect(await present("other-token")).toHaveProperty("caller");
    },
  );

  test("a provider that limits our rate is left alone for as long as it asks", async () => {
    const asked = serve(provider.limited);
    const { present, clock } = await create();
    expect(await present(token)).toEqual(unchecked);
    clock.ms += provider.pauseMs - 1;
    expect(await present(token)).toEqual(unchecked);
    expect(asked).toHaveLength(1);
    clock.ms += 1;
    serve(() => json());
    expect(await present(token)).toHaveProperty("caller");
  });

  test("a flood of invented tokens of one address keeps at most 48 requests open", async () => {
    const release = Promise.withResolvers<void>();
    const asked = serve(async () => {
      await release.promise;
      return provider.revoked();
    });
    const { present } = await create();
    const flood = Array.from({ length: 200 }, (_, index) => present(`invented-${index}`));
    const [kept, refused] = [flood.slice(0, 48), flood.slice(48)];
    for (const one of refused) await expect(one).rejects.toThrow(ProviderCrowded);
    release.resolve();
    const results = await Promise.all(kept);
    expect(results.every((result) => "refusal" in result)).toBe(true);
    expect(asked).toHaveLength(48);
  });

  test("clients are sent to the provider, by the own address unless a public one is set", async () => {
    const { authenticator } = await authUnderTest(name, provider.variables, {
      defaultBaseUrl: "http://127.0.0.1:8000",
    });
    expect(authenticator.metadata).toEqual({
      baseUrl: "http://127.0.0.1:8000",
      authorizationServers: [provider.issuer],
    });
    expect((await create()).authenticator.metadata).toBeUndefined();
  });

  test("starts only with its variables", async () => {
    for (const missing of provider.required) {
      await expect(create({ [missing]: "" })).rejects.toMatchObject({
        kind: "auth_provider",
        message: expect.stringContaining(`VALIDATOR_MCP_AUTH_${missing} is not set`),
      });
    }
  });
});

describe("google", () => {
  const { answer, token, variables } = providers.google;
  const give = (change: object) =>
    server.use(http.post(googleUrl, () => HttpResponse.json({ ...answer, ...change })));

  test.each([
    ["without a subject counts as its client", { sub: undefined }, { subject: googleClient }],
    ["without scopes has none", { scope: undefined }, { scopes: [] }],
  ])("a token %s", async (_, change, caller) => {
    give(change);
    const floor = { REQUIRED_SCOPES: "iam:validate", SCOPE_MAP: '{"*": ["iam:validate"]}' };
    const { present } = await authUnderTest("google", { ...variables, ...floor });
    const scopes = ["iam:validate", ...("scopes" in caller ? [] : answer.scope.split(" "))].sort();
    expect(await present(token)).toMatchObject({ caller: { ...caller, scopes } });
  });

  test.each([[true], ["true"]])("an address that is verified (%j) is a login", async (verified) => {
    give({ email_verified: verified });
    const SCOPE_MAP = '{"login:alice@corp.example": ["iam:config"]}';
    const { present } = await authUnderTest("google", { ...variables, SCOPE_MAP });
    const result = await present(token);
    expect("caller" in result && result.caller.may("iam:config")).toBe(true);
  });

  test.each([[undefined], ["soon"], ["0"], ["-1"]])(
    "a token whose expiry is %j lets no caller in",
    async (exp) => {
      give({ exp });
      const { present, lines } = await authUnderTest("google", variables);
      expect(await present(token)).toEqual(unchecked);
      expect(lines.join()).toContain("its answer has another shape");
    },
  );

  test("a token that Google did not issue (401) is refused", async () => {
    server.use(http.post(googleUrl, () => new HttpResponse(null, { status: 401 })));
    const { present } = await authUnderTest("google", variables);
    expect(await present(token)).toMatchObject({
      refusal: { description: "Google does not know the access token." },
    });
  });

  test("without a word on how long, it is left alone for five seconds", async () => {
    server.use(http.post(googleUrl, () => new HttpResponse(null, { status: 429 })));
    const { present, clock, lines } = await authUnderTest("google", variables);
    await present(token);
    expect(lines.at(-1)).toContain('{"reason":"it limits our rate"}');
    give({});
    clock.ms += 4_999;
    expect(await present(token)).toEqual(unchecked);
    clock.ms += 1;
    expect(await present(token)).toHaveProperty("caller");
  });

  test("an address that is not verified is not a login", async () => {
    server.use(
      http.post(googleUrl, () => HttpResponse.json({ ...answer, email_verified: "false" })),
    );
    const SCOPE_MAP = '{"alice@corp.example": ["iam:config"]}';
    const { present } = await authUnderTest("google", { ...variables, SCOPE_MAP });
    const result = await present(token);
    expect("caller" in result && result.caller.may("iam:config")).toBe(false);
  });
});

describe("github", () => {
  const { answer, token, variables } = providers.github;
  const give = (change: object) =>
    server.use(http.post(githubUrl, () => HttpResponse.json({ ...answer, ...change })));

  test("a token without scopes has none", async () => {
    give({ scopes: null });
    const floor = { REQUIRED_SCOPES: "iam:validate", SCOPE_MAP: '{"*": ["iam:validate"]}' };
    const { present } = await authUnderTest("github", { ...variables, ...floor });
    expect(await present(token)).toMatchObject({ caller: { scopes: ["iam:validate"] } });
  });

  test.each([[404], [422]])("a token that is answered with %i is refused", async (status) => {
    server.use(http.post(githubUrl, () => HttpResponse.json(notFound, { status })));
    const { present } = await authUnderTest("github", variables);
    expect(await present(token)).toMatchObject({
      refusal: { description: "GitHub does not know the access token." },
    });
  });

  test("the last answer before the limit is an answer", async () => {
    const headers = { "x-ratelimit-remaining": "0" };
    server.use(http.post(githubUrl, () => HttpResponse.json(answer, { headers })));
    const { present } = await authUnderTest("github", variables);
    expect(await present(token)).toHaveProperty("caller");
  });

  test.each([
    ["an expiry that is not a date", { expires_at: "soon" }],
    ["a user without an id", { user: { login: "octocat" } }],
    ["a user without a login", { user: { id: 583231 } }],
    ["an app without a client id", { app: { name: "my github app" } }],
  ])("%s lets no caller in", async (_, change) => {
    give(change);
    const { present, lines } = await authUnderTest("github", variables);
    expect(await present(token)).toEqual(unchecked);
    expect(lines.join()).toContain("its answer has another shape");
  });

  test.each([
    ["429", 429, {}, 60_000],
    ["403 with none remaining", 403, { "x-ratelimit-remaining": "0" }, 60_000],
    ["403 with a pause", 403, { "retry-after": "30" }, 30_000],
    ["403 with a pause that is not a number", 403, { "retry-after": "soon" }, 60_000],
    ["403 with some remaining, which is not a limit", 403, { "x-ratelimit-remaining": "9" }, 1_000],
  ])("after %s it is left alone for a while", async (_, status, headers, pauseMs) => {
    server.use(http.post(githubUrl, () => new HttpResponse(null, { status, headers })));
    const { present, clock, lines } = await authUnderTest("github", variables);
    await present(token);
    const reason = pauseMs === 1_000 ? "it answered with status 403" : "it limits our rate";
    expect(lines.at(-1)).toContain(JSON.stringify({ reason }));
    give({});
    clock.ms += pauseMs - 1;
    expect(await present(token)).toEqual(unchecked);
    clock.ms += 1;
    expect(await present(token)).toHaveProperty("caller");
  });

  test("a client id cannot lead to another address", async () => {
    const GITHUB_CLIENT_ID = "../Iv1?x=";
    const asked: string[] = [];
    server.use(
      http.post("https://api.github.com/*", ({ request }) => {
        asked.push(request.url);
        return HttpResponse.json(notFound, { status: 404 });
      }),
    );
    await (await authUnderTest("github", { ...variables, GITHUB_CLIENT_ID })).present(token);
    expect(asked).toEqual(["https://api.github.com/applications/..%2FIv1%3Fx%3D/token"]);
  });

  test("a user token of a GitHub App has no scopes: only a floor that the map meets lets it in", async () => {
    server.use(http.post(githubUrl, () => HttpResponse.json({ ...answer, scopes: [] })));
    const SCOPE_MAP = '{"octocat": ["iam:validate"]}';
    const floor = { ...variables, SCOPE_MAP, REQUIRED_SCOPES: "iam:validate" };
    expect(await (await authUnderTest("github", floor)).present(token)).toHaveProperty("caller");
    expect(await (await authUnderTest("github", variables)).present(token)).toMatchObject({
      refusal: { kind: "insufficient_scope" },
    });
  });

  test("credentials that GitHub refuses are told to the operator, not to the caller", async () => {
    server.use(http.post(githubUrl, () => new HttpResponse(null, { status: 401 })));
    const { present, lines } = await authUnderTest("github", variables);
    expect(await present(token)).toEqual(unchecked);
    expect(lines.join()).toContain("refuses the client id or the client secret");
    expect(lines.join()).not.toContain("s3cr3t");
  });
});
