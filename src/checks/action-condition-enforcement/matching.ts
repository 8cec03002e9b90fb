import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import type { Service } from "../../services/model.ts";
import { actionsOf, type ReadAction } from "../../services/statement-actions.ts";
import { grantsAction, grantsExpression, namesOfExpression } from "../shared/action-grants.ts";
import { isDefault } from "./defaults.ts";
import { entriesPastNotAction, grantedOf } from "./granted.ts";
import { type ActionRequirement, type ActionTest, planOf } from "./requirement.ts";

/** A statement that a requirement concerns, and the entries of `Action` that are why. */
export interface Concerned {
  readonly statement: Statement;
  /** At least one, each text once. */
  readonly entries: readonly Entry[];
  /** Actions of the requirement that the statement grants by them. */
  readonly granted: readonly string[];
}

interface Granting {
  readonly statement: Statement;
  readonly read: readonly ReadAction[];
  /** Services whose data knows what the entries of `Action` match, each once; null for other entries. */
  readonly services: ReadonlySet<Service | null>;
}

/** @returns the service whose data knows what an entry matches; null when none does. */
function serviceOf({ meaning }: ReadAction): Service | null {
  return meaning.kind === "action" || meaning.kind === "pattern" ? meaning.service : null;
}

const grantings = new FactSlot<Policy, readonly Granting[]>();

/** @returns the Allow statements of the policy with an `Action`, looked up once for all requirements. */
function grantingStatements({ policy, match }: CheckContext): readonly Granting[] {
  let known = grantings.get(policy);
  if (!known) {
    known = policy.statements
      .filter(({ allows, actions }) => allows && actions.length > 0)
      .map((statement) => {
        const { read, services, areNames } = actionsOf(statement, match);
        return {
          statement,
          read,
          services: areNames ? services : new Set(read.map(serviceOf)),
        };
      });
    grantings.set(policy, known);
  }
  return known;
}

/** The tests of default requirements that may mean an action of a service: a few of all, or none. */
const testsByService = memo(
  (_: readonly ActionRequirement[]) => new WeakMap<Service, readonly ActionTest[]>(),
);

function testsOfService(
  requirements: readonly ActionRequirement[],
  service: Service,
): readonly ActionTest[] {
  const known = testsByService(requirements);
  let tests = known.get(service);
  if (!tests) {
    tests = requirements.filter(isDefault).flatMap((requirement) => {
      const plan = planOf(requirement);
      return plan.tests.filter((test) => mayMeet(test, plan.expressions, service));
    });
    known.set(service, tests);
  }
  return tests;
}

/**
 * @returns the tests of default requirements that may pick a statement of the policy; null for all of them. Most
 * requirements are about services that a policy does not have.
 */
export function concerningTests(
  requirements: readonly ActionRequirement[],
  context: CheckContext,
): ReadonlySet<ActionTest> | null {
  const concerning = new Set<ActionTest>();
  for (const { services } of grantingStatements(context)) {
    for (const service of services) {
      if (service === null) return null;
      for (const test of testsOfService(requirements, service)) concerning.add(test);
    }
  }
  return concerning;
}

/** Entries that are compared before control may be handed back. */
const entriesAtOnce = 256;

/**
 * Yields null where control may be handed back.
 * @returns the Allow statements that the test of the requirement picks, in order.
 */
export function* concernedStatements(
  requirement: ActionRequirement,
  test: ActionTest,
  context: CheckContext,
): Generator<null, Concerned[]> {
  const { expressions } = planOf(requirement);
  const concerned: Concerned[] = [];
  let compared = 0;
  for (const { statement, read, services } of grantingStatements(context)) {
    const meeting = new Set<Service | null>();
    for (const service of services) {
      if (service === null || mayMeet(test, expressions, service)) meeting.add(service);
    }
    if (meeting.size === 0) continue;
    const grantedBy = new Map<Entry, readonly string[]>();
    for (const one of read) {
      if (++compared % entriesAtOnce === 0) yield null;
      if (meeting.size < services.size && !meeting.has(serviceOf(one))) continue;
      const { entry } = one;
      if (!grants(entry.text, test.actions, expressions, context)) continue;
      const granted = grantedOf(requirement, entry, statement, context);
      if (granted.length > 0) grantedBy.set(entry, granted);
    }
    const granting = [...grantedBy.keys()];
    const picked =
      test.kind === "all_of"
        ? entriesOfAll(granting, test.actions, expressions, context)
        : granting;
    if (picked.length === 0) continue;
    const granted = new Set(picked.flatMap((entry) => grantedBy.get(entry) ?? []));
    concerned.push({ statement, entries: once(picked), granted: [...granted] });
  }
  if (isDefault(requirement)) return concerned;
  return [...concerned, ...pastNotAction(requirement, test, context)].sort(
    (one, other) => one.statement.index - other.statement.index,
  );
}

function pastNotAction(
  requirement: ActionRequirement,
  test: ActionTest,
  context: CheckContext,
): Concerned[] {
  return context.policy.statements.flatMap((statement) => {
    if (!statement.allows || statement.notActions.length === 0) return [];
    const entries = entriesPastNotAction(requirement, test.actions, statement, context);
    const isConcerned =
      test.kind === "all_of" ? entries.length === test.actions.length : entries.length > 0;
    if (!isConcerned || entries.length === 0) return [];
    return [{ statement, entries: once(entries), granted: entries.map(({ text }) => text) }];
  });
}

const meetings = new WeakMap<ActionTest, WeakMap<Service, boolean>>();

/** @returns false when no action of the service can be meant: most entries are done with here. */
function mayMeet(test: ActionTest, expressions: readonly string[], service: Service): boolean {
  let byService = meetings.get(test);
  if (!byService) {
    byService = new WeakMap();
    meetings.set(test, byService);
  }
  let may = byService.get(service);
  if (may === undefined) {
    may =
      test.actions.some((action) => namesService(action, service)) ||
      expressions.some((one) => namesOfExpression(service, one).length > 0);
    byService.set(service, may);
  }
  return may;
}

function namesService(action: string, { prefix }: Service): boolean {
  const named = action.slice(0, Math.max(0, action.indexOf(":")));
  return named === "" || hasWildcard(named) || named.toLowerCase() === prefix;
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
  entries: readonly Entry[],
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
