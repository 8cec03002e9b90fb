import { grantsAccess } from "../policy/type-facts.ts";
import type { Opened } from "./open.ts";
import { placeIdentity } from "./place-identity.ts";
import type { Place } from "./types.ts";

/** A place with the container that it is in. */
export interface PlaceIn {
  readonly opened: Opened;
  readonly place: Place;
  /** Of the resource; for one of several instances its own. */
  readonly address: string;
  /** What the place is called in every version of its file. */
  readonly identity: string;
}

/** The places of two versions of a file. */
export interface PlacePairs {
  /** What a place was in the earlier version: several where it is that of several instances. Null: it is new. */
  earlierOf(place: Place): readonly (PlaceIn | null)[];
  /** Places of the later version that the earlier one does not have. */
  readonly added: readonly PlaceIn[];
  /** Places of the earlier version that the later one does not have. */
  readonly removed: readonly PlaceIn[];
}

/** Places of one identity. */
interface Group {
  readonly before: PlaceIn[];
  readonly now: PlaceIn[];
}

/** Pairs the places of two versions of a file by what the format calls them, not by their order. */
export function pairPlaces(now: readonly Opened[], before: readonly Opened[]): PlacePairs {
  const groups = new Map<string, Group>();
  const add = (all: readonly Opened[], side: keyof Group) => {
    for (const one of all.flatMap(placesIn)) {
      const key = JSON.stringify([one.identity, setsLimits(one.place)]);
      const group = groups.get(key) ?? { before: [], now: [] };
      groups.set(key, group);
      group[side].push(one);
    }
  };
  add(before, "before");
  add(now, "now");
  const earlier = new Map<Place, (PlaceIn | null)[]>();
  const added: PlaceIn[] = [];
  const removed: PlaceIn[] = [];
  for (const [key, group] of groups) {
    const pairs = pairsIn(group, isList(key));
    for (const one of group.now) {
      const { place } = one;
      const known = earlier.get(place) ?? [];
      const partner = pairs.get(place) ?? null;
      if (partner === null) added.push(one);
      if (!known.includes(partner)) known.push(partner);
      earlier.set(place, known);
    }
    const paired = new Set(pairs.values());
    removed.push(...group.before.filter((one) => !paired.has(one)));
  }
  return { earlierOf: (place) => earlier.get(place) ?? [null], added, removed };
}

/** The places of a container; one for each instance. */
export function placesIn(opened: Opened): PlaceIn[] {
  return opened.places.flatMap((place) => {
    const { address, instances } = place;
    const own = () => [{ address, identity: placeIdentity(place, opened.source) }];
    return (instances ?? own()).map((instance) => ({ opened, place, ...instance }));
  });
}

/** A policy that was a boundary and is attached now grants what it limited before, so it is another one. */
function setsLimits({ policyType }: Place): boolean {
  return policyType !== null && !grantsAccess(policyType);
}

/** Whether the places of an identity are entries of one list, whose order does not matter. */
const isList = (key: string) => key.includes("[]");

/**
 * Places with one identity are branches of one value or entries of one list. Branches have an order. Of a list, equal
 * documents are pairs, and the others in their order.
 */
function pairsIn({ before, now }: Group, isUnordered: boolean): Map<Place, PlaceIn> {
  const pairs = new Map<Place, PlaceIn>();
  const left = new Set(before);
  let open = [...now];
  if (isUnordered || before.length !== now.length) {
    const byContent = Map.groupBy(before, contentOf);
    open = now.filter((one) => {
      const same = byContent.get(contentOf(one))?.shift();
      if (same) {
        pairs.set(one.place, same);
        left.delete(same);
      }
      return same === undefined;
    });
  }
  const others = Map.groupBy(left, ({ place }) => place.policyType);
  const unlike: PlaceIn[] = [];
  for (const one of open) {
    const partner = others.get(one.place.policyType)?.shift();
    if (partner) {
      pairs.set(one.place, partner);
      left.delete(partner);
    } else unlike.push(one);
  }
  const [...rest] = left;
  for (const one of unlike) {
    const partner = rest.shift();
    if (partner) pairs.set(one.place, partner);
  }
  return pairs;
}

/** Tokens are equal for equal values, so equal documents have equal texts. */
function contentOf({ place: { policyType, state, reason, alternatives } }: PlaceIn): string {
  return JSON.stringify([policyType, state, reason, alternatives.map(({ value }) => value)]);
}
