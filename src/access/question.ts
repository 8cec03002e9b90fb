import { ActionIndex } from "./action-index.ts";
import type { Asked, Branch, Outcome, StatementViolation } from "./asked.ts";
import { type Budget, BudgetExceeded, type Steps } from "./budget.ts";
import type { Caller } from "./callers.ts";
import type { AccessStatement } from "./document.ts";
import { Feasibility } from "./feasible.ts";
import { groupsOf, Reach } from "./groups.ts";
import type { Confirmed, Group, Kind } from "./leaf.ts";
import { type Literal, oneOf, type Place, type State, Terms } from "./literals.ts";
import type { Box, Origin } from "./origin.ts";
import { Variables } from "./read-pattern.ts";
import { type Blocker, leavesOf, type SearchScope } from "./search.ts";
import { StatementReader } from "./statements.ts";

/** Most leaves that are tried for one group, kind of caller and branch. */
const maxLeaves = 64;

const rank: Readonly<Record<Kind, number>> = { grants: 0, unfitting: 1, unknown_action: 2 };

/** Searches all groups of all grants. Yields null when control is to be handed back. */
export function* searchAll(asked: Asked, budget: Budget): Generator<null, Outcome> {
  const search = new QuestionSearch(asked, budget);
  const violations: StatementViolation[] = [];
  const undecided: Place[] = [];
  const decided = new Set<number>();
  try {
    yield* search.prepare();
    for (const origin of asked.grants) {
      const found = yield* search.statement(origin);
      if (found.violation) violations.push(found.violation);
      else undecided.push(...found.undecided);
      if (found.violation || found.undecided.length === 0) decided.add(origin.statement.index);
      if (violations.length >= asked.maxStatements) break;
    }
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    undecided.push({ construct: "budget", path: "", side: "policy", text: "", key: null });
  }
  return { violations, undecided, decided };
}

class QuestionSearch {
  readonly #asked: Asked;
  readonly #budget: Budget;
  readonly #terms = new Terms();
  readonly #reader: StatementReader;
  readonly #index: ActionIndex;
  readonly #elements: Origin[] = [];
  readonly #elementOf = new Map<AccessStatement, number>();
  readonly #boxes = new Map<string, Map<AccessStatement, readonly Box[]>>();
  readonly #scopes = new Map<string, SearchScope>();
  readonly #focus: number | null;

  constructor(asked: Asked, budget: Budget) {
    this.#asked = asked;
    this.#budget = budget;
    this.#reader = new StatementReader(this.#terms, new Variables(), asked.keys, budget);
    for (const { also, blockers } of asked.branches) {
      for (const origin of also ? [also, ...blockers] : blockers) this.#add(origin);
    }
    const elements = this.#elements.map(({ statement }) => statement.action);
    const focused = asked.focus?.actions ?? null;
    this.#focus = focused ? elements.length : null;
    this.#index = new ActionIndex(focused ? [...elements, focused] : elements, budget);
  }

  /** Reads the action elements; before any statement. */
  prepare(): Steps<void> {
    return this.#index.read();
  }

  #add(origin: Origin): void {
    if (this.#elementOf.has(origin.statement)) return;
    this.#elementOf.set(origin.statement, this.#elements.length);
    this.#elements.push(origin);
  }

