import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
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

/** A requirement, and one of the tests that pick statements for it. */
export interface Asked {
  readonly requirement: ActionRequirement;
  readonly test: ActionTest;
}

/** All tests of the requirements, in order; by service, those of built-in ones that may mean an action of it. */
interface Tests {
  readonly all: readonly Asked[];
  /** Those of requirements that an operator wrote, which hold for `NotAction`, too. */
  readonly own: ReadonlySet<Asked>;
  readonly byService: WeakMap<Service, readonly Asked[]>;
}

const testsOf = memo((requirements: readonly ActionRequirement[]): Tests => {
  const all = requirements.flatMap((requirement) =>
    planOf(requirement).tests.map((test) => ({ requirement, test })),
  );
  const own = new Set(all.filter(({ requirement }) => !isDefault(requirement)));
  return { all, own, byService: new WeakMap() };
});

function testsOfService({ all, own, byService }: Tests, service: Service): readonly Asked[] {
  let tests = byService.get(service);
  if (!tests) {
    tests = all.filter(
      (asked) => !own.has(asked) && meantBy(asked.test, asked.requirement, service) !== null,
    );
    byService.set(service, tests);
  }
  return tests;
}

/**
 * @returns the tests that may pick a statement of the policy, in order. Most requirements are about services that a
 * policy does not have.
 */
export function concerningTests(
  requirements: readonly ActionRequirement[],
  context: CheckContext,
): readonly Asked[] {
  const tests = testsOf(requirements);
  const concerning = new Set(tests.own);
  for (const { services } of grantingStatements(context)) {
    for (const service of services) {
      if (service === null) return tests.all;
      for (const asked of testsOfService(tests, service)) concerning.add(asked);
    }
  }
  return concerning.size === 0 ? none : tests.all.filter((asked) => concerning.has(asked));
}

const none: readonly Asked[] = [];

/**
 * @returns false where no statement can have what the requirement forbids, and nothing else is asked for: most
 * policies have no condition on such a key.
 */
export function mayFail({ requirement, test }: Asked, { policy }: CheckContext): boolean {
  const { conditions, detects } = planOf(requirement);
  const { allOf, anyOf, noneOf } = conditions;
  if (test.kind === "none_of" || detects || allOf.length + anyOf.length > 0) return true;
  const keys = noneOf.map(({ condition_key }) => condition_key.toLowerCase());
  return policy.statements.some(({ conditions }) =>
    conditions.some(({ keyLower }) => keys.includes(keyLower)),
  );
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
    let isConcerned = false;
    for (const service of services) {
      isConcerned ||= service === null || meantBy(test, requirement, service) !== null;
    }
    if (!isConcerned) continue;
    const grantedBy = new Map<Entry, readonly string[]>();
    let last: Service | null = null;
    let meant: ReadonlySet<Action> | null = null;
    for (const one of read) {
      if (++compared % entriesAtOnce === 0) yield null;
      const { entry, meaning } = one;
      const service = serviceOf(one);
      // Neighbours in a list are mostly of one service.
      if (service !== null && service !== last) {
        last = service;
        meant = meantBy(test, requirement, service);
      }
      if (service !== null && meant === null) continue;
      const isMeant =
        meaning.kind === "action"
          ? meant?.has(meaning.action)
          : grants(entry.text, test.actions, expressions, context);
      if (!isMeant) continue;
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

const meetings = new WeakMap<ActionTest, WeakMap<Service, ReadonlySet<Action> | null>>();

/** @returns the actions of the service that the test means; null when it cannot mean any: most entries are done with here. */
function meantBy(
  test: ActionTest,
  requirement: ActionRequirement,
  service: Service,
): ReadonlySet<Action> | null {
  let byService = meetings.get(test);
  if (!byService) {
    byService = new WeakMap();
    meetings.set(test, byService);
  }
  let meant = byService.get(service);
  if (meant === undefined) {
    meant = meantIn(service, test.actions, planOf(requirement).expressions);
    byService.set(service, meant);
  }
  return meant;
}

function meantIn(
  service: Service,
  actions: readonly string[],
  expressions: readonly string[],
): ReadonlySet<Action> | null {
  const wanted = actions.filter((action) => namesService(action, service));
  const expressed = new Set(expressions.flatMap((one) => namesOfExpression(service, one)));
  if (wanted.length === 0 && expressed.size === 0) return null;
  return new Set(
    service.actions.filter(
      ({ qualified }) =>
        expressed.has(qualified) ||
        wanted.some((action) => globMatches(action, qualified, { ignoreCase: true })),
    ),
  );
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
