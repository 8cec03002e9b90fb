import type { Budget } from "./budget.ts";
import type { Feasibility } from "./feasible.ts";
import { isPossible } from "./feasible.ts";
import { linksHold } from "./links.ts";
import type { Dimension, Literal, State, Terms } from "./literals.ts";

/** A conjunction that must not hold, and what it means. */
export interface Blocker {
  readonly literals: readonly Literal[];
}

interface Pending {
  readonly blocker: Blocker;
  /** Literals whose negation is still possible. */
  readonly open: readonly Literal[];
}

interface Node {
  readonly state: State;
  readonly pending: readonly Pending[];
}

/** What one search of a group needs. */
export interface SearchScope {
  readonly terms: Terms;
  readonly feasibility: Feasibility;
  readonly budget: Budget;
}

/**
 * Looks for states that no blocker takes whole: the leaves. Hands control back (yields null) at
 * least every few hundred steps.
 */
export function* leavesOf(
  start: readonly Literal[],
  blockers: readonly Blocker[],
  scope: SearchScope,
): Generator<State | null, void> {
  const { budget } = scope;
  const { feasibility } = scope;
  const state = yield* feasibility.whenReady(() => startState(start, scope));
  if (!state || !(yield* feasibility.whenReady(() => linksHold(state, scope)))) return;
  const first: Pending[] = [];
  for (const blocker of blockers) {
    if (budget.pauseDue) yield null;
    const whole = { blocker, open: blocker.literals };
    const pending = yield* feasibility.whenReady(() => weigh(whole, state, null, scope));
    if (pending === "blocks") return;
    if (pending) first.push(pending);
  }
  if (first.length >= manyBlockers) {
    const escaped = yield* feasibility.whenReady(() => escapedAtOnce(state, first, scope));
    if (escaped) yield escaped;
  }
  const stack: Node[] = [{ state, pending: first }];
  for (let node = stack.pop(); node; node = stack.pop()) {
    budget.spend(1);
    if (budget.pauseDue) yield null;
    const chosen = fewestOpen(node.pending);
    if (!chosen) {
      yield node.state;
      continue;
    }
    const children: Node[] = [];
    for (const literal of inOrder(chosen.open, scope.terms)) {
      const child = yield* descend(node, chosen, scope.terms.negation(literal), scope);
      if (child) children.push(child);
      if (budget.pauseDue) yield null;
    }
    for (const child of children.reverse()) stack.push(child);
  }
}

/** Blockers from which one is tried on all at once: weighing them one after the other takes long. */
const manyBlockers = 16;

/** The state with the first open literal of each blocker negated; null: no request of it exists. */
function escapedAtOnce(
  state: State,
  pending: readonly Pending[],
  scope: SearchScope,
): State | null {
  let escaped = state;
  for (const { open } of pending) {
    const [literal] = inOrder(open, scope.terms);
    if (literal) escaped = extended(escaped, scope.terms.negation(literal));
  }
  for (const [index, ids] of escaped.entries()) {
    if (ids && !isPossible(scope.feasibility.of(dimensionAt(scope, index), ids))) return null;
  }
  return linksHold(escaped, scope) ? escaped : null;
}

function startState(literals: readonly Literal[], scope: SearchScope): State | null {
  let state: State = [];
  for (const literal of literals) state = extended(state, literal);
  for (const [index, ids] of state.entries()) {
    if (ids && !isPossible(scope.feasibility.of(dimensionAt(scope, index), ids))) return null;
  }
  return state;
}

function dimensionAt({ terms }: SearchScope, index: number): Dimension {
  const dimension = terms.dimensions[index];
  if (!dimension) throw new Error("no such dimension");
  return dimension;
}

/** The state with one more literal. */
function extended(state: State, { dimension, id }: Literal): State {
  const ids = state[dimension] ?? [];
  if (ids.includes(id)) return state;
  const copy = [...state];
  copy[dimension] = withId(ids, id);
  return copy;
}

function withId(ids: readonly number[], id: number): readonly number[] {
  return [...ids, id].sort((left, right) => left - right);
}

/**
 * What is left of a blocker. @param changed The only dimension that changed since; null: all.
 * @returns null when it cannot hold any more, `blocks` when it always does.
 */
function weigh(
  pending: Pending,
  state: State,
  changed: number | null,
  scope: SearchScope,
): Pending | null | "blocks" {
  const { blocker } = pending;
  for (const literal of blocker.literals) {
    if (changed !== null && literal.dimension !== changed) continue;
    if (!allows(state, literal, scope)) return null;
  }
  const open = pending.open.filter(
    (literal) =>
      (changed !== null && literal.dimension !== changed) ||
      allows(state, scope.terms.negation(literal), scope),
  );
  if (open.length === 0) return "blocks";
  return open.length === pending.open.length ? pending : { blocker, open };
}

/** Whether a blocker has no literal of the dimension that changed. */
function isUntouched({ blocker }: Pending, changed: Literal): boolean {
  return !blocker.literals.some(({ dimension }) => dimension === changed.dimension);
}

function allows(state: State, literal: Literal, scope: SearchScope): boolean {
  const ids = state[literal.dimension];
  if (ids?.includes(literal.id)) return true;
  scope.budget.spend(1);
  const next = withId(ids ?? [], literal.id);
  return isPossible(scope.feasibility.of(dimensionAt(scope, literal.dimension), next));
}

function fewestOpen(pending: readonly Pending[]): Pending | undefined {
  let fewest: Pending | undefined;
  for (const one of pending) if (!fewest || one.open.length < fewest.open.length) fewest = one;
  return fewest;
}

/** Resource, action, then other dimensions as they came; opaque ones last. */
function inOrder(literals: readonly Literal[], terms: Terms): readonly Literal[] {
  const rank = ({ dimension }: Literal): number => {
    const found = terms.dimensions[dimension];
    if (found?.name === "@resource") return 0;
    if (found?.name === "@action") return 1;
    return found?.doubt ? 3 : 2;
  };
  return [...literals].sort((left, right) => rank(left) - rank(right));
}

function* descend(
  node: Node,
  chosen: Pending,
  literal: Literal,
  scope: SearchScope,
): Generator<null, Node | null> {
  const { feasibility } = scope;
  // The state is copied.
  scope.budget.spend(node.state.length >> 4);
  const state = extended(node.state, literal);
  if (!(yield* feasibility.whenReady(() => linksHold(state, scope)))) return null;
  const pending: Pending[] = [];
  for (const one of node.pending) {
    if (one === chosen) continue;
    const left = isUntouched(one, literal)
      ? one
      : yield* feasibility.whenReady(() => weigh(one, state, literal.dimension, scope));
    if (left === "blocks") return null;
    if (left) pending.push(left);
    scope.budget.toil(1 / 16);
    if (scope.budget.pauseDue) yield null;
  }
  return { state, pending };
}
