import * as oauth from "oauth4webapi";
import { z } from "zod";
import type { ProviderGrant } from "../../../spec/login.ts";
import type { Identity } from "../../auth/identity.ts";
import { tryParseJson } from "../../json/parse.ts";
import { type Calls, UpstreamError } from "./calls.ts";
import { redeemCode, refreshTokens, type UpstreamClient } from "./oauth.ts";
import type { UpstreamOptions } from "./options.ts";
import type { Upstream } from "./upstream.ts";

const server = {
  issuer: "https://github.com/login/oauth",
  authorization_endpoint: "https://github.com/login/oauth/authorize",
  token_endpoint: "https://github.com/login/oauth/access_token",
};
const api = "https://api.github.com";

/** An access token of an app with expiring tokens is used as long as this much of it is left. */
const leastLeftS = 15 * 60;

const TokenCheck = z.looseObject({
  app: z.looseObject({ client_id: z.string() }),
  user: z.looseObject({ id: z.int(), login: z.string() }),
});
const Membership = z.looseObject({ state: z.string() });

/**
 * People log in at GitHub, which is not an OpenID provider: identity is what the token check says.
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @see https://docs.github.com/rest/apps/oauth-applications (check and delete a token)
 */
export function githubUpstream(options: UpstreamOptions): Upstream {
  const { context, settings, client, callback, calls } = options;
  const github: UpstreamClient = {
    server,
    client: { client_id: client.id },
    authentication: oauth.ClientSecretPost(client.secret),
    callback,
    calls,
    normalize: errorStatus,
  };
  const tokens = tokenApi(calls, client);

  const identify = async (token: string, signal: AbortSignal): Promise<Identity | "unknown"> => {
    const user = await tokens.check(token, signal);
    if (user === "unknown") return user;
    const groups = await memberships(calls, settings.groups, user.login, token, signal);
    return { subject: user.id, clientId: user.id, scopes: [], login: user.login, groups };
  };
  const grantOf = (response: oauth.TokenEndpointResponse): ProviderGrant => {
    const { access_token: access, refresh_token: refresh, expires_in } = response;
    if (expires_in === undefined) return { access };
    const access_end = Math.floor(context.now() / 1000 + expires_in);
    return refresh === undefined ? { access, access_end } : { access, access_end, refresh };
  };
  /** A token with time left, got anew where GitHub lets it expire. */
  const current = async (grant: ProviderGrant, signal: AbortSignal) => {
    const { access, access_end, refresh } = grant;
    const leftS = (access_end ?? Number.POSITIVE_INFINITY) - context.now() / 1000;
    if (access !== undefined && (leftS >= leastLeftS || refresh === undefined)) {
      return { access, grant };
    }
    if (refresh === undefined) throw new UpstreamError("grant");
    const response = await refreshTokens(github, refresh, {}, signal);
    return { access: response.access_token, grant: grantOf(response) };
  };

  return {
    name: "GitHub",
    // GitHub does not document `iss`, has sent it and withdrawn it; there is one provider here, so nothing can be mixed up.
    acceptsIssuer: () => true,
    async authorizationUrl({ state, verifier }) {
      const url = new URL(server.authorization_endpoint);
      const parameters = {
        client_id: client.id,
        redirect_uri: callback,
        response_type: "code",
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        // The token of an OAuth app without scopes sees no private membership.
        ...(settings.groups.length > 0 && { scope: "read:org" }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async redeem({ code, verifier }, signal) {
      const response = await redeemCode(github, { code, verifier, nonce: undefined }, signal);
      const identity = await identify(response.access_token, signal);
      if (identity === "unknown") throw new UpstreamError("answer");
      return { identity, grant: grantOf(response) };
    },
    async refresh(before, _nonce, signal) {
      const { access, grant } = await current(before, signal);
      const identity = await identify(access, signal);
      if (identity === "unknown") throw new UpstreamError("grant");
      return { identity, grant };
    },
    async revoke(before, signal) {
      const { access } = await current(before, signal).catch((error: unknown) => {
        const isGone = error instanceof UpstreamError && error.failure === "grant";
        if (!isGone) throw error;
        return { access: undefined };
      });
      if (access !== undefined) await tokens.remove(access, signal);
    },
  };
}

/** GitHub answers errors with status 200; the library goes by the status, as RFC 6749, 5.2 has it. */
async function errorStatus(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await response.text();
  const { headers } = response;
  const isError = z.looseObject({ error: z.string() }).safeParse(tryParseJson(text)).success;
  return new Response(text, { status: isError ? 400 : 200, headers });
}

const apiHeaders = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
};

/** What an app may ask about tokens it gave out, with its own credentials. */
function tokenApi(calls: Calls, { id, secret }: { id: string; secret: string }) {
  const send = (method: string, token: string, signal: AbortSignal) =>
    calls.fetch(`${api}/applications/${encodeURIComponent(id)}/token`, {
      method,
      signal,
      headers: {
        ...apiHeaders,
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ access_token: token }),
    });
  return {
    async check(token: string, signal: AbortSignal) {
      const response = await send("POST", token, signal);
      const { status } = response;
      if (status === 404 || status === 422) return "unknown";
      if (status === 401 || status === 403) throw new UpstreamError("refuses_us");
      const check = TokenCheck.safeParse(tryParseJson(await response.text()));
      if (status !== 200 || !check.success) throw new UpstreamError("answer");
      const { app, user } = check.data;
      if (app.client_id !== id) throw new UpstreamError("answer");
      return { id: String(user.id), login: user.login };
    },
    async remove(token: string, signal: AbortSignal) {
      const { status } = await send("DELETE", token, signal);
      if (status === 401 || status === 403) throw new UpstreamError("refuses_us");
      if (![204, 404, 422].includes(status)) throw new UpstreamError("answer");
    },
  };
}

/**
 * Which of the organisations and teams the person is an active member of.
 * @see https://docs.github.com/rest/orgs/members and https://docs.github.com/rest/teams/members
 */
async function memberships(
  calls: Calls,
  groups: readonly string[],
  login: string,
  token: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const headers = { ...apiHeaders, authorization: `Bearer ${token}` };
  const isMember = async (group: string): Promise<boolean> => {
    const [org = "", team] = group.split("/").map(encodeURIComponent);
    const path =
      team === undefined
        ? `/user/memberships/orgs/${org}`
        : `/orgs/${org}/teams/${team}/memberships/${encodeURIComponent(login)}`;
    const response = await calls.fetch(api + path, { headers, signal });
    // 403: single sign-on has not been passed, or the organisation has not approved the app.
    if (response.status === 404 || response.status === 403) return false;
    const membership = Membership.safeParse(tryParseJson(await response.text()));
    if (response.status !== 200 || !membership.success) throw new UpstreamError("answer");
    return membership.data.state === "active";
  };
  const found = await Promise.all(
    groups.map(async (group) => ((await isMember(group)) ? group : undefined)),
  );
  return found.filter((group) => group !== undefined);
}
