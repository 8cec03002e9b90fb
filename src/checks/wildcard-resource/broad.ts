import type { Entry } from "../../policy/model.ts";
import { hasWildcard, isAnyResource } from "../../policy/wildcard.ts";

/** An entry of `Resource` that names no particular resource. */
export interface BroadEntry {
  readonly entry: Entry;
  /** The service it is confined to, in lower case; null: none. */
  readonly service: string | null;
}

/** @returns the entries that stand for everything, or for everything of a service. */
export function broadEntries(resources: readonly Entry[]): BroadEntry[] {
  return resources.flatMap((entry) => {
    const service = broadServiceOf(entry.text);
    return service === undefined ? [] : [{ entry, service }];
  });
}

/** @returns undefined for an entry that is not broad. */
function broadServiceOf(text: string): string | null | undefined {
  if (isAnyResource(text)) return null;
  if (!text.startsWith("arn:")) return undefined;
  const partitionEnd = text.indexOf(":", 4);
  // `arn:*`: the partition is the last field.
  if (partitionEnd < 0) return isAnyResource(text.slice(4)) ? null : undefined;
  const serviceEnd = text.indexOf(":", partitionEnd + 1);
  // `arn:aws:*`: the service is the last field.
  if (serviceEnd < 0) return isAnyResource(text.slice(partitionEnd + 1)) ? null : undefined;
  const rest = text.slice(serviceEnd + 1);
  if (!rest.includes("*") || !/^[:/*?]*$/.test(rest)) return undefined;
  const service = text.slice(partitionEnd + 1, serviceEnd);
  return service === "" || hasWildcard(service) ? null : service.toLowerCase();
}
