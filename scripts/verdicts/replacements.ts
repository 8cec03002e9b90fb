/**
 * Checks that say the same as the check a label names, where a later check took over the subject.
 * Each pair has the reason why both findings state one fact.
 */
export const replacements: readonly {
  readonly check_id: string;
  readonly replacedBy: string;
  readonly why: string;
}[] = [];
