import type { CheckContext } from "../../engine/check.ts";
import { Kept } from "../../policy/kept.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import type { Service } from "../../services/model.ts";
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

/** An entry and the service whose data knows what it matches; null when none does. */
interface KnownEntry {
  readonly entry: Entry;
  readonly service: Service | null;
}

interface Granting {
  readonly statement: Statement;
  readonly entries: readonly KnownEntry[];
  /** Those of the entries, each once. */
  readonly services: ReadonlySet<Service | null>;
}

const grantings = new Kept<Policy, readonly Granting[]>();

/** @returns the Allow statements of the policy with an `Action`, looked up once for all requirements. */
function grantingStatements({ policy, match }: CheckContext): readonly Granting[] {
  let known = grantings.get(policy);
  if (!known) {
    known = policy.statements
      .filter(({ allows, actions }) => allows && actions.length > 0)
      .map((statement) => {
        const entries = statement.actions.map((entry): KnownEntry => {
          const meaning = match(entry.text);
          const isKnown = meaning.kind === "action" || meaning.kind === "pattern";
          return { entry, service: isKnown ? meaning.service : null };
        });
        return { statement, entries, services: new Set(entries.map(({ service }) => service)) };
      });
    grantings.set(policy, known);
  }
  return known;
}

/**
 * @returns whether the test of the requirement may pick a statement of the policy. Most requirements are
 * about services that a policy does not have.
 */
export function mayConcern(
  requirement: ActionRequirement,
  test: ActionTest,
  context: CheckContext,
): boolean {
  if (!isDefault(requirement)) return true;
  const { expressions } = planOf(requirement);
  return someOf(
    allServices(context),
    (service) => service === null || mayMeet(test, expressions, service),
  );
}

const servicesOf = new Kept<Policy, ReadonlySet<Service | null>>();

function allServices(context: CheckContext): ReadonlySet<Service | null> {
  let known = servicesOf.get(context.policy);
  if (!known) {
    known = new Set(grantingStatements(context).flatMap(({ services }) => [...services]));
    servicesOf.set(context.policy, known);
  }
  return known;
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
  for (const { statement, entries, services } of grantingStatements(context)) {
    const meets = (service: Service | null) =>
      service === null || mayMeet(test, expressions, service);
    if (!someOf(services, meets)) continue;
    const grantedBy = new Map<Entry, readonly string[]>();
    for (const { entry, service } of entries) {
      if (++compared % entriesAtOnce === 0) yield null;
      if (!meets(service)) continue;
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

function someOf<Item>(items: Iterable<Item>, test: (item: Item) => boolean): boolean {
  for (const item of items) if (test(item)) return true;
  return false;
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
