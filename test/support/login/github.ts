import { createHash, randomBytes } from "node:crypto";
import { HttpResponse, http, type JsonBodyType } from "msw";
import { githubClient } from "./variables.ts";

/** GitHub as its documentation describes it, as far as a login needs it; tests change `state` as they go. */
export interface GithubStandIn {
  readonly state: {
    user: { id: number; login: string };
    /** Organisations and teams (`org`, `org/team`) that the person is an active member of. */
    memberships: Set<string>;
    /** A GitHub App with expiring tokens; otherwise an OAuth app. */
    isApp: boolean;
    /** Every answer of GitHub, in place of the real one. */
    failure: (() => Response) | undefined;
  };
  /** `method path`, in order. */
  readonly requests: string[];
  /** Tokens that are good now. */
  readonly tokens: Map<string, { expires: number; app: string }>;
  readonly handlers: ReturnType<typeof http.all>[];
  /** Signs the person in. @returns the address that GitHub sends the browser to. */
  signIn(authorizationUrl: string): URL;
}

const random = (prefix: string) => prefix + randomBytes(18).toString("base64url");

/** @param now Unix time in ms. */
export function githubStandIn(now: () => number = Date.now): GithubStandIn {
  const codes = new Map<string, { challenge: string; redirect: string; expires: number }>();
  const tokens: GithubStandIn["tokens"] = new Map();
  const refreshTokens = new Set<string>();
  const requests: string[] = [];
  const state: GithubStandIn["state"] = {
    user: { id: 583231, login: "octocat" },
    memberships: new Set(),
    isApp: false,
    failure: undefined,
  };

  const issue = () => {
    const access_token = random("gho_");
    const expires = state.isApp ? now() + 28_800_000 : Number.POSITIVE_INFINITY;
    // Ten tokens for one person and app; an eleventh ends the oldest.
    const [oldest] = tokens.keys();
    if (!state.isApp && tokens.size >= 10 && oldest !== undefined) tokens.delete(oldest);
    tokens.set(access_token, { expires, app: githubClient.id });
    if (!state.isApp) return { access_token, token_type: "bearer", scope: "" };
    const refresh_token = random("ghr_");
    refreshTokens.add(refresh_token);
    return {
      access_token,
      token_type: "bearer",
      scope: "",
      expires_in: 28_800,
      refresh_token,
      refresh_token_expires_in: 15_897_600,
    };
  };
  const oauthError = (error: string) => ({
    error,
    error_description: "GitHub says why at length.",
    error_uri: "https://docs.github.com/canary-error-uri",
  });

  const exchange = (form: URLSearchParams): JsonBodyType => {
    const isOurs =
      form.get("client_id") === githubClient.id &&
      form.get("client_secret") === githubClient.secret;
    if (!isOurs) return oauthError("incorrect_client_credentials");
    if (form.get("grant_type") === "refresh_token") {
      const token = form.get("refresh_token") ?? "";
      return refreshTokens.delete(token) ? issue() : oauthError("bad_refresh_token");
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!code || code.expires < now() || code.challenge !== challenge) {
      return oauthError("bad_verification_code");
    }
    if (form.get("redirect_uri") !== code.redirect) return oauthError("redirect_uri_mismatch");
    return issue();
  };
  const isGood = (token: string) => (tokens.get(token)?.expires ?? 0) > now();
  const bearer = (request: Request) => request.headers.get("authorization")?.slice(7) ?? "";
  const basic = `Basic ${Buffer.from(`${githubClient.id}:${githubClient.secret}`).toString("base64")}`;
  const appTokenPath = `https://api.github.com/applications/${githubClient.id}/token`;

  const handlers = [
    http.all(/^https:\/\/(api\.)?github\.com\//, ({ request }) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return state.failure?.();
    }),
    http.post("https://github.com/login/oauth/access_token", async ({ request }) => {
      const answer = exchange(new URLSearchParams(await request.text())) as Record<string, string>;
      // A form, unless the client asks for JSON; and always 200.
      if (request.headers.get("accept")?.includes("application/json"))
        return HttpResponse.json(answer);
      return new HttpResponse(new URLSearchParams(answer).toString(), {
        headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      });
    }),
    http.post(appTokenPath, async ({ request }) => {
      if (request.headers.get("authorization") !== basic)
        return HttpResponse.json({}, { status: 401 });
      const { access_token } = (await request.json()) as { access_token: string };
      if (!isGood(access_token))
        return HttpResponse.json({ message: "Not Found" }, { status: 404 });
      return HttpResponse.json({
        id: 1,
        app: { client_id: tokens.get(access_token)?.app, name: "Validator" },
        scopes: [],
        user: state.user,
      });
    }),
    http.delete(appTokenPath, async ({ request }) => {
      if (request.headers.get("authorization") !== basic)
        return HttpResponse.json({}, { status: 401 });
      const { access_token } = (await request.json()) as { access_token: string };
      const status = tokens.delete(access_token) ? 204 : 422;
      return new HttpResponse(null, { status });
    }),
    http.get("https://api.github.com/user/memberships/orgs/:org", ({ request, params }) => {
      if (!isGood(bearer(request))) return HttpResponse.json({}, { status: 401 });
      const isMember = state.memberships.has(String(params.org));
      return isMember
        ? HttpResponse.json({ state: "active", role: "member" })
        : HttpResponse.json({ message: "Not Found" }, { status: 404 });
    }),
    http.get(
      "https://api.github.com/orgs/:org/teams/:team/memberships/:login",
      ({ request, params }) => {
        if (!isGood(bearer(request))) return HttpResponse.json({}, { status: 401 });
        const isMember = state.memberships.has(`${params.org}/${params.team}`);
        return isMember
          ? HttpResponse.json({ state: "active", role: "member" })
          : HttpResponse.json({ message: "Not Found" }, { status: 404 });
      },
    ),
  ];

  return {
    state,
    requests,
    tokens,
    handlers,
    signIn(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl);
      const code = random("");
      const redirect = searchParams.get("redirect_uri") ?? "";
      const challenge = searchParams.get("code_challenge") ?? "";
      codes.set(code, { challenge, redirect, expires: now() + 600_000 });
      const callback = new URL(redirect);
      callback.searchParams.set("code", code);
      callback.searchParams.set("state", searchParams.get("state") ?? "");
      return callback;
    },
  };
}
