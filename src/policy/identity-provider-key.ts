import { editDistance } from "../edit-distance.ts";
import { sharedProvider } from "./oidc-providers.ts";

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
 * The provider of AWS's identity pools. China and AWS GovCloud have names of their own, more than three edits away.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/iam-roles.html
 */
const cognito = "cognito-identity.amazonaws.com";

/** @returns the provider that is meant by a name within three edits of it, such as `cognito-identity.amazon.com`. */
export function misspeltProvider(provider: string): string | null {
  const lower = provider.toLowerCase();
  if (lower === cognito || Math.abs(lower.length - cognito.length) > 3) return null;
  return editDistance(lower, cognito) <= 3 ? cognito : null;
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
