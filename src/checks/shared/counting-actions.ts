import type { CheckContext } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { actionsOf } from "../../services/statement-actions.ts";

/** An `Action` entry that names something: one action, or a pattern with all it matches. */
export interface CountingAction {
  readonly entry: Entry;
  readonly service: Service;
  readonly actions: readonly Action[];
  readonly isPattern: boolean;
}

const none: readonly CountingAction[] = [];
const known = new FactSlot<Statement, readonly CountingAction[]>();

/**
 * The values of `Action` that exist, the bare `*` and repetitions left out. Those that do not exist
 * are for `action_validation`: a slip in an action shall not be blamed on keys and resources.
 */
export function countingActions(
  statement: Statement,
  { match }: Pick<CheckContext, "match">,
): readonly CountingAction[] {
  if (statement.actions.length === 0) return none;
  let counting = known.get(statement);
  if (!counting) {
    counting = read(statement, match);
    known.set(statement, counting);
  }
  return counting;
}

function read(statement: Statement, match: CheckContext["match"]): CountingAction[] {
  const counting: CountingAction[] = [];
  const seen = new Set<string>();
  for (const { entry, meaning } of actionsOf(statement, match).read) {
    if (seen.has(entry.text)) continue;
    seen.add(entry.text);
    if (meaning.kind === "action") {
      const { service, action } = meaning;
      counting.push({ entry, service, actions: [action], isPattern: false });
    } else if (meaning.kind === "pattern" && meaning.actions.length > 0) {
      const { service, actions } = meaning;
      counting.push({ entry, service, actions, isPattern: true });
    }
  }
  return counting;
}

/** @returns whether all values of `Action` exist, and none is the bare `*`. */
export function allCount(statement: Statement, counting: readonly CountingAction[]): boolean {
  const { length } = statement.actions;
  return counting.length === length || counting.length === namedActions(statement);
}

/** @returns the number of values of `Action`, repetitions left out. */
export function namedActions({ actions }: Statement): number {
  return new Set(actions.map(({ text }) => text)).size;
}

/** The services of these actions, once each, in order of appearance. */
export function servicesOf(counting: readonly CountingAction[]): readonly Service[] {
  return [...new Set(counting.map(({ service }) => service))];
}
