import { splitArn } from "../../policy/arn.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";
import { isSourceKey } from "./key-facts.ts";

/** Tests of the account and of the ARN of a source that no source meets together. */
export function* ofSources(entries: readonly ReadableEntry[]): Iterable<Effect> {
  const account = entries.find(
    ({ keyLower, operator }) => keyLower === "aws:sourceaccount" && operator.base.type !== null,
  );
  const required = entries.find(
    (entry) =>
      entry.keyLower === "aws:sourcearn" &&
      entry.operator.base.type !== null &&
      !entry.operator.base.negated &&
      !passesWithoutKey(entry),
  );
  if (!account || !required || account.values.length === 0 || required.values.length === 0) return;
  const named = new Set(account.values.map(({ text }) => text));
  const owners = required.values.map(({ text }) => splitArn(text)?.account ?? "");
  if (account.operator.base.negated) {
    if (!owners.every((owner) => named.has(owner))) return;
    yield {
      kind: "never",
      entry: account,
      reason: `${quote(required.key)} requires a resource of an account that ${quote(account.operatorText)} on ${quote(account.key)} excludes.`,
      suggestion: "Require the account with a positive operator, or remove the entry.",
    };
    return;
  }
  const areFixed = [...named, ...owners].every((text) => /^[0-9]{12}$/.test(text));
  if (!areFixed || passesWithoutKey(account) || owners.some((owner) => named.has(owner))) return;
  yield {
    kind: "never",
    entry: account,
    reason: `${quote(required.key)} requires a resource of the account ${quote(owners[0] ?? "")}, and ${quote(account.key)} requires one of ${quote(account.values[0]?.text ?? "")}.`,
    suggestion: "Write the account of the resource in both.",
  };
}

/**
 * A source that has to be there, in requests that no service makes: only the calls of services have the key.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-sourceaccount
 */
export function* ofSourcesOfOthers(entries: readonly ReadableEntry[]): Iterable<Effect> {
  const others = entries.find(
    ({ keyLower, operator, values }) =>
      keyLower === "aws:principalisawsservice" &&
      operator.base.type === "Bool" &&
      switchValue(values) === false,
  );
  const source = entries.find((entry) => isSourceKey(entry.keyLower) && demandsKey(entry));
  if (!others || !source) return;
  yield {
    kind: "never",
    entry: others,
    reason: `${quote(source.operatorText)} asks for ${quote(source.key)}, which only calls of AWS services have, and ${quote(others.key)} leaves these out.`,
    suggestion: `Write \`"Bool": {"aws:PrincipalIsAWSService": "true"}\`.`,
  };
}

function demandsKey(entry: ReadableEntry): boolean {
  const { operator, values } = entry;
  if (values.length === 0) return false;
  if (operator.base.name === "Null") {
    return switchValue(values) === false;
  }
  return !operator.base.negated && !passesWithoutKey(entry);
}
