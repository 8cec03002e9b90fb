import type { CheckContext } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";

const callerKeys: ReadonlySet<string> = new Set([
  "aws:principalarn",
  "aws:principalaccount",
  "aws:principalorgid",
  "aws:principalorgpaths",
  "aws:principalservicename",
  "aws:principaltype",
  "aws:principalisawsservice",
  "aws:userid",
  "aws:username",
]);

/** @returns whether the key says who calls. */
function isCallerKey(keyLower: string): boolean {
  return callerKeys.has(keyLower) || keyLower.startsWith("aws:principaltag/");
}

/**
 * Whether `principal_validation` reports the `*` among the values of a negated entry: an exemption of
 * callers from a Deny of a policy that has principals.
 */
export function isCarveOutOfPrincipals(
  { operator, keyLower, values }: ConditionEntry,
  statement: Statement,
  { policy, peer }: Pick<CheckContext, "policy" | "peer">,
): boolean {
  return (
    statement.denies &&
    operator?.base.negated === true &&
    policy.type !== "IDENTITY_POLICY" &&
    isCallerKey(keyLower) &&
    values.some(({ text }) => text.trim() === "*") &&
    statement.has("Principal") &&
    peer("principal_validation") !== undefined
  );
}
