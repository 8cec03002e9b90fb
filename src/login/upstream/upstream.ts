import type { ProviderGrant } from "../../../spec/login.ts";
import type { Scope } from "../../../spec/scopes.ts";
import type { Identity } from "../../auth/identity.ts";

/** What the provider says about a person, and its tokens for later requests. */
interface Session {
  readonly identity: Identity;
  readonly grant: ProviderGrant;
}

/** The answer to a refresh; without an identity, the provider said nothing new about the person. */
export interface Renewal {
  readonly identity?: Identity | undefined;
  readonly grant: ProviderGrant;
}

interface AuthorizationRequest {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly scopes: readonly Scope[];
}

interface Redemption {
  readonly code: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** The provider that people log in at, as the front uses it. Failures are `UpstreamError`s. */
export interface Upstream {
  /** Shown to people: "You will sign in with … next." */
  readonly name: string;
  /** Checks `iss` of a callback. */
  acceptsIssuer(issuer: string | undefined): boolean;
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  redeem(redemption: Redemption, signal: AbortSignal): Promise<Session>;
  /** @param nonce of the login: an ID token that has one must have this one. */
  refresh(grant: ProviderGrant, nonce: string, signal: AbortSignal): Promise<Renewal>;
  /** Absent: the provider has no way to end a login. */
  revoke?: (grant: ProviderGrant, signal: AbortSignal) => Promise<void>;
}
