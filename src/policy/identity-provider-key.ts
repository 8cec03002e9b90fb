import { editDistance } from "../edit-distance.ts";
import { sharedIssuers, sharedProvider } from "./oidc-providers.ts";

const domainLabel = /^[A-Za-z0-9-]+$/;
/** Claims of a web identity token that STS supports as condition keys for every provider. */
const claims: ReadonlySet<string> = new Set(["aud", "sub", "oaud", "amr"]);

/** A condition key of a web identity provider. */
export interface IdentityProviderKey {
  /** Domain name, with the provider's path if it has one: `oidc.eks.us-east-1.amazonaws.com/id/A1`. */
  readonly provider: string;
  /** Lower case. */
  readonly claim: string;
}

/**
 * Parses `<provider>:<claim>`, the claim in any letter case.
 * @returns null if the claim is unknown, or the provider is not a domain name.
 */
export function identityProviderKey(key: string): IdentityProviderKey | null {
  // Keys of AWS's own services have no domain.
  if (!key.includes(".")) return null;
  const colon = key.lastIndexOf(":");
  const claim = key.slice(colon + 1).toLowerCase();
  const provider = key.slice(0, colon);
  if (!claims.has(claim) && !identifiesTenant(provider, claim)) return null;
  return looksLikeDomain(provider) ? { provider, claim } : null;
}

/**
 * Providers with many customers, and how far a name may be from theirs to be a slip: short names have real neighbours. So do
 * those with a path, which belong to one customer. That of Cognito has names in China and AWS GovCloud that are more than three
 * edits away.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc_secure-by-default.html and
 * https://docs.aws.amazon.com/cognito/latest/developerguide/iam-roles.html
 */
const knownProviders: readonly string[] = [
  ...sharedIssuers.filter((issuer) => !issuer.includes("/")),
  "accounts.google.com",
  "graph.facebook.com",
];

function slipsIn({ length }: string): number {
  if (length >= 24) return 3;
  return length >= 16 ? 2 : 0;
}

const isKnown: ReadonlySet<string> = new Set(knownProviders);

/** @returns the provider that is meant by a name within some edits of it, such as `cognito-identity.amazon.com`. */
export function misspeltProvider(provider: string): string | null {
  const lower = provider.toLowerCase();
  if (isKnown.has(lower) || lower.includes("/")) return null;
  const meant = knownProviders.find((name) => {
    const most = slipsIn(name);
    return Math.abs(lower.length - name.length) <= most && editDistance(lower, name) <= most;
  });
  return meant ?? null;
}

/** @returns the claim of a provider with many customers that is meant by one of a misspelt provider. */
export function misspeltClaim(key: string): string | null {
  if (!key.includes(".")) return null;
  const colon = key.lastIndexOf(":");
  const provider = misspeltProvider(key.slice(0, Math.max(0, colon)));
  if (provider === null) return null;
  const meant = `${provider}:${key.slice(colon + 1)}`;
  return identityProviderKey(meant) === null ? null : meant;
}

/** Claims with which vendors tell their customers apart; the service reference lists some of them only. */
function identifiesTenant(provider: string, claim: string): boolean {
  return sharedProvider(provider)?.tenantClaims?.includes(claim) ?? false;
}

/** @returns whether the text is at least two labels joined by dots, perhaps with a path behind. */
function looksLikeDomain(text: string): boolean {
  const slash = text.indexOf("/");
  const labels = (slash < 0 ? text : text.slice(0, slash)).split(".");
  return labels.length >= 2 && labels.every((label) => domainLabel.test(label));
}
