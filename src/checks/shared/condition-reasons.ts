import type { Statement } from "../../policy/model.ts";
import type { Openness } from "./admits-everyone.ts";
import type { ReadEntry } from "./condition-limits.ts";
import { quote } from "./quote.ts";

const opennessReasons: Readonly<Record<Openness, string>> = {
  "any value": "matches every value",
  "any address": "holds for nearly every public address",
  "any organization": "matches every organization",
  "any account": "matches every account",
  "ARN of any account":
    "leaves the account open, and anyone can use that name in an account of their own",
  "any principal id": "matches the session name of anyone",
};

/** @returns one sentence on why an entry of a condition does not limit who is let in. */
export function reasonOf(
  { entry, isNull, negated, passesWhenAbsent, openness, optional }: ReadEntry,
  { denies }: Statement,
): string {
  const name = `The test ${quote(entry.operatorText)} on ${quote(entry.key)}`;
  if (isNull) return `${name} asks only whether the key is there.`;
  if (negated && !denies) return `${name} lets every other value pass.`;
  if (openness) return `${name} ${opennessReasons[openness]}.`;
  if (passesWhenAbsent || optional) return `${name} also holds for requests without the key.`;
  return `${name} does not limit who is let in.`;
}
