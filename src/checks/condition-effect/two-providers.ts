import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { Statement } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";

/**
 * Claims of two identity providers that one request must have: a token comes from one provider, and its claims are keys
 * with the name of that one.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
 */
export function* ofProviders(
  entries: readonly ReadableEntry[],
  { principals }: Statement,
): Iterable<Effect> {
  if (!principals.some(({ type }) => type === "Federated")) return;
  const required = entries.flatMap((entry) => {
    const { operator, key, values } = entry;
    const claim = identityProviderKey(key);
    const isNeeded = operator.base.type !== null && !operator.base.negated && values.length > 0;
    return claim && isNeeded && !passesWithoutKey(entry)
      ? [{ entry, provider: claim.provider.toLowerCase() }]
      : [];
  });
  const [first] = required;
  const other = required.find(({ provider }) => provider !== first?.provider);
  if (!first || !other) return;
  yield {
    kind: "never",
    entry: other.entry,
    reason: `A token comes from one provider, and the condition requires ${quote(first.entry.key)} and ${quote(other.entry.key)}.`,
    suggestion: "Write a statement for each provider, with the claims of that one.",
  };
}
