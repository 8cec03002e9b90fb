import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { actionsOf, type ReadAction } from "../../services/statement-actions.ts";
import { sensitiveCategories } from "./catalogue.ts";
import { categoryOf } from "./severity.ts";
import { wantedIn } from "./wanted-actions.ts";
import { mayNameResourcePolicy, wideOnlyActions } from "./wide-only.ts";

/** Services of the actions that are built in as sensitive. */
const sensitiveServices: ReadonlySet<string> = new Set(
  [...sensitiveCategories.flatMap(({ actions }) => actions), ...wideOnlyActions].map((name) =>
    name.slice(0, name.indexOf(":")),
  ),
);

/** @returns the actions of a service that are sensitive, or part of a combination, pair or path. */
export const notableIn = memo((service: Service): ReadonlySet<Action> => {
  const isListed = sensitiveServices.has(service.prefix);
  const sensitive = service.actions.filter(
    ({ name, qualified }) =>
      (isListed || mayNameResourcePolicy(name)) && categoryOf(qualified) !== undefined,
  );
  return new Set([...sensitive, ...wantedIn(service).keys()]);
});

const none: readonly ReadAction[] = [];
const noActions: ReadonlySet<Action> = new Set();
const known = new FactSlot<Statement, readonly ReadAction[]>();

/**
 * @returns the entries of `Action`, in order, without the names of known actions that no built-in list has. In AWS's
 * managed policies one entry in six remains.
 */
export function notableActions(
  statement: Statement,
  { match }: Pick<CheckContext, "match">,
): readonly ReadAction[] {
  let notable = known.get(statement);
  if (!notable) {
    notable = read(statement, match);
    known.set(statement, notable);
  }
  return notable;
}

function haveNotable(services: ReadonlySet<Service>): boolean {
  for (const service of services) if (notableIn(service).size > 0) return true;
  return false;
}

function read(statement: Statement, match: CheckContext["match"]): readonly ReadAction[] {
  const { read: entries, services, areNames } = actionsOf(statement, match);
  // Most services have no such action.
  if (areNames && !haveNotable(services)) return none;
  let service: Service | null = null;
  let notable = noActions;
  return entries.filter(({ meaning }) => {
    if (meaning.kind !== "action") return true;
    // Neighbours in a list are mostly of one service.
    if (meaning.service !== service) {
      service = meaning.service;
      notable = notableIn(service);
    }
    return notable.has(meaning.action);
  });
}
