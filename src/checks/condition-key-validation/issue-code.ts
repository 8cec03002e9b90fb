import { lacksTagKey } from "../../access-analyzer/keys.ts";
import type { CheckContext } from "../../engine/check.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import { policyTypeFacts } from "../../policy/type-facts.ts";
import type { InvalidKey } from "./invalid-key.ts";
import { kindOf } from "./wording.ts";

/** Services for whose keys Access Analyzer says that an action does not support them. */
const checkedByAction: ReadonlySet<string> = new Set(["s3", "kms", "dynamodb", "sts"]);

/** @returns the Access Analyzer code that says the same of the key; null when there is none. */
export function codeFor(invalid: InvalidKey, context: CheckContext): string | null {
  const { key, keyLower } = invalid.entry;
  if (!key.includes(":")) return "INVALID_CONDITION_KEY_FORMAT";
  switch (kindOf(keyLower)) {
    case "tag key":
      return /\/./s.test(key) ? null : "MISSING_TAG_KEY_IN_CONDITION";
    case "global":
      return keyLower === "aws:arn"
        ? "UNSUPPORTED_GLOBAL_CONDITION_KEY"
        : "INVALID_GLOBAL_CONDITION_KEY";
    case "request tag":
      return null;
    case "resource tag":
      return unsupportedTag(invalid, context);
    case "service":
      return ofService(key, keyLower, context);
  }
}

/** Access Analyzer is milder: an action that takes request tags counts as supporting tags. */
function unsupportedTag({ entry, action, effect }: InvalidKey, { policy }: CheckContext) {
  const { operator } = entry;
  const compares = operator?.base.name === "StringEquals" || operator?.base.name === "StringLike";
  if (!compares || operator.ifExists) return null;
  const takesTags = action?.actions.some(
    (one) => one.supportsKey("aws:RequestTag/x") || one.supportsKey("aws:TagKeys"),
  );
  if (takesTags) return null;
  const { policyType } = policyTypeFacts[policy.type].accessAnalyzer;
  const identity = policyType === "IDENTITY_POLICY";
  if (effect === "Allow" && identity) return "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE";
  if (effect === "Deny" && (identity || policyType === "SERVICE_CONTROL_POLICY")) {
    return "DENY_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE";
  }
  return null;
}

function ofService(key: string, keyLower: string, { services }: CheckContext): string | null {
  if (identityProviderKey(key)) return "UNSUPPORTED_ACTION_FOR_CONDITION_KEY";
  const prefix = keyLower.slice(0, keyLower.indexOf(":"));
  // Keys of SAML and of providers that define claims belong to no service.
  if (prefix === "saml" || prefix.includes(".")) return null;
  const service = services.get(prefix);
  if (!service) return services.prefixes.includes(prefix) ? null : "INVALID_SERVICE";
  if (!service.conditionKey(key)) {
    return lacksTagKey(service, keyLower)
      ? "MISSING_TAG_KEY_IN_CONDITION"
      : "INVALID_SERVICE_CONDITION_KEY";
  }
  return checkedByAction.has(prefix) ? "UNSUPPORTED_ACTION_FOR_CONDITION_KEY" : null;
}
