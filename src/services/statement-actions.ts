import { FactSlot } from "../policy/fact-slot.ts";
import type { Entry, Statement } from "../policy/model.ts";
import type { ActionMatch, Service } from "./model.ts";

/** An entry of `Action` and what it means. */
export interface ReadAction {
  readonly entry: Entry;
  readonly meaning: ActionMatch;
}

/** What the entries of `Action` of a statement mean: one table for all checks and rules. */
export interface StatementActions {
  /** In the order of the statement. */
  readonly read: readonly ReadAction[];
  /** Services of which an entry matches an action or is a pattern, each once. */
  readonly services: ReadonlySet<Service>;
  /** Each entry is the name of a known action. Most statements are so, and many checks end here. */
  readonly areNames: boolean;
}

const known = new FactSlot<Statement, StatementActions>();

const nothing: StatementActions = { read: [], services: new Set(), areNames: true };

/** @param match Looks an entry up; the answer for a text is the same for all of a policy. */
export function actionsOf(
  statement: Statement,
  match: (action: string) => ActionMatch,
): StatementActions {
  return (
    known.get(statement) ??
    keepActions(
      statement,
      statement.actions.map((entry) => ({ entry, meaning: match(entry.text) })),
    )
  );
}

/** Keeps what the entries mean, for {@link actionsOf}: the engine looks them up with pauses in between. */
export function keepActions(statement: Statement, read: readonly ReadAction[]): StatementActions {
  const table = read.length === 0 ? nothing : tableOf(read);
  known.set(statement, table);
  return table;
}

function tableOf(read: readonly ReadAction[]): StatementActions {
  const services = new Set<Service>();
  let last: Service | undefined;
  let areNames = true;
  for (const { meaning } of read) {
    if (meaning.kind !== "action") areNames = false;
    if (meaning.kind !== "action" && meaning.kind !== "pattern") continue;
    // Neighbours in a list are mostly of one service.
    if (meaning.service !== last) services.add(meaning.service);
    last = meaning.service;
  }
  return { read, services, areNames };
}
