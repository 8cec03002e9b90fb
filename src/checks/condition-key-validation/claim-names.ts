import type { Report } from "../../engine/check.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { Statement } from "../../policy/model.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import type { InvalidKey } from "./invalid-key.ts";

const marker = ":oidc-provider/";

/** The OIDC providers that the statement lets in, as keys name them. */
function providersOf({ principals }: Statement): readonly string[] {
  return principals.flatMap(({ type, text }) => {
    if (type !== "Federated") return [];
    const at = text.indexOf(marker);
    if (at >= 0) return [text.slice(at + marker.length).replace(/^https?:\/\//i, "")];
    return text.includes(":") ? [] : [text];
  });
}

/**
 * What to write in place of a claim of the statement's own provider: the action whose requests carry claims, or the name
 * of the provider without what is in front of it, `https://` or the rest of its ARN.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
 */
export function claimAdvice(
  { entry, action, statement }: InvalidKey,
  isGroup: boolean,
): Pick<Report, "suggestion" | "correction" | "fix"> | null {
  const own = providersOf(statement).map((name) => name.toLowerCase());
  const read = identityProviderKey(entry.key);
  if (read && own.includes(read.provider.toLowerCase()) && action) {
    return /^sts:AssumeRole$/i.test(action.entry.text)
      ? {
          suggestion:
            "Write `sts:AssumeRoleWithWebIdentity`, whose requests carry the claims of the provider.",
        }
      : null;
  }
  const [front = ""] = /^(?:arn:[^/]*:oidc-provider\/)?(?:https?:\/\/)?/i.exec(entry.key) ?? [];
  const rest = entry.key.slice(front.length);
  const meant = front === "" ? null : identityProviderKey(rest);
  if (!meant || !own.includes(meant.provider.toLowerCase())) return null;
  return {
    suggestion: `Begin the key with the name of the provider: write ${quote(rest)}${isGroup ? ", and the others alike" : ""}.`,
    ...(isGroup
      ? {}
      : fixedBy(() => correctedEntry(statement, entry, { key: rest }), {
          title: "Begin the key with the name of the provider",
          effect: "repairs",
        })),
  };
}
