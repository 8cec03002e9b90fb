import type { ConditionEntry } from "../../../policy/model.ts";
import { globMatches, isOnlyWildcards } from "../../../policy/wildcard.ts";
import { isOfForwardedCalls } from "../../condition-effect/key-facts.ts";
import { namesFewAddresses } from "../admits-everyone.ts";
import type { ReadEntry } from "../condition-limits.ts";
import { quote } from "../quote.ts";
import { switchValue } from "../switch-value.ts";

/** A name that no author writes. */
const someName = "\u0001";

/**
 * Why a test keeps hardly any caller out who holds the policy; ends a sentence. Null: it may keep some out.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 */
export function admitsHolders({ entry, negated }: ReadEntry, isIdentity: boolean): string | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  // `IfExists` on these keys is for `condition_effect`.
  if (negated && isOfForwardedCalls(keyLower)) {
    return `${quote(operatorText)} on ${quote(key)} holds for calls that no service makes`;
  }
  if (keyLower === "aws:viaawsservice" && operator?.base.name === "Bool") {
    return switchValue(values) === false
      ? `${quote(key)} asks only that no service calls for the caller`
      : null;
  }
  if (operator?.base.name === "NotIpAddress") {
    return values.length <= mostRanges && namesFewAddresses(entry)
      ? `${quote(operatorText)} holds for all other addresses`
      : null;
  }
  if (!isIdentity || negated) return null;
  const who = holdersMatched(entry);
  return who === null ? null : `${quote(key)} matches every ${who}`;
}

/** Ranges that are counted; a policy that a person writes has fewer. */
const mostRanges = 1000;

/** Users and roles have the account of the policy, so a pattern without a name matches all of them. */
function holdersMatched({ keyLower, operator, values }: ConditionEntry): string | null {
  const base = operator?.base.name ?? "";
  const isPattern = base === "StringLike" || base === "ArnLike" || base === "ArnEquals";
  if (!isPattern) return null;
  if (keyLower === "aws:userid") {
    const matchesAll = (text: string) => {
      const parts = text.split(":");
      return parts.length === 2 && parts.every(isOnlyWildcards);
    };
    return values.some(({ text }) => matchesAll(text)) ? "role session" : null;
  }
  if (keyLower !== "aws:principalarn") return null;
  const matches = (kind: string) =>
    values.some(({ text }) => globMatches(text, arnLike(text, kind)));
  const [roles, users] = [matches("role"), matches("user")];
  if (roles) return users ? "user and role" : "role";
  return users ? "user" : null;
}

/** The ARN of some principal, with the partition and account that the pattern has. */
function arnLike(pattern: string, kind: string): string {
  const [, partition = "", , , account = ""] = pattern.split(":");
  const ownPartition = /^aws[a-z-]*$/.test(partition) ? partition : "aws";
  const ownAccount = /^\d{12}$/.test(account) ? account : "111122223333";
  return `arn:${ownPartition}:iam::${ownAccount}:${kind}/${someName}`;
}
