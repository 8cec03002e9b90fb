import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { coverEveryType } from "../shared/grants/type-cover.ts";

/** Whether `NotResource` excludes every resource that the actions of the statement work on. */
export function excludesEveryType(
  { actions, notResources }: Statement,
  { match }: Pick<CheckContext, "match">,
): boolean {
  return (
    actions.length > 0 &&
    actions.every(({ text }) => {
      const meaning = match(text);
      return (
        meaning.kind === "action" && coverEveryType(notResources, meaning.action, meaning.service)
      );
    })
  );
}
