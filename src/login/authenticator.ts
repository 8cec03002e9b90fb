import { bearerToken } from "../auth/bearer.ts";
import type { Authenticator } from "../auth/caller.ts";
import { callerOf } from "../auth/identity.ts";
import { lackingScopes } from "../auth/required-scopes.ts";
import { type AccessTokens, claimsToBeOurs } from "./access-token.ts";
import type { LoginSettings } from "./settings.ts";

/**
 * Accepts access tokens of this server, and tokens of the provider if it issues any for this server.
 * @param providers verifies the provider's own tokens; undefined: they are refused.
 */
export function loginAuthenticator(
  { provider, base, required, advertised }: LoginSettings,
  tokens: AccessTokens,
  providers: Authenticator | undefined,
  stepUp: boolean,
): Authenticator {
  return {
    provider,
    challengeScopes: advertised,
    requiredScopes: required,
    stepUp,
    metadata: { baseUrl: base, authorizationServers: [base] },
    async authenticate(request) {
      const presented = bearerToken(request.headers);
      if ("refusal" in presented) return presented;
      if (!claimsToBeOurs(presented.token)) {
        return providers ? providers.authenticate(request) : { refusal: foreign };
      }
      const verdict = await tokens.verify(presented.token);
      if ("refused" in verdict) {
        return { refusal: { kind: "invalid_token", description: verdict.refused } };
      }
      const caller = callerOf(verdict.identity);
      const refusal = lackingScopes(caller, required);
      return refusal ? { refusal } : { caller };
    },
  };
}

const foreign = {
  kind: "invalid_token",
  description:
    "Login is on, so this server accepts only access tokens that it issued; tokens of the identity provider are not for it.",
} as const;
