import type { QuestionOptions } from "../access/answers.ts";
import {
  type AccessDocument,
  type AccessStatement,
  type AccessType,
  readDocument,
} from "../access/document.ts";
import { askWithin } from "../access/questions.ts";
import { isRecord } from "../record.ts";
import { isWithin } from "./within.ts";

/** What a proof finds out about a promise. */
export type Proof = "holds" | "fails" | "undecided";

/** A proof in progress: yields when control can be handed back. */
export type Proving = Generator<null, Proof>;

export interface ProofContext {
  readonly type: AccessType;
  readonly services: QuestionOptions["services"];
  /**
   * What all proofs of the policy may still take; each takes off what it uses. A step is one of the access procedure; a value is
   * a name or a condition value that the procedure reads first, of each statement that it compares.
   */
  readonly budget: { steps: number; values: number };
}

/** Steps of one direction of one proof. */
const maxSteps = 20_000;
/** Changed statements of one effect whose texts are compared. */
const maxCompared = 30;

/**
 * Whether a fix keeps its promise for this policy. A is the set of requests that a policy allows, D the
 * set that it denies explicitly. Only the statements that the fix changes are compared, with all of
 * their effect where that is needed: with the others unchanged, A shrinks if the Allow statements match
 * less and the Deny statements match more.
 * @param claim `equivalent`: A and D stay the same. `narrows`: A is a subset, D a superset.
 * @param before Shares its unchanged statements with `after`.
 * @returns the proof, or the work to do where the texts of the statements do not show it, as those of nearly all fixes do.
 */
export function prove(
  claim: "equivalent" | "narrows",
  before: unknown,
  after: unknown,
  context: ProofContext,
): Proof | Proving {
  const sides = sidesOf(before, after, context.type);
  const { before: old, after: now } = sides;
  const inclusions: Inclusion[] = [
    { effect: "allow", inner: now, outer: old },
    { effect: "deny", inner: old, outer: now },
  ];
  if (claim === "equivalent") {
    inclusions.push(
      { effect: "allow", inner: old, outer: now },
      { effect: "deny", inner: now, outer: old },
    );
  }
  for (const [index, inclusion] of inclusions.entries()) {
    const proof = shown(inclusion, sides.areAlike);
    if (proof === null) return ask(inclusions.slice(index), sides.areAlike, context);
    if (proof !== "holds") return proof;
  }
  return "holds";
}

function* ask(inclusions: readonly Inclusion[], areAlike: boolean, context: ProofContext): Proving {
  for (const inclusion of inclusions) {
    const proof = shown(inclusion, areAlike) ?? (yield* within(inclusion, areAlike, context));
    if (proof !== "holds") return proof;
  }
  return "holds";
}

/** What the statements of one side and effect match, the other side must match, too. */
interface Inclusion {
  readonly effect: "allow" | "deny";
  readonly inner: Side;
  readonly outer: Side;
}

/** One side of the comparison. */
interface Side {
  /** The statements that the other side does not have. */
  readonly changed: AccessDocument;
  /** All statements. */
  readonly whole: () => AccessDocument;
}

interface Sides {
  readonly before: Side;
  readonly after: Side;
  /** Both sides read variables alike, so that texts can be compared. */
  readonly areAlike: boolean;
}

function sidesOf(before: unknown, after: unknown, type: AccessType): Sides {
  const [old, now] = [statementsIn(before), statementsIn(after)];
  const isSameVersion = versionOf(before) === versionOf(after);
  // Without variables the version changes nothing.
  const areAlike = isSameVersion || !(hasVariables(before) || hasVariables(after));
  const sideOf = (raw: unknown, all: readonly unknown[], others: readonly unknown[]): Side => {
    const Version = areAlike ? versionOf(before) : versionOf(raw);
    const read = (Statement: readonly unknown[]) => readDocument({ Version, Statement }, type);
    return { changed: read(areAlike ? without(all, others) : all), whole: () => read(all) };
  };
  return { before: sideOf(before, old, now), after: sideOf(after, now, old), areAlike };
}

/** What the changed statements show; null: nothing. */
function shown({ effect, inner, outer }: Inclusion, areAlike: boolean): Proof | null {
  const left = having(inner.changed, effect);
  if (left.length === 0) return unreadable(inner, outer) ? "undecided" : "holds";
  return areAlike && textsWithin(left, having(outer.changed, effect)) ? "holds" : null;
}

function* within(
  { effect, inner, outer }: Inclusion,
  areAlike: boolean,
  context: ProofContext,
): Proving {
  const left = having(inner.changed, effect);
  const whole = outer.whole();
  const right = having(whole, effect);
  if (areAlike && textsWithin(left, right)) return "holds";
  const steps = Math.min(maxSteps, context.budget.steps);
  const { services, type, budget } = context;
  budget.values -= valuesOf(left) + valuesOf(right);
  if (steps <= 0 || budget.values < 0) return "undecided";
  const answer = yield* askWithin(
    { ...inner.changed, statements: left },
    { ...whole, statements: right },
    type,
    effect === "allow" ? "allowed" : "denied",
    { services, maxSteps: steps, maxStatements: 1 },
  );
  budget.steps -= answer.steps;
  return answer.verdict === "violated" ? "fails" : answer.verdict;
}

function valuesOf(statements: readonly AccessStatement[]): number {
  let values = 0;
  for (const { action, resource, conditions } of statements) {
    values += action.entries.length + (resource?.entries.length ?? 0);
    for (const condition of conditions) values += condition.values.length;
  }
  return values;
}

/** A statement that cannot be read may match anything. */
function unreadable(...sides: readonly Side[]): boolean {
  return sides.some(({ changed }) => changed.statements.some(({ readable }) => !readable));
}

/** The statements of one effect, and those that cannot be read. */
function having(
  { statements }: AccessDocument,
  effect: "allow" | "deny",
): readonly AccessStatement[] {
  return statements.filter((one) => !one.readable || one.effect === effect);
}

function textsWithin(left: readonly AccessStatement[], right: readonly AccessStatement[]): boolean {
  if (left.length > maxCompared) return false;
  const others = right.length > maxCompared ? right.slice(0, maxCompared) : right;
  return left.every((one) => others.some((other) => isWithin(one, other)));
}

function statementsIn(raw: unknown): readonly unknown[] {
  const list = isRecord(raw) ? raw.Statement : undefined;
  return Array.isArray(list) ? list : [list];
}

function versionOf(raw: unknown): unknown {
  return isRecord(raw) ? raw.Version : undefined;
}

function hasVariables(raw: unknown): boolean {
  return JSON.stringify(raw).includes("${");
}

/** The entries of a list that another does not have, by identity; one that is there twice counts twice. */
function without(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  // Most fixes leave all statements but one in their places.
  const moved = list.filter((one, index) => one !== others[index]);
  const found = others.filter((one, index) => one !== list[index]);
  if (moved.length === 0 || found.length === 0) return moved;
  const counts = new Map<unknown, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return moved.filter((one) => {
    const count = counts.get(one) ?? 0;
    if (count > 0) counts.set(one, count - 1);
    return count === 0;
  });
}
