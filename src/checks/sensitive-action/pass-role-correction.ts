import type { CheckContext, Correction } from "../../engine/check.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { readCondition } from "../shared/condition-limits.ts";
import { correctedStatement, splitStatement, withCondition } from "../shared/corrected.ts";
import type { ActionGrant } from "./member-grants.ts";

/** More services than one statement should pass roles to. */
const mostServices = 3;

/**
 * The grant of `iam:PassRole` with a named role and the service that may receive it; on a statement of
 * its own where there are other actions beside it.
 * @returns null where a pattern grants it.
 */
export function passRoleCorrection(
  { statement, entry }: ActionGrant,
  services: readonly string[],
  { policy }: Pick<CheckContext, "policy">,
): Correction | null {
  if (hasWildcard(entry.text) || services.length === 0 || services.length > mostServices)
    return null;
  const isThere = readCondition(statement).of("iam:PassedToService").length > 0;
  const [service] = services;
  const value = services.length === 1 ? service : [...services];
  const members = {
    Resource: "arn:aws:iam::111122223333:role/example-role",
    NotResource: undefined,
    ...(isThere
      ? {}
      : {
          Condition: withCondition(statement, { StringEquals: { "iam:PassedToService": value } }),
        }),
  };
  if (statement.actions.every(({ text }) => text.toLowerCase() === entry.text.toLowerCase())) {
    return correctedStatement(statement, members);
  }
  return splitStatement(policy, statement, new Set([entry]), { rest: {}, moved: members });
}
