import type { CheckContext } from "../../engine/check.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard, isAnyAction } from "../../policy/wildcard.ts";
import { expandAction, namesMatching, namesOfExpression } from "../shared/action-grants.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { isDefault } from "./defaults.ts";
import { type ActionRequirement, planOf } from "./requirement.ts";

const ignoreCase = { ignoreCase: true } as const;

/**
 * @returns the actions of the requirement that the entry covers and the statement grants. A default
 * requirement follows the resources; one that an operator wrote only the Denies of the policy.
 */
export function grantedOf(
  requirement: ActionRequirement,
  { text }: Entry,
  statement: Statement,
  context: CheckContext,
): string[] {
  const grants = grantsOf(statement, context);
  const isGranted = isDefault(requirement)
    ? (name: string) => grants.breadthOfEntry(name) !== "none"
    : (name: string) => !grants.isTakenBack(name);
  return coveredBy(requirement, text, context).filter(isGranted);
}

/** @returns the actions that both the requirement and the entry mean, as exactly as the data tells. */
function coveredBy(requirement: ActionRequirement, text: string, context: CheckContext): string[] {
  if (!hasWildcard(text)) return [text];
  const { tests, expressions } = planOf(requirement);
  const wanted = tests.flatMap(({ actions }) => actions);
  if (isAnyAction(text)) return [...wanted.flatMap(namesOf), ...namesFromExpressions()];
  const meaning = context.match(text);
  const covered = wanted.flatMap((action) => {
    if (!hasWildcard(action)) return globMatches(text, action, ignoreCase) ? [action] : [];
    if (meaning.kind !== "pattern") return [text];
    return namesMatching(meaning.service, action).filter((name) =>
      globMatches(text, name, ignoreCase),
    );
  });
  if (meaning.kind !== "pattern") return covered.length > 0 ? covered : [text];
  const expressed = expressions.flatMap((expression) =>
    namesOfExpression(meaning.service, expression).filter((name) =>
      globMatches(text, name, ignoreCase),
    ),
  );
  return [...new Set([...covered, ...expressed])];

  function namesOf(action: string): readonly string[] {
    const names = expandAction(action, context);
    return names.length > 0 ? names : [action];
  }

  /** `*` covers whatever an expression matches, also in services that are not loaded. */
  function namesFromExpressions(): string[] {
    return expressions.flatMap((expression) => {
      const service = /^\^?([a-z0-9-]+):/i.exec(expression)?.[1];
      const known = service === undefined ? undefined : context.services.get(service);
      const names = known ? namesOfExpression(known, expression) : [];
      return names.length > 0 ? names : [service === undefined ? "*" : `${service}:*`];
    });
  }
}

/**
 * @returns the entries of a requirement that an Allow with `NotAction` grants: those that no
 * entry of `NotAction` covers. They stand at the `NotAction` element.
 */
export function entriesPastNotAction(
  requirement: ActionRequirement,
  wanted: readonly string[],
  statement: Statement,
  context: CheckContext,
): Entry[] {
  if (statement.notActions.length === 0 || isDefault(requirement)) return [];
  const grants = grantsOf(statement, context);
  const node = statement.at("NotAction");
  return wanted
    .filter(
      (action) =>
        !statement.notActions.some(({ text }) => globMatches(text, action, ignoreCase)) &&
        !grants.isTakenBack(action),
    )
    .map((text) => ({ text, node }));
}
