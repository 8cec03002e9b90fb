import { distance } from "fastest-levenshtein";
import { regionDate, regionsByPartition } from "./region-data.ts";
import { globMatches, hasWildcard } from "./wildcard.ts";

export { regionDate };

/** Every Region of every partition. */
export const regions: readonly string[] = Object.values(regionsByPartition).flat();

const known: ReadonlySet<string> = new Set(regions);

/** What is to say about a text that should name a Region. */
export type RegionFault =
  /** No Region is called so; `near` are the Regions within two edits, nearest first. */
  { readonly near: readonly string[] };

/**
 * Looks up the name of a Region, or a pattern that should match one.
 * @returns null when a Region has that name or fits the pattern.
 */
export function regionFault(text: string): RegionFault | null {
  if (known.has(text)) return null;
  if (hasWildcard(text)) {
    return regions.some((region) => globMatches(text, region)) ? null : { near: [] };
  }
  return { near: nearRegions(text) };
}

/** @returns up to three Regions within two edits of the text, nearest first. */
function nearRegions(text: string): readonly string[] {
  if (text.length > 32) return [];
  return regions
    .map((region) => ({ region, edits: distance(region, text.toLowerCase()) }))
    .filter(({ edits }) => edits <= 2)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ region }) => region);
}