  *statement(
    origin: Origin,
  ): Generator<
    null,
    { readonly violation: StatementViolation | null; readonly undecided: readonly Place[] }
  > {
    const undecided: Place[] = [];
    const entries: string[] = [];
    let best: { confirmed: Confirmed; branch: Branch } | null = null;
    for (const one of groupsOf(origin, this.#index, this.#budget)) {
      if (!one) {
        yield null;
        continue;
      }
      const [group, taking] = one;
      const found = yield* this.#group(origin, group, taking);
      undecided.push(...found.undecided);
      if (!found.best) continue;
      entries.push(...group.entries);
      if (!best || rank[found.best.confirmed.kind] < rank[best.confirmed.kind]) best = found.best;
    }
    if (!best) return { violation: null, undecided };
    const order = new Set(entries);
    const { confirmed, branch } = best;
    return {
      undecided: [],
      violation: {
        origin,
        entries: [...new Set(origin.statement.action.entries)].filter((entry) => order.has(entry)),
        confirmed,
        reason: branch.reason,
        other: branch.also?.statement.index ?? null,
      },
    };
  }

  *#group(
    origin: Origin,
    group: Group,
    taking: readonly number[] | null,
  ): Generator<
    null,
    { best: { confirmed: Confirmed; branch: Branch } | null; undecided: readonly Place[] }
  > {
    const undecided: Place[] = [];
    let best: { confirmed: Confirmed; branch: Branch } | null = null;
    const reach = new Reach(this.#index, group, taking);
    if (this.#focus !== null && reach.of(this.#focus) === "none") return { best, undecided };
    for (const branch of this.#asked.branches) {
      const also = branch.also ? reach.of(this.#elementIndex(branch.also)) : "all";
      if (also === "none") continue;
      const blockers: Origin[] = [];
      for (const blocker of branch.blockers) {
        if (reach.of(this.#elementIndex(blocker)) !== "none") blockers.push(blocker);
        if (this.#budget.pauseDue) yield null;
      }
      for (const caller of this.#asked.callers) {
        const found = yield* this.#caller(origin, group, reach, { ...branch, blockers }, caller);
        undecided.push(...found.undecided);
        if (!found.confirmed) continue;
        if (!best || rank[found.confirmed.kind] < rank[best.confirmed.kind]) {
          best = { confirmed: found.confirmed, branch };
        }
        if (best.confirmed.kind === "grants") return { best, undecided };
      }
    }
    return { best, undecided };
  }

  #elementIndex({ statement }: Origin): number {
    return this.#elementOf.get(statement) ?? -1;
  }

  *#caller(
    origin: Origin,
    group: Group,
    reach: Reach,
    branch: Branch,
    caller: Caller,
  ): Generator<null, { confirmed: Confirmed | null; undecided: readonly Place[] }> {
    const undecided: Place[] = [];
    this.#budget.toil(1);
    if (this.#budget.pauseDue) yield null;
    const limits = this.#asked.limits(this.#reader, caller);
    if (!limits) return { confirmed: null, undecided };
    // Before the blockers, which may be thousands: of many named callers, each is in a few statements.
    for (const one of caller.name === "" ? [] : [origin, branch.also ?? origin]) {
      if ((yield* this.#boxesOf(one, caller)).length === 0) return { confirmed: null, undecided };
    }
    const scope = this.#scope(caller);
    const fixed = [...limits, ...this.#actionLiterals(group, reach, branch)];
    const resources = this.#focusedResources(caller);
    if (resources === null) return { confirmed: null, undecided };
    fixed.push(...resources);
    const blockers: Blocker[] = [];
    for (const blocker of branch.blockers) {
      const action = this.#literalOf(reach.of(this.#elementIndex(blocker)));
      for (const { literals } of yield* this.#boxesOf(blocker, caller)) {
        blockers.push({ literals: action ? [action, ...literals] : literals });
      }
      this.#budget.toil(1);
      if (this.#budget.pauseDue) yield null;
    }
    blockers.push(...this.#asked.exceptions(this.#reader, caller));
    const extras = branch.also ? yield* this.#boxesOf(branch.also, caller) : [{ literals: [] }];
    let confirmed: Confirmed | null = null;
    for (const box of yield* this.#boxesOf(origin, caller)) {
      for (const extra of extras) {
        const start = [...fixed, ...box.literals, ...extra.literals];
        let leaves = 0;
        for (const state of leavesOf(start, blockers, scope)) {
          if (state === null) {
            yield null;
            continue;
          }
          if (++leaves > maxLeaves) {
            if (!confirmed) undecided.push(tooManyLeaves(origin));
            break;
          }
          const doubt = this.#doubtOf(state, scope, origin);
          const { variables } = this.#reader;
          const leaf = { state, scope, caller, origin, group, variables };
          const found = doubt ?? (yield* this.#asked.witness(leaf));
          if (!found || this.#isIgnored(found)) continue;
          if ("construct" in found) {
            undecided.push(found);
            continue;
          }
          if (!confirmed || rank[found.kind] < rank[confirmed.kind]) confirmed = found;
          if (confirmed.kind === "grants") return { confirmed, undecided };
        }
      }
    }
    return { confirmed, undecided };
  }

  #isIgnored(found: Confirmed | Place): boolean {
    return this.#asked.ignoresUnknownActions && "kind" in found && found.kind === "unknown_action";
  }

  #scope(caller: Caller): SearchScope {
    let scope = this.#scopes.get(caller.id);
    if (!scope) {
      const { keys, named } = this.#asked;
      const feasibility = new Feasibility(this.#terms, keys, caller, named, this.#budget);
      scope = { terms: this.#terms, feasibility, budget: this.#budget };
      this.#scopes.set(caller.id, scope);
    }
    return scope;
  }

  *#boxesOf(origin: Origin, caller: Caller): Steps<readonly Box[]> {
    let boxes = this.#boxes.get(caller.id);
    if (!boxes) {
      boxes = new Map();
      this.#boxes.set(caller.id, boxes);
    }
    let found = boxes.get(origin.statement);
    if (!found) {
      this.#budget.spend(1);
      found = yield* this.#reader.boxes(origin, caller);
      boxes.set(origin.statement, found);
    }
    return found;
  }

  #actionLiterals(group: Group, reach: Reach, { also }: Branch): readonly Literal[] {
    if (!group.pattern) return [];
    const dimension = this.#terms.dimension("@action");
    const literals = [oneOf(this.#terms, dimension, group.pattern.patterns, group.pattern.negated)];
    for (const element of [also ? this.#elementIndex(also) : null, this.#focus]) {
      const literal = element === null ? null : this.#literalOf(reach.of(element));
      if (literal) literals.push(literal);
    }
    return literals;
  }

  #literalOf(overlap: ReturnType<Reach["of"]>): Literal | null {
    if (typeof overlap === "string") return null;
    return oneOf(this.#terms, this.#terms.dimension("@action"), overlap.patterns, overlap.negated);
  }

  /** Null: no resource that is asked about exists. */
  #focusedResources(caller: Caller): readonly Literal[] | null {
    const wanted = this.#asked.focus?.resources ?? [];
    if (wanted.length === 0) return [];
    const patterns = wanted.flatMap(
      (text) => this.#reader.resourceEntry(text, false, caller) ?? [],
    );
    if (patterns.length === 0) return null;
    return [oneOf(this.#terms, this.#terms.dimension("@resource"), patterns)];
  }

  /** Why a leaf proves nothing: it depends on what cannot be read. */
  #doubtOf(state: State, { feasibility }: SearchScope, { statement, side }: Origin): Place | null {
    for (const [index, ids] of state.entries()) {
      const dimension = this.#terms.dimensions[index];
      if (!ids || !dimension) continue;
      if (dimension.doubt) return dimension.doubt;
      if (!dimension.isMultivalued) continue;
      const { absent, present } = feasibility.of(dimension, ids);
      if (absent || present !== "several") continue;
      const { spelling } = this.#asked.keys.get(dimension.name);
      const construct = "set_operator_missing";
      return { construct, path: statement.path, side, text: "", key: spelling };
    }
    return null;
  }
}

function tooManyLeaves({ statement, side }: Origin): Place {
  return { construct: "too_many_leaves", path: statement.path, side, text: "", key: null };
}
