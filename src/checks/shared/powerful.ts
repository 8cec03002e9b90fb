import type { Action } from "../../services/model.ts";
import { escalationPaths } from "../sensitive-action/path-table.ts";
import { categoryOf } from "../sensitive-action/severity.ts";
import { passingActions } from "./grants/pass-role.ts";

const onPaths: ReadonlySet<string> = new Set(
  escalationPaths.flatMap(({ actions }) => actions.map((name) => name.toLowerCase())),
);

/** With these a service gets a role, which completes a path for who may pass one. */
const passing: ReadonlySet<string> = new Set(passingActions.map((name) => name.toLowerCase()));

/** Whether somebody who may do this can get further rights, together with other actions. Reading alone gives none. */
export function isOnEscalationPath({ qualified, accessLevel }: Action): boolean {
  return accessLevel !== "read" && accessLevel !== "list" && onPaths.has(qualified.toLowerCase());
}

/** What has had no effect so far must not begin to give rights or data away by an edit. */
export function isPowerful(action: Action): boolean {
  const { qualified, accessLevel } = action;
  return (
    accessLevel === "permissions-management" ||
    categoryOf(qualified) !== undefined ||
    isOnEscalationPath(action) ||
    passing.has(qualified.toLowerCase())
  );
}
