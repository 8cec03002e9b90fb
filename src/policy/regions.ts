import { editsBetween } from "../edit-distance.ts";
import { regionDate, regionsByPartition } from "./region-data.ts";
import { globMatches, hasWildcard } from "./wildcard.ts";

export { regionDate };

/** Every Region of every partition. */
export const regions: readonly string[] = Object.values(regionsByPartition).flat();

const known: ReadonlySet<string> = new Set(regions);

/** @returns the partition that the Region is in, where the ARN says a known other one. */
export function otherPartition(partition: string, region: string): string | undefined {
  if (!Object.hasOwn(regionsByPartition, partition)) return undefined;
  const own = Object.entries(regionsByPartition).find(([, names]) => names.includes(region))?.[0];
  return own === partition ? undefined : own;
}

/** `eu-west-1`, `us-gov-east-1`, `eusc-de-east-1`. */
export const regionShape = /^[a-z]{2,4}(?:-[a-z]+)+-\d{1,2}$/;

/** A name that no Region has, or a pattern that matches none. */
export interface RegionFault {
  /** Up to three Regions within two edits, nearest first. */
  readonly near: readonly string[];
  /** The one Region that is nearest. */
  readonly meant: string | null;
}

/**
 * Looks up the name of a Region, or a pattern that should match one.
 * @returns null when a Region has that name or fits the pattern.
 */
export function regionFault(text: string): RegionFault | null {
  if (known.has(text)) return null;
  if (hasWildcard(text)) {
    const matches = regions.some((region) => globMatches(text, region));
    if (matches) return null;
    return nearPatterns(text);
  }
  const spelt = text.trim().toLowerCase().replaceAll("_", "-");
  if (known.has(spelt)) return { near: [spelt], meant: spelt };
  return faultFrom(nearest(regions, text.toLowerCase()));
}

/** For a pattern that ends in a star: what Regions begin with instead, within two edits. */
function nearPatterns(text: string): RegionFault {
  const head = /^([a-z-]{4,})\*$/.exec(text.toLowerCase().replaceAll("_", "-"))?.[1];
  if (head === undefined) return faultFrom([]);
  const heads = new Set(regions.map((region) => region.slice(0, head.length)));
  return faultFrom(nearest(heads, head).map(({ name, edits }) => ({ name: `${name}*`, edits })));
}

interface Near {
  readonly name: string;
  readonly edits: number;
}

/** @returns the names within two edits of the text, nearest first. */
function nearest(names: Iterable<string>, text: string): readonly Near[] {
  return [...names]
    .map((name) => ({ name, edits: editsBetween(name, text) }))
    .filter(({ edits }) => edits <= 2)
    .sort((one, other) => one.edits - other.edits);
}

function faultFrom(found: readonly Near[]): RegionFault {
  const [first, second] = found;
  const isClear = first !== undefined && (!second || first.edits < second.edits);
  return { near: found.slice(0, 3).map(({ name }) => name), meant: isClear ? first.name : null };
}
