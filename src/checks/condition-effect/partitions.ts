import type { Policy, Statement } from "../../policy/model.ts";
import { partitionIn, policyPartition } from "../shared/policy-partition.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, isReadable, passesWithoutKey, type ReadableEntry } from "./effect.ts";

/** Keys with the ARN of who calls, or for whom. */
const ofCallers: ReadonlySet<string> = new Set(["aws:sourcearn", "aws:principalarn"]);

/**
 * Domains of the sign-in endpoints of a partition.
 * https://docs.aws.amazon.com/general/latest/gr/signin-service.html
 */
const signIn: Readonly<Record<string, string>> = {
  aws: "aws.amazon.com",
  "aws-cn": "amazonaws.cn",
  "aws-us-gov": "amazonaws-us-gov.com",
  "aws-eusc": "amazonaws-eusc.eu",
};

/** Tests for callers or sign-ins of another partition than that of the policy. */
export function* otherPartitions(statement: Statement, policy: Policy): Iterable<Effect> {
  for (const entry of statement.conditions) {
    if (!isReadable(entry) || entry.values.length === 0 || entry.operator.base.type === null)
      continue;
    if (!entry.operator.base.negated && passesWithoutKey(entry)) continue;
    if (ofCallers.has(entry.keyLower)) yield* ofArns(entry, policy);
    else if (entry.keyLower === "saml:aud") yield* ofSignIn(entry, statement);
  }
}

function* ofArns(entry: ReadableEntry, policy: Policy): Iterable<Effect> {
  const own = policyPartition(policy);
  if (!own) return;
  const [first, ...others] = entry.values.map(({ text }) => partitionIn(text));
  if (!first || first === own.name) return;
  if (others.some((one) => one === null || one === own.name)) return;
  const callers = entry.keyLower === "aws:sourcearn" ? "Sources" : "Callers";
  yield effect(
    entry,
    `The ${own.by} of the policy are in the partition ${quote(own.name)}, and ${quote(entry.key)} is compared with an ARN of ${quote(first)}. ${callers} are in the same partition.`,
    `Write ${quote(`arn:${own.name}:…`)} where that is meant.`,
  );
}

function* ofSignIn(entry: ReadableEntry, { principals }: Statement): Iterable<Effect> {
  const providers = new Set(principals.map(({ text }) => partitionIn(text)));
  const [provider, second] = providers;
  if (!provider || second !== undefined || !Object.hasOwn(signIn, provider)) return;
  const own = signIn[provider] ?? "";
  const domains = entry.values.map(({ text }) =>
    Object.values(signIn).find((one) => text.includes(`signin.${one}/`)),
  );
  const [first] = domains;
  if (first === undefined || domains.some((one) => one === undefined || one === own)) return;
  yield effect(
    entry,
    `The identity provider is in the partition ${quote(provider)}, whose sign-in endpoint is ${quote(`signin.${own}`)}, and ${quote(entry.key)} is compared with an address of ${quote(`signin.${first}`)}.`,
    `Write ${quote(`https://signin.${own}/saml`)}.`,
  );
}

function effect(entry: ReadableEntry, reason: string, suggestion: string): Effect {
  return { kind: entry.operator.base.negated ? "always" : "never", entry, reason, suggestion };
}
