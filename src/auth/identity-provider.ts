import { advertisedScopes } from "./advertised-scopes.ts";
import { type BearerScheme, bearerAuthenticator } from "./bearer-authenticator.ts";
import type { Authenticator } from "./caller.ts";
import { type AuthContext, commaList } from "./context.ts";
import { publish } from "./discovery.ts";
import type { Verdict } from "./identity.ts";
import { readScopeMap } from "./scope-map.ts";

/** Variables that all six identity providers share, as `readMaterial` gives them. */
export interface SharedMaterial {
  readonly REQUIRED_SCOPES?: string | undefined;
  readonly ADVERTISED_SCOPES?: string | undefined;
  readonly SCOPE_MAP?: string | undefined;
  readonly BASE_URL?: string | undefined;
}

/** What one identity provider adds to the common path. */
export interface IdentityProvider {
  verify(token: string, from?: string): Promise<Verdict>;
  readonly authorizationServers: readonly string[];
  /** Required scopes if `REQUIRED_SCOPES` is not set. */
  readonly defaultScopes: readonly string[];
  /** How clients ask for the scopes of this server; empty where tokens cannot carry them. Default: by name. */
  readonly carriedScopes?: readonly string[];
  readonly scopeTest?: BearerScheme["scopeTest"];
}

/** @returns the public base URL: the setting, else the address of this process where that is known. */
export function baseUrlOf(context: AuthContext, material: SharedMaterial): string | undefined {
  return material.BASE_URL ?? context.defaultBaseUrl;
}

/** Wraps an identity provider as a resource server: its own access tokens are verified, none are issued here. */
export function identityProvider(
  context: AuthContext,
  material: SharedMaterial,
  stepUp: boolean,
  { verify, authorizationServers, defaultScopes, carriedScopes, scopeTest }: IdentityProvider,
): Authenticator {
  const required = commaList(material.REQUIRED_SCOPES);
  const metadata = publish(context, baseUrlOf(context, material), authorizationServers);
  return bearerAuthenticator({
    provider: context.provider,
    verify,
    requiredScopes: required.length > 0 ? required : defaultScopes,
    advertisedScopes: advertisedScopes(material, carriedScopes),
    grants: readScopeMap(material.SCOPE_MAP, context),
    scopeTest,
    metadata,
    stepUp,
  });
}
