import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import { quote, quoteList } from "../shared/quote.ts";
import {
  type Effect,
  isOpen,
  passesWithoutKey,
  type ReadableEntry,
  readsWildcards,
} from "./effect.ts";

/** Keys whose value is a field of the ARN of the resource. */
const fields = {
  "aws:requestedregion": { name: "region", word: "Region", form: /^[a-z]{2,3}(?:-[a-z]+)+-\d$/ },
  "aws:resourceaccount": { name: "account", word: "account", form: /^\d{12}$/ },
} as const;

/** Calls in one Region on a resource of another one: copies, replicas, peerings. */
const acrossRegions = /copy|replica|restore|accept|peering|import|global|transfer|migrat/i;

/**
 * A test of the Region or the account of the resource that no ARN of the statement meets.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-requestedregion
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-resourceaccount
 */
export function refusesItsArns(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  const field =
    keyLower === "aws:requestedregion" || keyLower === "aws:resourceaccount"
      ? fields[keyLower]
      : null;
  if (!field || operator.base.type !== "String" || values.length === 0) return null;
  if (operator.setPrefix !== null || operator.base.name.includes("IgnoreCase")) return null;
  // The IAM user guide has the account in the ARN and in a negated test of a Deny: a second line of defence.
  if (passesWithoutKey(entry) || operator.base.negated) return null;
  const texts = values.map(({ text }) => text);
  const isPattern = readsWildcards(entry);
  if (texts.some((text) => isOpen(text) || (hasWildcard(text) && !isPattern))) return null;
  const { resources, actions } = statement;
  if (resources.length === 0 || actions.length === 0) return null;
  if (actions.some(({ text }) => acrossRegions.test(text))) return null;
  const named = resources.map(({ text }) => splitArn(text)?.[field.name] ?? "");
  if (!named.every((text) => field.form.test(text))) return null;
  const matches = (one: string) =>
    texts.some((text) => (isPattern ? globMatches(text, one) : text === one));
  if (named.some(matches)) return null;
  const found = [...new Set(named)];
  return {
    kind: "never",
    entry,
    reason: `The ${found.length === 1 ? `resource is of the ${field.word}` : `resources are of the ${field.word}s`} ${quoteList(found, 3)}, and ${quote(operatorText)} on ${quote(key)} asks for ${quoteList(texts, 3)}.`,
    suggestion: `Name the same ${field.word} in the ARN and in the condition.`,
  };
}
