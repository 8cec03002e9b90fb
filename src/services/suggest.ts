import { asciiLower, byCodePoint, lettersOf } from "../ascii.ts";
import { editsBetween } from "../edit-distance.ts";
import { memo } from "../memo.ts";
import { lowerNamesOf } from "./lower-names.ts";
import type { Service, ServiceLookup } from "./model.ts";

const mostSuggestions = 3;
/** Longer than any name in the reference data, so longer texts get no suggestion. */
const longestWanted = 128;
/** A shorter text is part of too many names to suggest one. */
const shortestContained = 3;

/** @returns Up to three `service:Name` similar to a name that the service does not have, nearest first. */
export function suggestActions(service: Service, name: string): readonly string[] {
  return nearest(name, actionCandidates(service)).map((found) => `${service.prefix}:${found}`);
}

/** @returns Up to three service prefixes similar to an unknown one, nearest first. */
export function suggestServices(services: ServiceLookup, prefix: string): readonly string[] {
  return similarServices(services, prefix).slice(0, mostSuggestions);
}

/** @returns all service prefixes similar to an unknown one, nearest first. */
export function similarServices(services: ServiceLookup, prefix: string): readonly string[] {
  return nearest(prefix, nameCandidates(services.prefixes), Number.POSITIVE_INFINITY);
}

/** @returns Up to three of the names similar to the wanted one, nearest first. */
export function suggestNames(names: readonly string[], wanted: string): readonly string[] {
  return nearest(wanted, nameCandidates(names));
}

interface Candidate {
  readonly name: string;
  readonly lower: string;
  /** A bit for each letter or digit in the name. */
  readonly letters: number;
}

const actionCandidates = memo((service: Service) => {
  const lower = lowerNamesOf(service);
  return service.actions.map(({ name }, at) => candidateOf(name, lower[at]));
});
const nameCandidates = memo((names: readonly string[]) => names.map((name) => candidateOf(name)));

function candidateOf(name: string, lower = asciiLower(name)): Candidate {
  return { name, lower, letters: lettersOf(lower) };
}

function nearest(
  wanted: string,
  candidates: readonly Candidate[],
  most = mostSuggestions,
): readonly string[] {
  if (wanted.length === 0 || wanted.length > longestWanted) return [];
  const lower = asciiLower(wanted);
  const letters = lettersOf(lower);
  // Allow one edit in a short word and up to a third of a longer one.
  const furthest = Math.max(1, Math.min(4, Math.floor(lower.length / 3)));
  const found: { readonly name: string; readonly rank: number }[] = [];
  for (const candidate of candidates) {
    const difference = Math.abs(candidate.lower.length - lower.length);
    if (difference <= furthest && lettersApart(candidate.letters, letters) <= furthest) {
      const edits = editsBetween(candidate.lower, lower);
      if (edits <= furthest) {
        found.push({ name: candidate.name, rank: edits });
        continue;
      }
    }
    if (lower.length >= shortestContained && candidate.lower.includes(lower)) {
      // Names that contain the text come after similar ones, those with the fewest other characters first.
      found.push({ name: candidate.name, rank: longestWanted + difference });
    }
  }
  return found
    .sort((left, right) => left.rank - right.rank || byCodePoint(left.name, right.name))
    .slice(0, most)
    .map(({ name }) => name);
}

/** A cheap lower bound of the edit distance: an edit adds or removes at most one letter. */
function lettersApart(left: number, right: number): number {
  return Math.max(bits(left & ~right), bits(right & ~left));
}

function bits(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
