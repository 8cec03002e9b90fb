import type { Report } from "../../engine/check.ts";
import type { Entry } from "../../policy/model.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";

/** An entry of `Resource` that lacks what is below it, on which the action works. */
export function withoutWhatIsBelow(
  action: Entry,
  resource: Entry,
  { message, below, title }: { message: string; below: string; title: string },
): Report {
  const corrected = `${resource.text}${below}`;
  return {
    issue_type: "resource_mismatch",
    severity: "high",
    action: action.text,
    field_name: "resource",
    resource: resource.text,
    node: resource.node,
    message,
    suggestion: `Write ${quote(corrected)}.`,
    ...fixedBy(() => correctedNode(resource.node, corrected), { title, effect: "changes" }),
  };
}
