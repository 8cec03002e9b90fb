/**
 * Checks that say the same as the check a label names, where a later check took over the subject.
 * Each pair has the reason why both findings state one fact.
 */
export const replacements: readonly {
  readonly check_id: string;
  readonly replacedBy: string;
  readonly why: string;
}[] = [
  {
    check_id: "federated_subject",
    replacedBy: "no_public_access",
    why: "A subject that lets strangers in is public access; with that check the finding is its witness.",
  },
];
