import type { Entry, Policy } from "../policy/model.ts";

function addPrefixes(entries: readonly Entry[], prefixes: Set<string>): void {
  let last = ":";
  for (const { text } of entries) {
    // Most entries of a list are of the same service as the one before.
    if (text.startsWith(last)) continue;
    const colon = text.indexOf(":");
    if (colon <= 0) continue;
    last = text.slice(0, colon + 1);
    prefixes.add(text.slice(0, colon).toLowerCase());
  }
}

/** @returns The service prefixes of the policy's actions and condition keys, in lower case. */
export function prefixesOf(policy: Pick<Policy, "statements">): Set<string> {
  const prefixes = new Set<string>();
  for (const statement of policy.statements) {
    addPrefixes(statement.actions, prefixes);
    addPrefixes(statement.notActions, prefixes);
    for (const { keyLower } of statement.conditions) {
      const colon = keyLower.indexOf(":");
      if (colon > 0) prefixes.add(keyLower.slice(0, colon));
    }
  }
  return prefixes;
}
