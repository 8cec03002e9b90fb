import { hasPlaceholder } from "../../policy/arn.ts";

export type ProviderKind = "SAML" | "OIDC";

/** @returns which kind of provider an expression is about. */
export function kindOf(providerPattern: string): ProviderKind {
  return providerPattern.includes("saml-provider") ? "SAML" : "OIDC";
}

interface BareProvider {
  /** Its audience claim. */
  readonly audience: string;
  /** Whether it has a claim that tells its users or tenants apart. */
  readonly hasSubject: boolean;
}

const cognito = "cognito-identity.amazonaws.com";

/** Providers that AWS knows by their bare domain, without an ARN. */
const bareProviders: ReadonlyMap<string, BareProvider> = new Map([
  [cognito, { audience: "aud", hasSubject: true }],
  ["accounts.google.com", { audience: "aud", hasSubject: true }],
  ["graph.facebook.com", { audience: "app_id", hasSubject: false }],
  ["www.amazon.com", { audience: "app_id", hasSubject: false }],
]);

export function isBareProvider(principal: string): boolean {
  return bareProviders.has(principal);
}

/**
 * Shared issuers whose tenant is not in the subject: AWS itself refuses a role that trusts one of
 * them without this key. For its other shared issuers that key is the subject.
 */
const tenantKeys: ReadonlyMap<string, string> = new Map([
  ["oidc.vercel.com", "oidc.vercel.com:aud"],
  ["api.pulumi.com/oidc", "api.pulumi.com/oidc:aud"],
  ["sandboxes.cloud", "sandboxes.cloud:aud"],
  ["sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d", "sts:RoleSessionName"],
]);

/** The part of a claim's key before the colon, and what is special about its owner. */
export interface Provider {
  /** As in the principal; null when a placeholder hides it. */
  readonly name: string | null;
  /** The claim that stands for `aud`. */
  readonly audience: string;
  /** Key asked for instead of the subject; `none`: no subject is asked for. */
  readonly subject: { readonly key: string } | "claims" | "none";
  /** Claims that it never sends; not worth naming. */
  readonly lacks: ReadonlySet<string>;
}

const noAmr: ReadonlySet<string> = new Set(["amr"]);
const nothing: ReadonlySet<string> = new Set();

const arnMarker = ":oidc-provider/";

/** @returns the OIDC provider of a Federated principal; null when it names none. */
export function providerOf(principal: string): Provider | null {
  const at = principal.indexOf(arnMarker);
  if (at < 0 && !isBareProvider(principal)) return null;
  const name = at < 0 ? principal : principal.slice(at + arnMarker.length);
  const bare = bareProviders.get(name);
  if (bare) {
    const subject = bare.hasSubject ? "claims" : "none";
    const lacks = name === cognito ? nothing : noAmr;
    return { name, audience: bare.audience, subject, lacks };
  }
  if (hasPlaceholder(name))
    return { name: null, audience: "aud", subject: "claims", lacks: nothing };
  // Some issuers, Azure's for one, end with a slash, which ARN and keys then keep.
  const tenantKey = tenantKeys.get(name.toLowerCase().replace(/\/$/, ""));
  const subject = tenantKey ? { key: tenantKey } : "claims";
  return { name, audience: "aud", subject, lacks: noAmr };
}

export const gitHubProvider = "token.actions.githubusercontent.com";
