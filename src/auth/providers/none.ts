import type { Authenticator } from "../caller.ts";

/** Everyone is `anonymous` and may everything. */
export function createNone(): Authenticator {
  const caller = { subject: "anonymous", clientId: "anonymous", scopes: [], may: () => true };
  return {
    provider: "none",
    challengeScopes: [],
    requiredScopes: [],
    stepUp: false,
    async authenticate() {
      return { caller };
    },
  };
}
