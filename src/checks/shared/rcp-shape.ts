import type { Policy, Statement } from "../../policy/model.ts";

/**
 * Whether a policy looks like a resource control policy that was not declared as one: every
 * statement denies everyone some named services, on all resources.
 */
export function looksLikeRcp({ statements }: Policy): boolean {
  return statements.length > 0 && statements.every(deniesEveryoneEverywhere);
}

function deniesEveryoneEverywhere(statement: Statement): boolean {
  const { actions, resources } = statement;
  return (
    statement.effect?.toLowerCase() === "deny" &&
    isStarPrincipal(statement) &&
    actions.length > 0 &&
    actions.every(({ text }) => text.includes(":")) &&
    resources.length === 1 &&
    resources[0]?.text === "*"
  );
}

/** @returns whether `Principal` is the string `*`; the object `{"AWS": "*"}` is not. */
export function isStarPrincipal(statement: Statement): boolean {
  return statement.has("Principal") && statement.raw.Principal === "*";
}
