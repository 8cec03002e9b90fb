import type { Action } from "../../services/model.ts";
import { escalationPaths } from "../sensitive-action/path-table.ts";
import { categoryOf } from "../sensitive-action/severity.ts";

const onPaths: ReadonlySet<string> = new Set(
  escalationPaths.flatMap(({ actions }) => actions.map((name) => name.toLowerCase())),
);

/** Whether somebody who may do this can get further rights, together with other actions. */
export function isOnEscalationPath({ qualified }: Action): boolean {
  return onPaths.has(qualified.toLowerCase());
}

/** What has had no effect so far must not begin to give rights or data away by an edit. */
export function isPowerful({ qualified, accessLevel }: Action): boolean {
  return (
    accessLevel === "permissions-management" ||
    categoryOf(qualified) !== undefined ||
    onPaths.has(qualified.toLowerCase())
  );
}
