import { hasPlaceholder } from "../../policy/arn.ts";
import { type SharedProvider, sharedProvider } from "../../policy/oidc-providers.ts";

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

export const cognito = "cognito-identity.amazonaws.com";
/**
 * For customers of AWS Marketplace sellers who have no AWS account.
 * https://docs.aws.amazon.com/license-manager/latest/userguide/seller-issued-license-requirements.html
 */
const licenseManager = "openid-license-manager.amazonaws.com";
/** The key whose values have the account that issued the token. */
export const licenseIssuer = `${licenseManager}:amr`;

/** Providers that AWS knows by their bare domain, without an ARN. */
const bareProviders: ReadonlyMap<string, BareProvider> = new Map([
  [cognito, { audience: "aud", hasSubject: true }],
  ["accounts.google.com", { audience: "aud", hasSubject: true }],
  ["graph.facebook.com", { audience: "app_id", hasSubject: false }],
  ["www.amazon.com", { audience: "app_id", hasSubject: false }],
  [licenseManager, { audience: "amr", hasSubject: false }],
]);

/**
 * @returns Whether the principal is a provider that is written as a bare domain, without an ARN.
 */
export function isBareProvider(principal: string): boolean {
  return bareProviders.has(principal);
}

/** The part of a claim's key before the colon, and what is special about its owner. */
export interface Provider {
  /** As in the principal; null when a placeholder hides it. */
  readonly name: string | null;
  /** The claim that is used in place of `aud`. */
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
  // For the other shared providers the key that AWS requires is the subject.
  const shared = sharedProvider(name);
  const subject =
    shared && shared.requiredKey !== "sub" ? { key: requiredKeyOf(shared) } : "claims";
  return { name, audience: "aud", subject, lacks: noAmr };
}

function requiredKeyOf({ issuers: [issuer = ""], requiredKey }: SharedProvider): string {
  return requiredKey.includes(":") ? requiredKey : `${issuer}:${requiredKey}`;
}

/**
 * @returns whether the customers of a provider are told apart by the audience, so that a role without
 * a test of it is open to all of them. IAM compares the audience with the client ids of the provider.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_create_oidc.html
 */
export function tenantIsInAudience({ name }: Provider): boolean {
  if (name === null) return true;
  if (bareProviders.has(name)) return true;
  return sharedProvider(name)?.audiencePrefixes !== undefined;
}
