import { editDistance } from "../edit-distance.ts";
import { regionDate, regionsByPartition } from "./region-data.ts";
import { globMatches, hasWildcard } from "./wildcard.ts";

export { regionDate, regionsByPartition };

/** Every Region of every partition. */
export const regions: readonly string[] = Object.values(regionsByPartition).flat();

const known: ReadonlySet<string> = new Set(regions);

/** `eu-west-1`, `us-gov-east-1`, `eusc-de-east-1`. */
export const regionShape = /^[a-z]{2,4}(?:-[a-z]+)+-\d{1,2}$/;

/** No Region is called so. */
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
  const found = nearRegions(text);
  const [first, second] = found;
  const isClear = first !== undefined && (!second || first.edits < second.edits);
  return {
    near: found.slice(0, 3).map(({ region }) => region),
    meant: isClear ? first.region : null,
  };
}

/** Whether two neighbouring letters that change places make one text of the other, as in `esat` and `east`. */
function isSwapped(text: string, other: string): boolean {
  if (text.length !== other.length) return false;
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return (
    text[at] === other[at + 1] &&
    text[at + 1] === other[at] &&
    text.slice(at + 2) === other.slice(at + 2)
  );
}

/** For a pattern that ends in a star: what Regions begin with instead, within two edits. */
function nearPatterns(text: string): RegionFault {
  const head = /^([a-z-]{4,})\*$/.exec(text.toLowerCase().replaceAll("_", "-"))?.[1];
  if (head === undefined) return { near: [], meant: null };
  const heads = new Set(regions.map((region) => region.slice(0, head.length)));
  const found = [...heads]
    .map((one) => ({
      pattern: `${one}*`,
      edits: isSwapped(one, head) ? 1 : editDistance(one, head),
    }))
    .filter(({ edits }) => edits <= 2)
    .sort((one, other) => one.edits - other.edits);
  const [first, second] = found;
  const isClear = first !== undefined && (!second || first.edits < second.edits);
  return {
    near: found.slice(0, 3).map(({ pattern }) => pattern),
    meant: isClear ? first.pattern : null,
  };
}

function nearRegions(text: string): readonly { readonly region: string; readonly edits: number }[] {
  if (text.length > 32) return [];
  const lower = text.toLowerCase();
  return regions
    .map((region) => ({
      region,
      edits: isSwapped(region, lower) ? 1 : editDistance(region, lower),
    }))
    .filter(({ edits }) => edits <= 2)
    .sort((one, other) => one.edits - other.edits);
}
