import type { Scope } from "../../spec/scopes.ts";
import { bearerToken } from "./bearer.ts";
import type { Authenticator } from "./caller.ts";
import { callerOf, type Identity, type Verdict } from "./identity.ts";
import { lackingScopes, type ScopeTest } from "./required-scopes.ts";

/** How the providers of bearer tokens differ. */
export interface BearerScheme {
  readonly provider: string;
  /** @param from Network of the request; each has a share of the requests that wait for the provider. */
  verify(token: string, from?: string): Promise<Verdict>;
  readonly requiredScopes: readonly string[];
  /** Scopes named to clients in addition to the required ones. */
  readonly advertisedScopes: readonly string[];
  readonly scopeTest?: ScopeTest | undefined;
  /** Scopes of this server that the scope map adds. */
  readonly grants?: (identity: Identity) => readonly Scope[];
  readonly metadata?: Authenticator["metadata"];
  readonly stepUp: boolean;
}

/** Authenticates a bearer token: header, token, required scopes. All providers of bearer tokens use it. */
export function bearerAuthenticator(scheme: BearerScheme): Authenticator {
  const { provider, requiredScopes, advertisedScopes, metadata, stepUp } = scheme;
  return {
    provider,
    challengeScopes: [...new Set([...requiredScopes, ...advertisedScopes])],
    requiredScopes,
    stepUp,
    metadata,
    async authenticate({ headers, from }) {
      const presented = bearerToken(headers);
      if ("refusal" in presented) return presented;
      const verdict = await scheme.verify(presented.token, from);
      if ("refused" in verdict) {
        return { refusal: { kind: "invalid_token", description: verdict.refused } };
      }
      const caller = callerOf(verdict.identity, scheme.grants?.(verdict.identity));
      const refusal = lackingScopes(caller, requiredScopes, scheme.scopeTest);
      return refusal ? { refusal } : { caller };
    },
  };
}
