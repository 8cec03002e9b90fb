import type { GrantCondition } from "../shared/grants/grant-conditions.ts";

/**
 * For these the key has the boundary that the user or role has now, so a test of it says which boundary may be
 * removed. AWS's own example denies them:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html#access_policies_boundaries-delegate
 */
const removals: ReadonlySet<string> = new Set([
  "iam:deleterolepermissionsboundary",
  "iam:deleteuserpermissionsboundary",
]);

const boundaryKey = "iam:permissionsboundary";

/** @returns whether the action removes a permissions boundary, any letter case. */
export function removesBoundary(name: string): boolean {
  return removals.has(name.toLowerCase());
}

/** @returns whether an entry that would limit other actions tests the boundary. */
export function testsBoundary({ entries }: GrantCondition): boolean {
  return entries.some(
    ({ read, shortfall }) => shortfall === null && read.entry.keyLower === boundaryKey,
  );
}

/** @returns whether some entry of the condition limits who may use the action, on what, or when. */
export function limitsAction(name: string, { counts, entries }: GrantCondition): boolean {
  if (!counts || !removesBoundary(name)) return counts;
  return entries.some(
    ({ read, shortfall }) => shortfall === null && read.entry.keyLower !== boundaryKey,
  );
}
