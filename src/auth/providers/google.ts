import { z } from "zod";
import { GoogleMaterial } from "../../../spec/auth-material.ts";
import type { Authenticator } from "../caller.ts";
import { type AuthContext, readMaterial } from "../context.ts";
import { fetchJson, ProviderProblem } from "../http-json.ts";
import type { Verdict } from "../identity.ts";
import { identityProvider } from "../identity-provider.ts";
import { scopesOf } from "../jwt-claims.ts";
import { opaqueTokens, ProviderBusy, retryAfterMs } from "../opaque-tokens.ts";

const tokenInfoUrl = "https://oauth2.googleapis.com/tokeninfo";

/** Google writes numbers and booleans as text here. */
const TokenInfo = z.looseObject({
  aud: z.string(),
  sub: z.string().optional(),
  scope: z.string().optional(),
  exp: z.coerce.number().positive(),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
});

/**
 * Access tokens that Google gave to one OAuth client.
 * @throws {StartupError} `auth_provider`.
 */
export async function createGoogle(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const material = readMaterial(GoogleMaterial, "auth_provider", context);
  return identityProvider(context, material, stepUp, {
    authorizationServers: ["https://accounts.google.com"],
    defaultScopes: ["openid"],
    carriedScopes: [],
    verify: opaqueTokens({
      ...context,
      ask: (token) => askGoogle(token, material.GOOGLE_CLIENT_ID),
    }),
  });
}

async function askGoogle(token: string, clientId: string): Promise<Verdict> {
  // In a header, because addresses end up in logs.
  const { status, headers, body } = await fetchJson(tokenInfoUrl, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  if (status === 429) {
    throw new ProviderBusy("it limits our rate", retryAfterMs(headers) ?? 5_000);
  }
  if (status === 400 || status === 401)
    return { refused: "Google does not know the access token." };
  if (status !== 200) throw new ProviderProblem(`it answered with status ${status}`);
  const info = TokenInfo.safeParse(body);
  if (!info.success) throw new ProviderProblem("its answer has another shape");
  const { aud, sub = "", scope, exp, email, email_verified } = info.data;
  if (aud !== clientId) return { refused: "The access token is for another audience." };
  return {
    identity: {
      subject: sub,
      clientId: sub || aud,
      scopes: scopesOf(scope),
      login: String(email_verified) === "true" ? email : undefined,
      expiresAtMs: exp * 1000,
    },
  };
}
