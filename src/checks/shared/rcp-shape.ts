import type { Policy, Statement } from "../../policy/model.ts";
import { rcpServices } from "../../policy/rcp-services.ts";

const rcpPrefixes: ReadonlySet<string> = new Set(rcpServices);

/**
 * Whether a policy looks like a resource control policy that was not declared as one: every
 * statement denies everyone some services that such policies cover, on all resources.
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
    actions.every(({ text }) => rcpPrefixes.has(text.split(":", 1)[0]?.toLowerCase() ?? "")) &&
    resources.length === 1 &&
    resources[0]?.text === "*"
  );
}

/** @returns whether `Principal` is the string `*`; the object `{"AWS": "*"}` is not. */
export function isStarPrincipal(statement: Statement): boolean {
  return statement.has("Principal") && statement.raw.Principal === "*";
}
