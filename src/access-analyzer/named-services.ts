import { splitArn } from "../policy/arn.ts";
import type { Statement } from "../policy/model.ts";
import { ownerOfBorrowedKey } from "./borrowed.ts";

/** Services at most: a policy of AWS's largest size cannot name more of those that exist. */
const most = 500;

/** @returns the service prefixes that actions, ARNs and condition keys name, in lower case. */
export function namedServices(statements: readonly Statement[]): Set<string> {
  const names = servicesOfArns(statements);
  const seen = new Set<string>();
  let last = ":";
  const add = (text: string) => {
    // Most entries of a list are of the same service as the one before.
    if (text.startsWith(last)) return;
    const colon = text.indexOf(":");
    if (colon <= 0 || colon >= 64 || names.size >= most) return;
    const name = text.slice(0, colon);
    last = text.slice(0, colon + 1);
    if (seen.has(name)) return;
    seen.add(name);
    names.add(name.toLowerCase());
  };
  for (const statement of statements) {
    for (const { text } of statement.actions) add(text);
    for (const { text } of statement.notActions) add(text);
    for (const { key } of statement.conditions) {
      add(key);
      const owner = ownerOfBorrowedKey(key);
      if (owner !== undefined) names.add(owner);
    }
  }
  return names;
}

/** @returns the service prefixes that ARNs name, in lower case. */
export function servicesOfArns(statements: readonly Statement[]): Set<string> {
  const names = new Set<string>();
  let last = "*";
  for (const { resources, notResources } of statements) {
    for (const entries of [resources, notResources]) {
      for (const { text } of entries) {
        // Most resources of a policy are of the same service as the one before.
        if (text.startsWith(last)) continue;
        const arn = splitArn(text);
        const service = arn?.service ?? "";
        if (!arn || service === "" || service.length >= 64 || names.size >= most) continue;
        last = text.slice(0, arn.prefix.length + arn.partition.length + service.length + 3);
        names.add(service.toLowerCase());
      }
    }
  }
  return names;
}
