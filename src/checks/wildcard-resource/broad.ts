import type { Entry } from "../../policy/model.ts";
import { broadServiceOf } from "../shared/grants/resource-reach.ts";

/** An entry of `Resource` without a particular resource. */
export interface BroadEntry {
  readonly entry: Entry;
  /** The service it is confined to, in lower case; null: none. */
  readonly service: string | null;
}

/** @returns whether the entry matches everything, or everything of a service. */
export function isBroad({ text }: Entry): boolean {
  return broadServiceOf(text) !== undefined;
}

/** @returns the entries that match everything, or everything of a service. */
export function broadEntries(resources: readonly Entry[]): BroadEntry[] {
  return resources.flatMap((entry) => {
    const service = broadServiceOf(entry.text);
    return service === undefined ? [] : [{ entry, service }];
  });
}
