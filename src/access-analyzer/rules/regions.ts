import { regions } from "../../policy/regions.ts";

export { regionDate } from "../../policy/regions.ts";

const known: ReadonlySet<string> = new Set(regions);

/** @returns whether a Region of some partition has this name. */
export function isRegion(name: string): boolean {
  return known.has(name);
}
