import { openCondition } from "../shared/condition-texts.ts";
import { type OpenValue, openSubject } from "../shared/open-subject.ts";
import { accountInput, input } from "../shared/placeholders.ts";
import { standardValueOf } from "./conditions.ts";
import { cognito, licenseIssuer } from "./providers.ts";

/** https://docs.aws.amazon.com/cognito/latest/developerguide/role-trust-and-permissions.html */
const identityPool = input(
  "identity-pool-id",
  "Id of the identity pool whose users may assume the role",
  "us-east-1:11111111-2222-3333-4444-555555555555",
);

/** @returns what to compare a claim with: a standard value, the vendor's form, or a placeholder. */
export function openClaim(key: string): OpenValue {
  const standard = standardValueOf(key);
  if (standard !== undefined) return { value: standard, needs: [] };
  if (/^(?:aws|sts):/i.test(key)) {
    const open = openCondition({ condition_key: key, operator: "StringEquals" });
    const [asked] = open?.needs ?? [];
    if (asked) return { value: asked.placeholder, needs: [asked] };
  }
  if (key === `${cognito}:aud`) return { value: identityPool.placeholder, needs: [identityPool] };
  if (key === licenseIssuer) {
    const value = `aws:license-manager:token-issuer-account-id:${accountInput.placeholder}`;
    return { value, needs: [accountInput] };
  }
  const colon = key.lastIndexOf(":");
  const claim = key.slice(colon + 1);
  if (claim === "sub") return openSubject(key.slice(0, colon));
  const asked =
    claim === "aud"
      ? input("audience", "The client id that the provider gave you", "example-client-id")
      : input("claim-value", `The value of the claim ${claim}`, "example-value");
  return { value: asked.placeholder, needs: [asked] };
}
