/**
 * A comparison with an earlier version of a file. `new`: that has no policy in this place. `removed`: the later one
 * has none, and the policy is what is allowed without one. `undecided`: it cannot be compared.
 */
export type VersionComparison =
  | { readonly kind: "new" | "removed" }
  | { readonly kind: "undecided"; readonly by: Doubt };

/** Why policies were not compared. */
export interface Doubt {
  readonly construct: string;
  readonly side: "policy" | "baseline";
  /** One sentence. */
  readonly text: string;
  /** The place is as it was, so a warning is enough. Absent: no. */
  readonly isUnchanged?: boolean;
}
