import { HttpResponse, http } from "msw";
import { nowS } from "./auth-tokens.ts";

export const tenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
export const azureClient = "11112222-bbbb-3333-cccc-4444dddd5555";
export const googleClient = "407408718192.apps.googleusercontent.com";
export const githubClient = "Iv1.abcdef0123456789";

/** Tokens that only a provider can validate, and static ones: their text says what they are. */
export const opaqueTokens = {
  good: "opaque.good",
  unknown: "opaque.unknown",
  "for another app": "opaque.other-app",
  expired: "opaque.expired",
  "lacking the scope": "opaque.lacking",
  "provider down": "opaque.down",
  "provider limits": "opaque.limited",
  "provider answers nonsense": "opaque.nonsense",
} as const;
/** The providers that live at fixed addresses, answering as their pages show. */
export function providerHandlers(keys: object) {
  const limits = { status: 429, headers: { "retry-after": "30" } };
  const refusals: Partial<Record<string, () => Response>> = {
    [opaqueTokens.unknown]: () => HttpResponse.json({ error: "invalid_token" }, { status: 400 }),
    [opaqueTokens["provider down"]]: () => HttpResponse.json({}, { status: 503 }),
    [opaqueTokens["provider limits"]]: () => new HttpResponse(null, limits),
    [opaqueTokens["provider answers nonsense"]]: () => HttpResponse.json({ hello: "world" }),
  };
  return [
    http.get(`https://login.microsoftonline.com/${tenant}/discovery/v2.0/keys`, () =>
      HttpResponse.json(keys),
    ),
    http.post("https://oauth2.googleapis.com/tokeninfo", ({ request }) => {
      const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
      const refuse = refusals[token];
      if (refuse) return refuse();
      return HttpResponse.json({
        aud: token === opaqueTokens["for another app"] ? "other" : googleClient,
        sub: "110169484474386276334",
        scope: token === opaqueTokens["lacking the scope"] ? "email" : "openid email",
        exp: String(nowS() + (token === opaqueTokens.expired ? -1 : 3_599)),
      });
    }),
    http.post(`https://api.github.com/applications/${githubClient}/token`, async ({ request }) => {
      const { access_token: token } = (await request.json()) as { access_token: string };
      if (token === opaqueTokens.unknown) return HttpResponse.json({}, { status: 404 });
      const refuse = refusals[token];
      if (refuse) return refuse();
      return HttpResponse.json({
        app: { client_id: token === opaqueTokens["for another app"] ? "Iv1.other" : githubClient },
        scopes: token === opaqueTokens["lacking the scope"] ? ["read:org"] : ["user"],
        expires_at: token === opaqueTokens.expired ? "2024-01-01T00:00:00Z" : null,
        user: { id: 583_231, login: "octocat" },
      });
    }),
  ];
}
