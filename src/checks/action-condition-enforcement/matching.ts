import type { CheckContext } from "../../engine/check.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { grantsAction, grantsExpression } from "../shared/action-grants.ts";
import type { ActionTest } from "./requirement.ts";

/** A statement that a requirement concerns, and the entries of `Action` that are why. */
export interface Concerned {
  readonly statement: Statement;
  /** At least one, each text once. */
  readonly entries: readonly Entry[];
}

/** @returns the Allow statements that the test picks, in order. */
export function concernedStatements(
  test: ActionTest,
  expressions: readonly string[],
  context: CheckContext,
): Concerned[] {
  return context.policy.statements.flatMap((statement) => {
    if (!statement.allows || statement.actions.length === 0) return [];
    const entries =
      test.kind === "all_of"
        ? entriesOfAll(statement, test.actions, expressions, context)
        : statement.actions.filter(({ text }) => grants(text, test.actions, expressions, context));
    return entries.length > 0 ? [{ statement, entries: once(entries) }] : [];
  });
}

function grants(
  text: string,
  actions: readonly string[],
  expressions: readonly string[],
  context: CheckContext,
): boolean {
  return (
    actions.some((action) => grantsAction(text, action, context)) ||
    expressions.some((expression) => grantsExpression(text, expression, context))
  );
}

/** The first entry for each action, if there is one for every action; expressions widen the test. */
function entriesOfAll(
  { actions: entries }: Statement,
  actions: readonly string[],
  expressions: readonly string[],
  context: CheckContext,
): Entry[] {
  const granting = actions.flatMap(
    (action) => entries.find(({ text }) => grantsAction(text, action, context)) ?? [],
  );
  const whole = granting.length === actions.length ? granting : [];
  return [...whole, ...entries.filter(({ text }) => grants(text, [], expressions, context))];
}

function once(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ text }) => !seen.has(text) && seen.add(text));
}
