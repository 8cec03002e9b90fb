import type { ServiceLookup } from "../services/model.ts";
import { ActionIndex, actionPattern, isLiteralAction } from "./action-index.ts";
import { type Budget, BudgetExceeded, type Steps } from "./budget.ts";
import type { Caller } from "./callers.ts";
import type { AccessStatement, AccessType, Names } from "./document.ts";
import { Feasibility, type Named } from "./feasible.ts";
import type { QuestionKeys } from "./keys.ts";
import { type Literal, oneOf, type Place, type State, Terms } from "./literals.ts";
import type { Pattern } from "./patterns.ts";
import { Variables } from "./read-pattern.ts";
import type { AccessRequest } from "./request.ts";
import { type Blocker, leavesOf, type SearchScope } from "./search.ts";
import { type Box, type Origin, StatementReader } from "./statements.ts";

export type Kind = "grants" | "unfitting" | "unknown_action";

/** A confirmed request. */
export interface Confirmed {
  readonly request: AccessRequest;
  readonly kind: Kind;
}

/** One way in which a question may be violated: the requests that match one statement and these. */
export interface Branch {
  /** Must match too; null: the statement alone. */
  readonly also: Origin | null;
  readonly blockers: readonly Origin[];
  readonly reason: Reason;
}

export type Reason = "not_allowed_before" | "denied_before" | "forbidden" | "public";

/** What a leaf stands for; the witness is built from it. */
export interface Leaf {
  readonly state: State;
  readonly scope: SearchScope;
  readonly caller: Caller;
  readonly origin: Origin;
  /** Entries of the group; of a `NotAction` all of them. */
  readonly group: Group;
  readonly variables: Variables;
}

export interface Group {
  /** Entries of the statement's action element, as written. */
  readonly entries: readonly string[];
  /** Null: the entries are actions; else what the action must be. */
  readonly pattern: { readonly patterns: readonly Pattern[]; readonly negated: boolean } | null;
}

export interface StatementViolation {
  readonly origin: Origin;
  readonly entries: readonly string[];
  readonly confirmed: Confirmed;
  readonly reason: Reason;
  readonly other: number | null;
}

/** What a question asks for, beside the statements that grant. */
export interface Asked {
  readonly type: AccessType;
  readonly grants: readonly Origin[];
  readonly branches: readonly Branch[];
  readonly callers: readonly Caller[];
  readonly named: Named;
  readonly keys: QuestionKeys;
  readonly services: Pick<ServiceLookup, "get">;
  /** Literals that every request has to meet; null: the caller is not asked about. */
  limits(reader: StatementReader, caller: Caller): readonly Literal[] | null;
  /** Actions and resources that are asked about; null: any. */
  readonly focus: { readonly actions: Names | null; readonly resources: readonly string[] } | null;
  /** Conjunctions that must not hold, beside the statements. */
  exceptions(reader: StatementReader, caller: Caller): readonly Blocker[];
  /** Whether a leaf is real: builds a request and has it confirmed. */
  witness(leaf: Leaf): Steps<Confirmed | Place | null>;
  readonly maxStatements: number;
  readonly ignoresUnknownActions: boolean;
}

export interface Outcome {
  readonly violations: readonly StatementViolation[];
  readonly undecided: readonly Place[];
  /** Indexes of grants that were searched to the end, or violated. */
  readonly decided: ReadonlySet<number>;
}

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
    this.#reader = new StatementReader(
      this.#terms,
      new Variables(),
      asked.keys,
      asked.type,
      budget,
    );
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
    for (const one of this.#groups(origin)) {
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

  /**
   * Groups of the statement's entries; for literal ones with the elements that take them. Null where
   * control may be handed back.
   */
  *#groups(origin: Origin): Generator<readonly [Group, readonly number[] | null] | null> {
    const { entries, negated } = origin.statement.action;
    if (negated) {
      yield [{ entries, pattern: { patterns: entries.map(actionPattern), negated: true } }, null];
      return;
    }
    const alike = new Map<string, { entries: string[]; taking: readonly number[] }>();
    for (const entry of new Set(entries)) {
      if (!isLiteralAction(entry) || !entry.includes(":")) continue;
      const taking = this.#index.taking(entry);
      const key = taking.join();
      const group = alike.get(key);
      if (group) group.entries.push(entry);
      else alike.set(key, { entries: [entry], taking });
      if (this.#budget.pauseDue) yield null;
    }
    for (const group of alike.values())
      yield [{ entries: group.entries, pattern: null }, group.taking];
    for (const entry of new Set(entries)) {
      if (isLiteralAction(entry)) continue;
      yield [
        { entries: [entry], pattern: { patterns: [actionPattern(entry)], negated: false } },
        null,
      ];
    }
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
    const limits = this.#asked.limits(this.#reader, caller);
    if (!limits) return { confirmed: null, undecided };
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

/** Which elements a group's actions reach, worked out once for each. */
class Reach {
  readonly #index: ActionIndex;
  readonly #group: Group;
  readonly #taking: ReadonlySet<number> | null;
  readonly #known = new Map<number, ReturnType<ActionIndex["overlap"]>>();

  constructor(index: ActionIndex, group: Group, taking: readonly number[] | null) {
    this.#index = index;
    this.#group = group;
    this.#taking = taking && new Set(taking);
  }

  of(element: number): ReturnType<ActionIndex["overlap"]> {
    if (this.#taking) return this.#taking.has(element) ? "all" : "none";
    let overlap = this.#known.get(element);
    if (!overlap) {
      const { pattern } = this.#group;
      const [entry] = pattern && !pattern.negated ? pattern.patterns : [];
      overlap = this.#index.overlap(element, entry ?? actionPattern("*"));
      this.#known.set(element, overlap);
    }
    return overlap;
  }
}
