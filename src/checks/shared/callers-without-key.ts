import type { Operator } from "../../policy/condition-operator.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { namesEveryone } from "./named-principals.ts";
import { switchValue } from "./switch-value.ts";

export const mfaKey = "aws:multifactorauthpresent";

/** Keys that say who the caller belongs to. */
const ownerKeys: ReadonlySet<string> = new Set([
  "aws:principalaccount",
  "aws:principalorgid",
  "aws:principalorgpaths",
  "aws:sourceaccount",
  "aws:sourceorgid",
  "aws:sourceorgpaths",
  "kms:calleraccount",
]);

/**
 * Who gets past an Allow whose test also holds without the key, where that defeats the purpose of the key; else null.
 * It completes "this Allow also applies to requests without `key`".
 */
export function withoutKey(
  { keyLower, values }: ConditionEntry,
  { base }: Operator,
  statement: Statement,
): string | null {
  // https://docs.aws.amazon.com/awscloudtrail/latest/userguide/query-event-data-store-integration.html: partners give it
  if (keyLower === "sts:externalid" || keyLower === "cloudtrail:externalid")
    return ": callers who give no external id";
  const required = switchValue(values) === true;
  const isMfa =
    (keyLower === mfaKey && base.name === "Bool" && required) ||
    (keyLower === "aws:multifactorauthage" && base.name.startsWith("NumericLess"));
  if (isMfa) return ", such as those made with long-term access keys and no MFA";
  if (base.negated || !ownerKeys.has(keyLower) || !namesEveryone(statement)) return null;
  return keyLower.startsWith("aws:source")
    ? ", and users and roles of every account never send it"
    : ", so callers from outside are not kept out";
}
