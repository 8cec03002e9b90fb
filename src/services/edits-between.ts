import { editDistance } from "../edit-distance.ts";

/** @returns the edit distance, with two neighbouring letters that change places as one edit. */
export function editsBetween(left: string, right: string): number {
  const edits = editDistance(left, right);
  if (edits !== 2 || left.length !== right.length) return edits;
  let at = 0;
  while (left[at] === right[at]) at++;
  return left[at] === right[at + 1] && left[at + 1] === right[at] ? 1 : edits;
}
