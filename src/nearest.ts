import { editDistance } from "./edit-distance.ts";

/** Letters that make the beginning of a name recognisable. */
const minStart = 4;

/**
 * @returns The known name that a misspelt name is likely to mean, ignoring case: at most a third of its
 * letters differ (and at least two may), or it is the beginning of exactly one name; undefined if none is
 * that near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = editDistance(wanted, candidate.toLowerCase());
    if (!best || edits < best.edits) best = { name: candidate, edits };
  }
  if (best && best.edits <= Math.max(2, Math.floor(wanted.length / 3))) return best.name;
  const longer = [...known].filter((candidate) => candidate.toLowerCase().startsWith(wanted));
  return wanted.length >= minStart && longer.length === 1 ? longer[0] : undefined;
}

/** @returns `; did you mean x?` if a known name is near, else nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}
