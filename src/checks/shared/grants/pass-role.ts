import { passRoleRows } from "./pass-role-rows.ts";

const byAction: ReadonlyMap<string, readonly string[]> = new Map(
  Map.groupBy(
    passRoleRows.flatMap(({ actions, services }) =>
      actions.map((action) => ({ action: action.toLowerCase(), services })),
    ),
    ({ action }) => action,
  )
    .entries()
    .map(([action, rows]) => [action, rows.flatMap(({ services }) => services)]),
);

/** @returns the services that assume a role which this action passes on; empty for other actions. */
export function servicesThatAssume(action: string): readonly string[] {
  return byAction.get(action.toLowerCase()) ?? [];
}

/** Every action of the table, in AWS's spelling, each once. */
export const passingActions: readonly string[] = [
  ...new Set(passRoleRows.flatMap(({ actions }) => actions)),
];
