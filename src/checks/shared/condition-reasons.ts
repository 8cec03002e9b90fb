import type { Statement } from "../../policy/model.ts";
import { opennessReasons } from "./admits-everyone.ts";
import type { ReadEntry } from "./condition-limits.ts";
import { quote } from "./quote.ts";

/** @returns one sentence on why an entry of a condition does not limit who is let in. */
export function reasonOf(
  { entry, isNull, negated, passesWhenAbsent, openness, optional }: ReadEntry,
  { denies }: Statement,
): string {
  const name = `The test ${quote(entry.operatorText)} on ${quote(entry.key)}`;
  if (isNull) return `${name} asks only whether the key is there.`;
  if (negated && !denies) return `${name} lets every other value pass.`;
  if (openness === "ARN of any account") {
    return `${name} ${opennessReasons[openness]}, and anyone can use that name in their own account.`;
  }
  if (openness) return `${name} ${opennessReasons[openness]}.`;
  if (passesWhenAbsent || optional) return `${name} also holds for requests without the key.`;
  return `${name} does not limit who is let in.`;
}

/** Keys that say something other than who calls, and what that is. */
const beside: readonly (readonly [RegExp, string])[] = [
  [/^aws:securetransport$/, "asks only for an encrypted connection"],
  [/^s3:tlsversion$/, "asks only for an encrypted connection"],
  [/^aws:(?:useragent|referer)$/, "tests a value that the caller chooses"],
  [/^sts:externalid$/, "tests an identifier that is not a secret, not who calls"],
  [/^kms:viaservice$/, "says through which service a call comes, not who makes it"],
  [/^aws:requestedregion$/, "limits the Region, not who calls"],
  [/^aws:principaltag\//, "tests a tag that anyone can give to a principal in their own account"],
  [/^aws:username$/, "tests a name that anyone can use in their own account"],
  [/^aws:multifactorauth/, "asks for MFA, which anyone can use in their own account"],
  [/^aws:vpcsourceip$/, "tests private addresses, which exist in every network"],
  [/^aws:principaltype$/, "tests the type of the caller, not who it is"],
];

/** @returns one sentence on why an entry does not keep strangers out of a statement for everyone. */
export function reasonForCaller(read: ReadEntry, statement: Statement): string {
  if (!read.limiting) return reasonOf(read, statement);
  const { operatorText, key, keyLower } = read.entry;
  const what = beside.find(([pattern]) => pattern.test(keyLower))?.[1] ?? "does not say who calls";
  return `The test ${quote(operatorText)} on ${quote(key)} ${what}.`;
}
