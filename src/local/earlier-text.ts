import type { Opened } from "../containers/open.ts";
import { type PlaceIn, type PlacePairs, pairPlaces, placesIn } from "../containers/pair-places.ts";
import {
  containersOf,
  type FileVersion,
  partsOf,
  type ReadPart,
  readFileParts,
} from "./read-parts.ts";

/** The earlier version of a file. */
export interface EarlierText {
  /** Null: the file is new. */
  readonly text: string | null;
  /** Name of the file then. Default: that of the file now. */
  readonly label?: string;
  /** Texts of the other Terraform files that its folder had. */
  readonly neighbours?: readonly string[];
  /** Earlier versions of other files, some places of which are in this one now. */
  readonly movedFrom?: readonly MovedFrom[];
  /** Identities of places that are in another file now. */
  readonly movedAway?: ReadonlySet<string>;
}

/** A file that places have moved out of. */
export interface MovedFrom {
  readonly label: string;
  readonly text: string;
  readonly neighbours: readonly string[];
  /** Of the places that have moved. */
  readonly identities: ReadonlySet<string>;
}

/** A file beside its earlier version. */
export interface ComparedText {
  /** The documents of the earlier version. */
  readonly earlier: readonly ReadPart[];
  readonly pairs: PlacePairs;
  /** Places that are gone and have not moved. */
  readonly removed: readonly PlaceIn[];
}

/** Pairs the places of a file, which was read with the same unknown values, with those of its earlier version. */
export async function compareWith(
  { text, neighbours = [], movedFrom = [], movedAway = new Set(), ...earlierFile }: EarlierText,
  now: readonly ReadPart[],
  version: FileVersion,
): Promise<ComparedText> {
  const { label: labelBefore = version.label } = earlierFile;
  const parts = text === null ? [] : partsOf(labelBefore, text);
  const earlier = await readFileParts(parts, { ...version, label: labelBefore, neighbours });
  const own = new Set(containersOf(earlier));
  const before = [...own];
  for (const { label, text: other, neighbours: beside, identities } of movedFrom) {
    const about = { ...version, label, neighbours: beside };
    const read = await readFileParts(partsOf(label, other), about);
    before.push(...containersOf(read).map((opened) => onlyMoved(opened, identities)));
  }
  const pairs = pairPlaces(containersOf(now), before);
  const removed = pairs.removed.filter(
    ({ identity, opened }) => own.has(opened) && !movedAway.has(identity),
  );
  return { earlier, pairs, removed };
}

function onlyMoved(opened: Opened, identities: ReadonlySet<string>): Opened {
  const moved = placesIn(opened).filter(({ identity }) => identities.has(identity));
  return { ...opened, places: [...new Set(moved.map(({ place }) => place))] };
}
