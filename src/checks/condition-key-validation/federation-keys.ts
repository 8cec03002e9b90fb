import type { Report } from "../../engine/check.ts";
import {
  identityProviderKey,
  misspeltClaim,
  misspeltProvider,
} from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import type { CountingAction } from "../shared/counting-actions.ts";
import { quote } from "../shared/quote.ts";
import type { InvalidKey } from "./invalid-key.ts";

/**
 * Claims of a sign-in that stay with the session, by provider, so that requests for any action carry
 * them. `saml:iss`, `saml:aud` and `saml:doc` do not stay.
 * Source, read 2026-11-22:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html
 */
const samlKeys: ReadonlySet<string> = new Set(["saml:namequalifier", "saml:sub", "saml:sub_type"]);
const claimsOfProvider: Readonly<Record<string, readonly string[]>> = {
  "www.amazon.com": ["app_id", "sub", "user_id"],
  "accounts.google.com": ["aud", "sub"],
  "graph.facebook.com": ["app_id", "id"],
};
const otherClaims: ReadonlySet<string> = new Set(["amr", "aud", "sub"]);

/** @returns whether a session that began with a federated sign-in has the key. */
export function isFederationSessionKey(key: string): boolean {
  const lower = key.toLowerCase();
  if (samlKeys.has(lower)) return true;
  // All others begin with a domain.
  if (!lower.includes(".")) return false;
  const colon = lower.lastIndexOf(":");
  const provider = lower.slice(0, Math.max(0, colon));
  if (Object.hasOwn(claimsOfProvider, provider)) {
    return claimsOfProvider[provider]?.includes(lower.slice(colon + 1)) ?? false;
  }
  const claim = identityProviderKey(key);
  return claim !== null && otherClaims.has(claim.claim) && misspeltProvider(provider) === null;
}

/**
 * Claims that tell the tenants of shared providers apart and that the reference does not list.
 * Whether STS offers them as keys is not documented, so they are not reported.
 * https://docs.github.com/en/actions/reference/security/oidc
 * https://docs.gitlab.com/ci/secrets/id_token_authentication
 * https://buildkite.com/docs/pipelines/security/oidc/aws
 */
const tenantClaims =
  /^[a-z0-9.-]+\.[a-z]+(?:\/[^:]*)?:(?:repository_owner|enterprise|project_path|namespace_path|organization_id|organization_slug)$/;

/** @returns whether the key is such a claim, and the statement lets a web identity in. */
export function isTenantClaim(key: string, counting: readonly CountingAction[]): boolean {
  return tenantClaims.test(key.toLowerCase()) && letsWebIdentityIn(counting);
}

function letsWebIdentityIn(counting: readonly CountingAction[]): boolean {
  return counting.some(({ actions }) =>
    actions.some(({ qualified }) => qualified === "sts:AssumeRoleWithWebIdentity"),
  );
}

/**
 * A claim of a provider that is nearly one with many customers, in a statement for sign-ins with a token: it takes claims of any
 * provider. A trust policy names the provider it lets in, with which `trust_policy_validation` compares the claims.
 */
export function otherProvidersClaim(
  entry: ConditionEntry,
  statement: Statement,
  counting: readonly CountingAction[],
): InvalidKey | null {
  if (misspeltClaim(entry.key) === null || !letsWebIdentityIn(counting)) return null;
  const provider = entry.key.slice(0, entry.key.lastIndexOf(":"));
  const why = `a claim of ${quote(provider)}, which is not a known identity provider`;
  return { entry, action: null, effect: statement.effect, statement, why };
}

const federation = /^sts:AssumeRoleWith(?:SAML|WebIdentity)$/;

const requestTag = /^aws:requesttag\//i;

/**
 * A key of the sign-in, or a tag of the session, beside an action that only goes along with it, such as `sts:TagSession`.
 * @returns `known` where it needs no remark, and null where it is no such key.
 */
export function claimBesideFederation(
  { key, keyNode }: ConditionEntry,
  action: CountingAction,
  counting: readonly CountingAction[],
): Report | "known" | null {
  if (action.service.prefix !== "sts") return null;
  const isClaim = identityProviderKey(key) !== null;
  const carried = counting.some(({ actions }) =>
    actions.some(
      (one) =>
        federation.test(one.qualified) &&
        (one.supportsKey(key) || (isClaim && one.name === "AssumeRoleWithWebIdentity")),
    ),
  );
  const goesAlong = action.actions.every(({ name }) =>
    /^(?:TagSession|SetSourceIdentity)$/.test(name),
  );
  if (!goesAlong) return null;
  // One call starts the session, tags it and sets its source identity.
  const isTagged =
    requestTag.test(key) &&
    counting.some(({ actions }) => actions.some((one) => one.supportsKey(key)));
  if (isTagged) return "known";
  if (!carried) return null;
  if (!key.includes(".")) return "known";
  return {
    issue_type: "invalid_condition_key",
    severity: "info",
    field_name: "condition",
    action: action.entry.text,
    condition_key: key,
    node: keyNode,
    message: `AWS's own policy check says that ${quote(action.entry.text)} does not support ${quote(key)}. Beside an \`AssumeRoleWith…\` action the test works: the sign-in carries the key.`,
    suggestion: `To satisfy that check, put ${quote(action.entry.text)} into a statement without this condition.`,
    aws_issue_code: "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
  };
}
