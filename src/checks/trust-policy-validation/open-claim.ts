import { openCondition } from "../shared/condition-texts.ts";
import { type OpenValue, openSubject } from "../shared/open-subject.ts";
import { input } from "../shared/placeholders.ts";
import { standardValueOf } from "./conditions.ts";

/** @returns what to compare a claim with: a standard value, the vendor's form, or a placeholder. */
export function openClaim(key: string): OpenValue {
  const standard = standardValueOf(key);
  if (standard !== undefined) return { value: standard, needs: [] };
  if (/^(?:aws|sts):/i.test(key)) {
    const open = openCondition({ condition_key: key, operator: "StringEquals" });
    const [asked] = open?.needs ?? [];
    if (asked) return { value: asked.placeholder, needs: [asked] };
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
