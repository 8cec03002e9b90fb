import { z } from "zod";
import { GithubMaterial } from "../../../spec/auth-material.ts";
import type { Authenticator } from "../caller.ts";
import { type AuthContext, readMaterial } from "../context.ts";
import { fetchJson, ProviderProblem } from "../http-json.ts";
import type { Verdict } from "../identity.ts";
import { identityProvider } from "../identity-provider.ts";
import { isGithubLimit, opaqueTokens, ProviderBusy, retryAfterMs } from "../opaque-tokens.ts";

const TokenCheck = z.looseObject({
  app: z.looseObject({ client_id: z.string() }),
  scopes: z.array(z.string()).nullish(),
  expires_at: z.string().nullish(),
  user: z.looseObject({ id: z.int(), login: z.string() }),
});

/**
 * Access tokens that GitHub gave to one app. The check needs the app's own credentials and knows its tokens only, so a
 * token of another app does not pass.
 * @throws {StartupError} `auth_provider`.
 */
export async function createGithub(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const material = readMaterial(GithubMaterial, "auth_provider", context);
  const { GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret } = material;
  return identityProvider(context, material, stepUp, {
    authorizationServers: ["https://github.com/login/oauth"],
    defaultScopes: ["user"],
    carriedScopes: [],
    verify: opaqueTokens({ ...context, ask: (token) => askGithub(token, id, secret) }),
  });
}

async function askGithub(token: string, id: string, secret: string): Promise<Verdict> {
  const { status, headers, body } = await fetchJson(
    `https://api.github.com/applications/${encodeURIComponent(id)}/token`,
    {
      method: "POST",
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
        "content-type": "application/json",
        "x-github-api-version": "2022-11-28",
      },
      body: JSON.stringify({ access_token: token }),
    },
  );
  if (status === 404 || status === 422)
    return { refused: "GitHub does not know the access token." };
  if (status === 429 || (status === 403 && isGithubLimit(headers))) {
    throw new ProviderBusy("it limits our rate", retryAfterMs(headers) ?? 60_000);
  }
  if (status === 401) throw new ProviderProblem("it refuses the client id or the client secret");
  if (status !== 200) throw new ProviderProblem(`it answered with status ${status}`);
  const check = TokenCheck.safeParse(body);
  if (!check.success) throw new ProviderProblem("its answer has another shape");
  const { app, user, scopes, expires_at } = check.data;
  if (app.client_id !== id) return { refused: "The access token is for another app." };
  const expiresAtMs = expires_at ? Date.parse(expires_at) : undefined;
  if (Number.isNaN(expiresAtMs)) throw new ProviderProblem("its answer has another shape");
  const subject = String(user.id);
  return {
    identity: { subject, clientId: subject, scopes: scopes ?? [], login: user.login, expiresAtMs },
  };
}
