import { memo } from "../../memo.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
import { passingActions } from "../shared/grants/pass-role.ts";
import { combinations } from "./combinations.ts";
import { escalationPaths } from "./path-table.ts";

export const passRoleAction = "iam:PassRole";

/** Every action that a built-in combination, pair or path has, by the lower-case prefix of its service. */
const wantedByService: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  new Set([
    passRoleAction,
    ...passingActions,
    ...combinations.flatMap(({ allOf }) => allOf),
    ...escalationPaths.flatMap(({ actions }) => actions),
  ]),
  (action) => action.slice(0, action.indexOf(":")),
);

/** Each of them by its name in lower case. */
const wantedByName: ReadonlyMap<string, string> = new Map(
  [...wantedByService.values()].flat().map((action) => [action.toLowerCase(), action]),
);

/** @returns those of a service, by the action of the reference. */
export const wantedIn = memo(
  ({ prefix, actions }: Service): ReadonlyMap<Action, string> =>
    new Map(
      (wantedByService.has(prefix) ? actions : []).flatMap((action) => {
        const name = wantedByName.get(action.qualified.toLowerCase());
        return name === undefined ? [] : [[action, name] as const];
      }),
    ),
);

/** @returns false for a known service without such an action. */
export function mayBeWanted(service: Service | string): boolean {
  return typeof service === "string" || wantedByService.has(service.prefix);
}

const nothing: readonly string[] = [];

/** @returns those that an entry may match which is not the name of a known action. */
export function wantedBy(text: string): readonly string[] {
  if (!hasWildcard(text)) {
    const name = wantedByName.get(text.toLowerCase());
    return name === undefined ? nothing : [name];
  }
  const service = text.slice(0, Math.max(0, text.indexOf(":"))).toLowerCase();
  const wanted = wantedByService.get(service) ?? nothing;
  return wanted.filter((name) => globMatches(text, name, { ignoreCase: true }));
}

const passRole = passRoleAction.toLowerCase();
const lowerPassing: ReadonlySet<string> = new Set(
  passingActions.map((action) => action.toLowerCase()),
);

/** The actions of each combination and path, by the first of them that is not `iam:PassRole`. */
const together: ReadonlyMap<string, readonly (readonly string[])[]> = Map.groupBy(
  [...combinations, ...escalationPaths].map(({ lowerActions }) => lowerActions),
  (actions) => actions.find((action) => action !== passRole) ?? passRole,
);

/**
 * @param granted By action in lower case.
 * @returns those of the actions that make up a combination, pair or path with others of them.
 */
export function completeAmong(granted: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const complete = new Set<string>();
  const isGranted = (action: string) => granted.has(action);
  const passes = isGranted(passRole);
  for (const action of granted.keys()) {
    if (passes && lowerPassing.has(action)) complete.add(action).add(passRole);
    for (const actions of together.get(action) ?? []) {
      if (actions.every(isGranted)) for (const one of actions) complete.add(one);
    }
  }
  return complete;
}
