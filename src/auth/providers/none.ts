import type { Authenticator } from "../caller.ts";

/** Every caller is `anonymous` and may use every tool. */
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
