import type { Correction, Report } from "../../engine/check.ts";
import { asCorrected } from "../../fixes/edits.ts";
import type { Edit, FixProposal } from "../../fixes/proposal.ts";

/** What a fix says besides its edits. */
export type Promised = Omit<FixProposal, "edits">;

/**
 * A correction that is the fix as well: the precise edit, with no value that the policy does not imply.
 * @param correction Null: there is neither.
 */
export function fixedBy(
  correction: () => Correction | null,
  promised: Promised,
): Pick<Report, "correction" | "fix"> {
  return { correction, fix: () => fixFrom(correction(), promised) };
}

/** The fix that is one edit. */
export function withEdit(edit: Edit | null, promised: Promised): FixProposal | null {
  return edit && { ...promised, edits: [edit] };
}

/** The fix that writes the corrected value. */
export function fixFrom(correction: Correction | null, promised: Promised): FixProposal | null {
  return correction && { ...promised, edits: asCorrected(correction) };
}
