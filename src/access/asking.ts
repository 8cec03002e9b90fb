import type { Asking, UndecidedBy } from "./answers.ts";
import type { Asked, Branch } from "./asked.ts";
import { Budget } from "./budget.ts";
import { namedRoles } from "./caller-kinds.ts";
import type { Caller } from "./callers.ts";
import type { AccessDocument, Names } from "./document.ts";
import { entriesMet } from "./evaluate.ts";
import type { Leaf } from "./leaf.ts";
import type { Literal, Place } from "./literals.ts";
import type { Origin, Side } from "./origin.ts";
import { searchAll } from "./question.ts";
import type { AccessRequest } from "./request.ts";
import type { Blocker } from "./search.ts";
import type { Setting } from "./setting.ts";
import type { StatementReader } from "./statements.ts";
import { undecidedText } from "./undecided.ts";
import { isWellFormed } from "./well-formed.ts";
import { witnessOf } from "./witness.ts";
import type { Confirmation } from "./witness-rules.ts";

const maxUndecided = 10;
const maxEntries = 50;

export interface Question {
  readonly grants: readonly Origin[];
  readonly branches: readonly Branch[];
  readonly unreadable: readonly Place[];
  readonly focus: Asked["focus"];
  limits(reader: StatementReader, caller: Caller): readonly Literal[] | null;
  exceptions(reader: StatementReader, caller: Caller): readonly Blocker[];
  /** A leaf that cannot be real, although each of its dimensions can. */
  isImpossible(leaf: Leaf): boolean;
  confirm(request: AccessRequest): Confirmation;
}

/** A question that sets no limits. */
export const open = {
  focus: null,
  limits: () => [],
  exceptions: () => [],
  isImpossible: () => false,
};

/** Runs the search of one question and words its answer. */
export function* asking(setting: Setting, question: Question): Asking {
  const { documents, keys, usedKeys, options, type } = setting;
  const budget = new Budget(options.maxSteps);
  // What the evaluator goes through for one request.
  const size = 1 + sizeOf(documents);
  const named = { roles: namedRoles(documents), accounts: [...accountsIn(documents)] };
  const facts = { keys, usedKeys, named };
  const rules = {
    services: options.services,
    keys,
    usedKeys,
    writtenOut: writtenOut(documents, question.focus?.actions ?? null),
    isWellFormed: (request: AccessRequest, caller: Caller) => {
      budget.spend(1 + (usedKeys.length >> 3));
      return isWellFormed(request, caller, facts);
    },
    confirm: (request: AccessRequest) => {
      budget.spend(size);
      return question.confirm(request);
    },
  };
  const { violations, undecided, decided } = yield* searchAll(
    {
      named,
      keys,
      services: options.services,
      callers: setting.callers,
      grants: question.grants,
      branches: question.branches,
      focus: question.focus,
      maxStatements: options.maxStatements,
      ignoresUnknownActions: options.ignoresUnknownActions === true,
      limits: (reader, caller) => question.limits(reader, caller),
      exceptions: (reader, caller) => question.exceptions(reader, caller),
      *witness(leaf) {
        return question.isImpossible(leaf) ? null : yield* witnessOf(leaf, rules);
      },
    },
    budget,
  );
  // Each statement that cannot be read is listed with its own place; a leaf has that of the Allow.
  const others = undecided.filter(({ construct }) => construct !== "invalid_statement");
  const doubts = [...question.unreadable, ...others];
  // A statement of the policy that cannot be read only takes away what others allow; one of the baseline may have allowed it.
  const isSearched =
    !setting.tooManyDefaults && question.unreadable.every(({ side }) => side !== "baseline");
  if (setting.tooManyDefaults) {
    doubts.push({ construct: "policy_variable", path: "", side: "policy", text: "", key: null });
  }
  const isViolated = violations.length > 0;
  return {
    verdict: isViolated ? "violated" : doubts.length > 0 ? "undecided" : "holds",
    violations: violations.map(({ origin, entries, confirmed, reason, other }) => ({
      statement_index: origin.statement.index,
      statement_sid: origin.statement.sid,
      entries: entries.slice(0, maxEntries),
      kind: confirmed.kind,
      reason,
      other_statement: other,
      witness: confirmed.request,
      ...entriesMet(origin.statement, origin.hasVariables, type, confirmed.request, keys),
    })),
    undecided_by: isViolated ? [] : distinct(doubts).slice(0, maxUndecided),
    steps: budget.steps,
    decided: isSearched ? decided : new Set(violations.map(({ origin }) => origin.statement.index)),
  };
}

/** Entries and conditions of the documents. */
function sizeOf(documents: readonly AccessDocument[]): number {
  let size = 0;
  for (const { action, resource, principal, conditions } of documents.flatMap(
    ({ statements }) => statements,
  )) {
    size += (action.entries.length + (resource?.entries.length ?? 0)) / 8;
    size += (principal?.entries.length ?? 0) / 8 + conditions.length;
  }
  return Math.ceil(size);
}

function distinct(places: readonly Place[]): readonly UndecidedBy[] {
  const seen = new Map<string, UndecidedBy>();
  for (const place of places) {
    const { construct, path, side, key } = place;
    const id = JSON.stringify([construct, path, side]);
    if (!seen.has(id)) seen.set(id, { construct, path, side, key, text: undecidedText(place) });
  }
  return [...seen.values()];
}

/**
 * The statements of a document that can be read, with the side of the question that they belong to.
 */
export function originsOf(document: AccessDocument, side: Side): readonly Origin[] {
  return document.statements.flatMap((statement) =>
    statement.readable ? [{ side, statement, hasVariables: document.hasVariables }] : [],
  );
}

/** Those with the effect, in the same order. */
export function having(origins: readonly Origin[], effect: "allow" | "deny"): readonly Origin[] {
  return origins.filter(({ statement }) => statement.effect === effect);
}

/** Statements that cannot be read leave every question open. */
export function unreadableOf(
  documents: readonly (readonly [AccessDocument, Side])[],
): readonly Place[] {
  return documents.flatMap(([{ readable, statements }, side]) => {
    const at = (path: string): Place => ({
      construct: "invalid_statement",
      path,
      side,
      text: "",
      key: null,
    });
    const faulty = statements.filter((statement) => !statement.readable);
    return readable ? faulty.map(({ path }) => at(path)) : [at("")];
  });
}

/** Every run of exactly twelve digits. */
export function accountsIn(documents: readonly AccessDocument[]): ReadonlySet<string> {
  const text = JSON.stringify(documents);
  return new Set(text.match(/(?<!\d)\d{12}(?!\d)/g) ?? []);
}

function writtenOut(documents: readonly AccessDocument[], more: Names | null): readonly string[] {
  const entries = documents
    .flatMap(({ statements }) => statements)
    .flatMap(({ action }) => action.entries);
  return [...(more?.entries ?? []), ...entries];
}
