import { distance } from "fastest-levenshtein";

/** No name of AWS is nearly as long. */
const maxLength = 512;

/**
 * The number of letters to add, remove or replace to make one name of the other; infinite if one is longer than any name.
 * The library's time grows with the product of the lengths: a key of 100 KB took 1.4 s against all known keys.
 */
export function editDistance(left: string, right: string): number {
  if (left.length > maxLength || right.length > maxLength) return Number.POSITIVE_INFINITY;
  return distance(left, right);
}

/** @returns the edit distance, with two neighbouring letters that change places as one edit: `esat` and `east`. */
export function editsBetween(left: string, right: string): number {
  const edits = editDistance(left, right);
  if (edits !== 2 || left.length !== right.length) return edits;
  let at = 0;
  while (left[at] === right[at]) at++;
  return left[at] === right[at + 1] && left[at + 1] === right[at] ? 1 : edits;
}
