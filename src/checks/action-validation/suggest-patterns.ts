import { asciiLower, byCodePoint } from "../../ascii.ts";
import { editsBetween } from "../../edit-distance.ts";
import { memo } from "../../memo.ts";
import type { Service } from "../../services/model.ts";

const mostSuggestions = 3;
/** Longer than any name in the reference data, so longer texts get no suggestion. */
const longestWanted = 128;
/** A shorter text is like too many words to suggest one. */
const shortestPiece = 3;
const mostEdits = 2;
/** People write one or two stars; looking at every part of a longer pattern costs too much. */
const mostPieces = 4;

/** Where in a pattern its text stands: `first*`, `*middle*`, `*last`. */
type Place = "first" | "middle" | "last";

/**
 * Corrects one misspelt part of a pattern that matches no action: `Decribe*` becomes `Describe*`. A part is
 * replaced by whole words of the names, as `DescribeInstances` has `Describe` and `Instances`.
 * @param name The pattern without its service prefix, with at least one `*`.
 * @param matches Whether a pattern with the prefix matches an action.
 * @returns Up to three patterns with the prefix, nearest first.
 */
export function suggestPatterns(
  service: Service,
  name: string,
  matches: (pattern: string) => boolean,
): readonly string[] {
  if (name.length > longestWanted || name.includes("?")) return [];
  const pieces = name.split("*");
  if (pieces.length > mostPieces) return [];
  const found = new Map<string, number>();
  for (const [index, piece] of pieces.entries()) {
    if (piece.length < shortestPiece) continue;
    for (const { words, edits } of near(piece, wordsOf(service)[placeOf(index, pieces)])) {
      const corrected = pieces.with(index, words).join("*");
      const pattern = `${service.prefix}:${corrected}`;
      const known = found.get(pattern);
      if (known !== undefined ? edits < known : matches(pattern)) found.set(pattern, edits);
    }
  }
  return [...found]
    .sort(([left, one], [right, other]) => one - other || byCodePoint(left, right))
    .slice(0, mostSuggestions)
    .map(([pattern]) => pattern);
}

function placeOf(index: number, pieces: readonly string[]): Place {
  if (index === 0) return "first";
  return index === pieces.length - 1 ? "last" : "middle";
}

/** The words that are as near as any, by how many letters they differ. */
function near(piece: string, all: readonly string[]): { words: string; edits: number }[] {
  const lower = asciiLower(piece);
  const furthest = Math.min(mostEdits, Math.max(1, Math.floor(lower.length / 3)));
  return all
    .filter((words) => Math.abs(words.length - lower.length) <= furthest)
    .map((words) => ({ words, edits: editsBetween(asciiLower(words), lower) }))
    .filter(({ edits }) => edits <= furthest);
}

/** Runs of whole words in the names of a service's actions. */
const wordsOf = memo((service: Service): Readonly<Record<Place, readonly string[]>> => {
  const runs = { first: new Set<string>(), middle: new Set<string>(), last: new Set<string>() };
  for (const { name } of service.actions) {
    const ends = [...name.matchAll(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])|.$/g)].map(
      ({ index }) => index + 1,
    );
    const starts = [0, ...ends.slice(0, -1)];
    for (const [at, start] of starts.entries()) {
      for (const end of ends.slice(at)) {
        const run = name.slice(start, end);
        runs.middle.add(run);
        if (start === 0) runs.first.add(run);
        if (end === name.length) runs.last.add(run);
      }
    }
  }
  return { first: [...runs.first], middle: [...runs.middle], last: [...runs.last] };
});
