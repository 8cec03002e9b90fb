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
    why: "A subject that does not fix the customer of a shared provider lets strangers in; the request of one is shown.",
  },
  {
    check_id: "principal_validation",
    replacedBy: "no_public_access",
    why: "A wide principal without a limit lets strangers in; the request of one is shown.",
  },
];
