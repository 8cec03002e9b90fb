import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { type Effect, isReadable, passesWithoutKey, type ReadableEntry } from "./effect.ts";

/** Accounts of the principals; null where one of them is no account, user or role. */
function accountsOf({ principals }: Statement): ReadonlySet<string> | null {
  const accounts = new Set<string>();
  for (const { type, text } of principals) {
    const account = /^(?:arn:[^:]*:(?:iam|sts)::)?([0-9]{12})(?::|$)/.exec(text)?.[1];
    if (type !== "AWS" || account === undefined) return null;
    accounts.add(account);
  }
  return accounts.size === 0 ? null : accounts;
}

function accountOf({ keyLower }: ReadableEntry, text: string): string {
  return keyLower === "aws:principalarn" ? (splitArn(text)?.account ?? "") : text;
}

/**
 * A test that asks for callers of other accounts than the principals: a caller is in the account of its ARN.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalaccount
 */
export function* callersOfOthers(statement: Statement): Iterable<Effect> {
  const accounts = accountsOf(statement);
  if (!accounts) return;
  for (const entry of statement.conditions) {
    if (entry.keyLower !== "aws:principalarn" && entry.keyLower !== "aws:principalaccount")
      continue;
    if (!isReadable(entry) || passesWithoutKey(entry) || entry.values.length === 0) continue;
    const { base } = entry.operator;
    if (base.type === null || base.negated) continue;
    const wanted = entry.values.map(({ text }) => accountOf(entry, text));
    if (!wanted.every((one) => /^[0-9]{12}$/.test(one) && !accounts.has(one))) continue;
    yield {
      kind: "never",
      entry,
      reason: `The principals of the statement are of the account ${quoteList([...accounts], 3)}, and ${quote(entry.key)} requires callers of ${quote(wanted[0] ?? "")}.`,
      suggestion:
        "Write the account of the principals, or name the callers that are meant in `Principal`.",
    };
  }
}
