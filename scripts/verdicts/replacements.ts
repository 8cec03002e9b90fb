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
    check_id: "resource_validation",
    replacedBy: "arn_fields",
    why: "An ARN whose Region or account is missing, or may not be there, is not the ARN of a resource.",
  },
  {
    check_id: "action_resource_matching",
    replacedBy: "arn_fields",
    why: "An ARN whose Region or account is missing matches no resource, so no action works on it.",
  },
  {
    check_id: "federated_subject",
    replacedBy: "no_public_access",
    why: "A subject that lets strangers in is public access; with that check the finding is its witness.",
  },
];
