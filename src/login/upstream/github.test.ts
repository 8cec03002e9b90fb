import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { json, nowMs, upstreamOptions } from "../../../test/support/login/fake-provider.ts";
import { base, frontClient, githubVariables } from "../../../test/support/login/variables.ts";
import { UpstreamError } from "./calls.ts";
import { githubUpstream } from "./github.ts";
import type { Upstream } from "./upstream.ts";

interface Sent {
  readonly line: string;
  readonly headers: Headers;
  readonly body: string;
}
const checkPath = `/applications/${frontClient.id}/token`;
const goodCheck = () =>
  json({ app: { client_id: frontClient.id }, user: { id: 583231, login: "octocat" } });
let answers: Map<string, () => Response>;
let sent: Sent[];
let upstream: Upstream;

describe("GitHub", () => {
  beforeAll(() =>
    vi.stubGlobal("fetch", (async (input, init) => {
      const request = new Request(input, init);
      const { host, pathname } = new URL(request.url);
      const line = `${request.method} ${host}${pathname}`;
      sent.push({ line, headers: request.headers, body: await request.text() });
      return answers.get(line)?.() ?? new Response(null, { status: 404 });
    }) as typeof fetch),
  );
  afterAll(() => vi.unstubAllGlobals());
  beforeEach(() => start());

  function start(map = '{"login:octocat":["iam:query"]}'): void {
    answers = new Map([
      [
        "POST github.com/login/oauth/access_token",
        () => json({ access_token: "t1", token_type: "bearer" }),
      ],
      [`POST api.github.com${checkPath}`, goodCheck],
      [`DELETE api.github.com${checkPath}`, () => new Response(null, { status: 204 })],
    ]);
    sent = [];
    const { options } = upstreamOptions({
      provider: "github",
      variables: { ...githubVariables, SCOPE_MAP: map },
    });
    upstream = githubUpstream(options);
  }

  const signal = () => new AbortController().signal;
  const redeem = () =>
    upstream.redeem({ code: "c1", verifier: "v".repeat(44), nonce: "n" }, signal());
  const refresh = (grant: Parameters<Upstream["refresh"]>[0]) =>
    upstream.refresh(grant, "n", signal());
  const lines = () => sent.map(({ line }) => line);
  const exchange = "POST github.com/login/oauth/access_token";
  const check = `POST api.github.com${checkPath}`;
  const remove = `DELETE api.github.com${checkPath}`;
  const respond = (line: string, body: unknown, status = 200) =>
    answers.set(line, () => json(body, status));
  async function failureOf(work: Promise<unknown>): Promise<string | undefined> {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof UpstreamError ? error.failure : undefined;
  }

  describe("the way to GitHub", () => {
    const query = async () =>
      Object.fromEntries(
        new URL(
          await upstream.authorizationUrl({
            state: "s",
            verifier: "v".repeat(44),
            nonce: "n",
            scopes: [],
          }),
        ).searchParams,
      );
    const always = {
      client_id: frontClient.id,
      redirect_uri: `${base}/oauth/callback`,
      response_type: "code",
      state: "s",
      code_challenge: "4bubTICySE6otjSHzFF0Xe9rvcgVq2f6hb_p2aByNm4",
      code_challenge_method: "S256",
    };
    test("asks for no scope, unless the map names organizations", async () => {
      expect(await query()).toEqual(always);
      start('{"group:acme":["iam:query"]}');
      expect(await query()).toEqual({ ...always, scope: "read:org" });
    });
    test("is GitHub's, and any issuer comes back from there", async () => {
      const url = new URL(
        await upstream.authorizationUrl({ state: "s", verifier: "v", nonce: "n", scopes: [] }),
      );
      expect(url.origin + url.pathname).toBe("https://github.com/login/oauth/authorize");
      expect(upstream.name).toBe("GitHub");
      for (const issuer of [
        undefined,
        "",
        "https://github.com/login/oauth",
        "https://evil.example",
      ])
        expect(upstream.acceptsIssuer(issuer)).toBe(true);
    });
  });

  describe("a code", () => {
    test("is redeemed, and the token says who it is", async () => {
      expect(await redeem()).toEqual({
        identity: {
          subject: "583231",
          clientId: "583231",
          scopes: [],
          login: "octocat",
          groups: [],
        },
        grant: { access: "t1" },
      });
      expect(lines()).toEqual([exchange, check]);
      expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toEqual({
        grant_type: "authorization_code",
        code: "c1",
        redirect_uri: `${base}/oauth/callback`,
        code_verifier: "v".repeat(44),
        client_id: frontClient.id,
        client_secret: frontClient.secret,
      });
      expect(sent[0]?.headers.get("accept")).toBe("application/json");
      expect(JSON.parse(sent[1]?.body ?? "")).toEqual({ access_token: "t1" });
      const basic = Buffer.from(`${frontClient.id}:${frontClient.secret}`).toString("base64");
      expect(Object.fromEntries(sent[1]?.headers ?? [])).toMatchObject({
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        authorization: `Basic ${basic}`,
        "content-type": "application/json",
      });
    });

    test.each<[string, unknown, string]>([
      ["used or expired", { error: "bad_verification_code" }, "grant"],
      ["for another client", { error: "incorrect_client_credentials" }, "refuses_us"],
      ["for another address", { error: "redirect_uri_mismatch" }, "refuses_us"],
      ["answered by another shape", { hello: 1 }, "answer"],
      ["answered by an error that is no text", { error: 1 }, "answer"],
    ])("%s, with status 200", async (_what, body, failure) => {
      respond(exchange, body);
      expect(await failureOf(redeem())).toBe(failure);
      expect(lines()).toEqual([exchange]);
    });

    test("answered by no JSON is no answer", async () => {
      answers.set(
        exchange,
        () => new Response("{", { headers: { "content-type": "application/json" } }),
      );
      expect(await failureOf(redeem())).toBe("answer");
    });

    test.each<[string, unknown, number, string]>([
      [
        "is of another app",
        { app: { client_id: "other" }, user: { id: 1, login: "a" } },
        200,
        "answer",
      ],
      ["is not known", {}, 404, "answer"],
      ["has no person", { app: { client_id: frontClient.id } }, 200, "answer"],
      [
        "has an id that is not a number",
        { app: { client_id: frontClient.id }, user: { id: "1", login: "a" } },
        200,
        "answer",
      ],
      ["has no login", { app: { client_id: frontClient.id }, user: { id: 1 } }, 200, "answer"],
      ["cannot be checked by us", {}, 401, "refuses_us"],
      ["may not be checked by us", {}, 403, "refuses_us"],
      [
        "is checked with another status",
        { app: { client_id: frontClient.id }, user: { id: 1, login: "a" } },
        201,
        "answer",
      ],
      ["cannot be checked now", {}, 500, "down"],
    ])("whose token %s identifies no one", async (_what, body, status, failure) => {
      respond(check, body, status);
      expect(await failureOf(redeem())).toBe(failure);
    });
  });

  describe("memberships", () => {
    const org = "GET api.github.com/user/memberships/orgs/acme";
    const team = "GET api.github.com/orgs/acme/teams/sec/memberships/octocat";
    beforeEach(() =>
      start(
        '{"group:acme":["iam:query"],"group:acme/sec":["iam:validate"],"role:x":["iam:config"]}',
      ),
    );

    test("are asked for where the map names them, with the person's token", async () => {
      respond(org, { state: "active" });
      respond(team, { state: "active" });
      expect((await redeem()).identity.groups).toEqual(["acme", "acme/sec"]);
      expect(lines().slice(2).toSorted()).toEqual([team, org].toSorted());
      for (const { headers } of sent.slice(2)) {
        expect(headers.get("authorization")).toBe("Bearer t1");
        expect(headers.get("accept")).toBe("application/vnd.github+json");
      }
    });
    test.each<[string, unknown, number]>([
      ["is pending", { state: "pending" }, 200],
      ["is not known", {}, 404],
      ["may not be seen", {}, 403],
    ])("that %s does not count", async (_what, body, status) => {
      respond(org, body, status);
      respond(team, { state: "active" });
      expect((await redeem()).identity.groups).toEqual(["acme/sec"]);
    });
    test.each<[string, unknown, number]>([
      ["another shape", { hello: 1 }, 200],
      ["another status", { state: "active" }, 201],
      ["a refusal of the token", {}, 401],
    ])("answered by %s are no answer", async (_what, body, status) => {
      respond(org, body, status);
      expect(await failureOf(redeem())).toBe("answer");
    });
    test("are asked for under names that stay one segment", async () => {
      const login = "a/b";
      answers.set(check, () =>
        json({ app: { client_id: frontClient.id }, user: { id: 1, login } }),
      );
      await redeem();
      expect(lines()).toContain("GET api.github.com/orgs/acme/teams/sec/memberships/a%2Fb");
    });
  });

  describe("a refresh", () => {
    const nowS = nowMs / 1000;
    const renewed = {
      access_token: "t2",
      token_type: "bearer",
      expires_in: 28_800,
      refresh_token: "r2",
    };

    test("of an OAuth app checks the token, and nothing else", async () => {
      expect(await refresh({ access: "t1" })).toMatchObject({
        identity: { subject: "583231" },
        grant: { access: "t1" },
      });
      expect(lines()).toEqual([check]);
    });
    test("of a token that GitHub does not know ends the login", async () => {
      for (const status of [404, 422]) {
        respond(check, {}, status);
        expect(await failureOf(refresh({ access: "t1" }))).toBe("grant");
      }
    });
    test.each([
      [
        "15 minutes left: checked only",
        nowS + 900,
        [check],
        { access: "t1", access_end: nowS + 900, refresh: "r1" },
      ],
      [
        "less left: refreshed",
        nowS + 899,
        [exchange, check],
        { access: "t2", access_end: nowS + 28_800, refresh: "r2" },
      ],
    ])("of a GitHub App with %s", async (_what, access_end, expected, grant) => {
      respond(exchange, renewed);
      expect((await refresh({ access: "t1", access_end, refresh: "r1" })).grant).toEqual(grant);
      expect(lines()).toEqual(expected);
    });
    test("without a refresh token uses the token to its end", async () => {
      await refresh({ access: "t1", access_end: nowS + 1 });
      expect(lines()).toEqual([check]);
    });
    test("with a refresh token alone refreshes", async () => {
      respond(exchange, renewed);
      await refresh({ access_end: nowS + 5_000, refresh: "r1" });
      expect(lines()).toEqual([exchange, check]);
      expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toMatchObject({
        grant_type: "refresh_token",
        refresh_token: "r1",
      });
    });
    test("without any token ends the login", async () => {
      expect(await failureOf(refresh({}))).toBe("grant");
      expect(lines()).toEqual([]);
    });
    test("refused by GitHub ends the login", async () => {
      respond(exchange, { error: "bad_refresh_token" });
      expect(await failureOf(refresh({ refresh: "r1" }))).toBe("grant");
    });
    test("of an app whose tokens expire without a refresh token keeps the end", async () => {
      respond(exchange, { access_token: "t2", token_type: "bearer", expires_in: 60 });
      expect((await redeem()).grant).toEqual({ access: "t2", access_end: nowS + 60 });
    });
  });

  describe("a revocation", () => {
    const revoke = (grant: Parameters<Upstream["refresh"]>[0]) =>
      upstream.revoke?.(grant, signal()) ?? Promise.reject(new Error("none"));
    test("deletes the token", async () => {
      await revoke({ access: "t1" });
      expect(lines()).toEqual([remove]);
      expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ access_token: "t1" });
    });
    test.each([404, 422])("of a token that is gone is done (%i)", async (status) => {
      respond(remove, {}, status);
      await expect(revoke({ access: "t1" })).resolves.toBeUndefined();
    });
    test.each([
      [401, "refuses_us"],
      [403, "refuses_us"],
      [200, "answer"],
      [500, "down"],
    ])("fails with status %i", async (status, failure) => {
      respond(remove, {}, status);
      expect(await failureOf(revoke({ access: "t1" }))).toBe(failure);
    });
    test("of a refresh token that is gone is done, without a request for nothing", async () => {
      respond(exchange, { error: "bad_refresh_token" });
      await expect(revoke({ refresh: "r1" })).resolves.toBeUndefined();
      expect(lines()).toEqual([exchange]);
    });
    test("waits for GitHub where it is down", async () => {
      respond(exchange, {}, 503);
      expect(await failureOf(revoke({ refresh: "r1" }))).toBe("down");
    });
  });
});
