import { asciiLower } from "../services/ascii.ts";
import type { ServiceLookup } from "../services/model.ts";
import { Budget, finish } from "./budget.ts";
import { type Caller, callersOf, namedRoles, presenceOf, split } from "./callers.ts";
import type { AccessDocument, AccessStatement, AccessType, Condition, Names } from "./document.ts";
import {
  actionIsOneOf,
  blockHolds,
  type Evaluation,
  entriesMet,
  evaluate,
  resourceIsOneOf,
} from "./evaluate.ts";
import { QuestionKeys } from "./keys.ts";
import type { Literal, Place } from "./literals.ts";
import {
  type Asked,
  type Branch,
  type Kind,
  type Leaf,
  type Reason,
  searchAll,
} from "./question.ts";
import type { AccessRequest } from "./request.ts";
import type { Blocker } from "./search.ts";
import type { Origin, Side, StatementReader } from "./statements.ts";
import { undecidedText } from "./undecided.ts";
import { isWellFormed } from "./well-formed.ts";
import { type Confirmation, witnessOf } from "./witness.ts";

export type Services = Pick<ServiceLookup, "get"> & Partial<Pick<ServiceLookup, "prefixes">>;

export interface QuestionOptions {
  readonly services: Services;
  readonly maxSteps: number;
  readonly maxStatements: number;
  /** Access to actions that the reference data does not list is no violation. */
  readonly ignoresUnknownActions?: boolean;
}

export interface Violation {
  readonly statement_index: number;
  readonly statement_sid: string | null;
  readonly entries: readonly string[];
  readonly kind: Kind;
  readonly reason: Reason;
  readonly other_statement: number | null;
  readonly witness: AccessRequest;
  /** The entry of `Resource` or `NotResource` that the witness's resource meets, as written. */
  readonly resource_entry: string | null;
  /** Position of the principal entry that lets the caller in; null: there is none. */
  readonly principal_entry: number | null;
}

export interface UndecidedBy {
  readonly construct: string;
  readonly path: string;
  readonly side: Side;
  readonly text: string;
  /** The condition key meant; null when no condition is. */
  readonly key: string | null;
}

export interface Answer {
  readonly verdict: "holds" | "violated" | "undecided";
  readonly violations: readonly Violation[];
  readonly undecided_by: readonly UndecidedBy[];
  readonly steps: number;
  /** Indexes of the Allow statements that were decided. */
  readonly decided: ReadonlySet<number>;
}

/** A forbidden entry, its blocks read. */
export interface Forbidden {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly unless: readonly (readonly Condition[])[];
}

/** A question in progress: yields when control is to be handed back, returns the answer. */
export type Asking = Generator<null, Answer>;

const maxUndecided = 10;
const maxEntries = 50;

/** Does the policy allow a request that its baseline does not allow? */
export function* askNewAccess(
  policy: AccessDocument,
  baseline: AccessDocument,
  type: AccessType,
  options: QuestionOptions,
): Asking {
  const old = originsOf(baseline, "baseline");
  const own = originsOf(policy, "policy");
  const denies = having(own, "deny");
  const branches: Branch[] = [
    { also: null, blockers: [...denies, ...having(old, "allow")], reason: "not_allowed_before" },
  ];
  for (const deny of having(old, "deny")) {
    branches.push({ also: deny, blockers: denies, reason: "denied_before" });
  }
  const setting = settingOf([policy, baseline], type, options);
  return yield* asking(setting, {
    ...open,
    grants: having(own, "allow"),
    branches,
    unreadable: unreadableOf([
      [policy, "policy"],
      [baseline, "baseline"],
    ]),
    confirm: (request) => {
      const before = evaluate(baseline, type, request, setting.keys);
      if (before.outcome === "allowed") return "no";
      return both(evaluate(policy, type, request, setting.keys), before);
    },
  });
}

function both(now: Evaluation, before: Evaluation): Confirmation {
  const isNew = before.outcome === "denied" || before.outcome === "not_allowed";
  if (now.outcome === "allowed" && isNew) return "yes";
  return (
    (now.outcome === "unknown" && openBy(now)) ||
    (before.outcome === "unknown" && openBy(before)) ||
    "no"
  );
}

/** The construct that left an evaluation open. */
function openBy({ statements }: Evaluation): string {
  return statements.find(({ outcome }) => outcome === "maybe")?.construct ?? "no";
}

/** Does the policy allow a request that is forbidden? */
export function* askGranted(
  policy: AccessDocument,
  forbidden: Forbidden,
  type: AccessType,
  options: QuestionOptions,
): Asking {
  const own = originsOf(policy, "policy");
  const setting = settingOf([policy], type, options, forbidden.unless.flat());
  const actions: Names | null =
    forbidden.actions.length > 0 ? { negated: false, entries: forbidden.actions } : null;
  return yield* asking(setting, {
    ...open,
    grants: having(own, "allow"),
    branches: [{ also: null, blockers: having(own, "deny"), reason: "forbidden" }],
    unreadable: unreadableOf([[policy, "policy"]]),
    focus: { actions, resources: forbidden.resources },
    exceptions: (reader, caller) => exceptionsOf(forbidden, reader, caller),
    confirm: (request) => {
      const now = evaluate(policy, type, request, setting.keys);
      if (now.outcome === "unknown") return openBy(now);
      if (now.outcome !== "allowed" || !isForbidden(request, forbidden, setting.keys)) return "no";
      const blocks = forbidden.unless.map((block) => blockHolds(block, request, setting.keys));
      if (blocks.includes("yes")) return "no";
      return blocks.includes("maybe") ? "set_operator_missing" : "yes";
    },
  });
}

function isForbidden(
  request: AccessRequest,
  { actions, resources }: Forbidden,
  keys: QuestionKeys,
): boolean {
  return (
    (actions.length === 0 || actionIsOneOf(actions, request.action)) &&
    (resources.length === 0 || resourceIsOneOf(resources, request, keys))
  );
}

function exceptionsOf(
  { unless }: Forbidden,
  reader: StatementReader,
  caller: Caller,
): readonly Blocker[] {
  return unless.flatMap((conditions, index) => {
    const statement: AccessStatement = {
      ...nothing,
      conditions,
      path: `/unless/${index}`,
    };
    const boxes = finish(reader.boxes({ side: "config", statement, hasVariables: true }, caller));
    return boxes.map(({ literals }) => ({ literals }));
  });
}

const nothing: AccessStatement = {
  index: -1,
  sid: null,
  effect: "allow",
  action: { negated: false, entries: [] },
  resource: null,
  principal: null,
  conditions: [],
  readable: true,
  path: "",
};

/** Does one side allow, or deny, a request that the other does not? */
export function* askWithin(
  inner: AccessDocument,
  outer: AccessDocument,
  type: AccessType,
  of: "allowed" | "denied",
  options: QuestionOptions,
): Asking {
  if (of === "allowed") return yield* askNewAccess(inner, outer, type, options);
  const setting = settingOf([inner, outer], type, options);
  return yield* asking(setting, {
    ...open,
    grants: having(originsOf(inner, "policy"), "deny"),
    branches: [
      {
        also: null,
        blockers: having(originsOf(outer, "baseline"), "deny"),
        reason: "not_allowed_before",
      },
    ],
    unreadable: unreadableOf([
      [inner, "policy"],
      [outer, "baseline"],
    ]),
    confirm: (request) => {
      const [left, right] = [inner, outer].map((document) =>
        denied(evaluate(document, type, request, setting.keys)),
      );
      if (left === "yes" && right === "no") return "yes";
      if (left !== "yes" && left !== "no") return left ?? "no";
      return right !== "yes" && right !== "no" ? (right ?? "no") : "no";
    },
  });
}

function denied({ statements }: Evaluation): Confirmation {
  const denies = statements.filter(({ effect }) => effect !== "allow");
  if (denies.some(({ outcome }) => outcome === "yes")) return "yes";
  return denies.find(({ outcome }) => outcome === "maybe")?.construct ?? "no";
}

/** What a question is asked of. */
export interface Setting {
  readonly documents: readonly AccessDocument[];
  readonly type: AccessType;
  readonly keys: QuestionKeys;
  readonly usedKeys: readonly string[];
  readonly callers: readonly Caller[];
  readonly options: QuestionOptions;
  /** More variables with a default than are told apart. */
  readonly tooManyDefaults: boolean;
}

/** Variables with a default that are told apart as present and absent. */
const maxSplits = 3;

export function settingOf(
  documents: readonly AccessDocument[],
  type: AccessType,
  options: QuestionOptions,
  more: readonly Condition[] = [],
): Setting {
  const statements = documents.flatMap((document) => document.statements);
  const conditions = [...statements.flatMap((statement) => statement.conditions), ...more];
  const keys = new QuestionKeys(conditions, options.services);
  const variables = variableKeys(documents, more);
  const usedKeys = [...new Set([...keys.tested, ...variables.all])];
  const defaults = variables.withDefault.slice(0, maxSplits);
  return {
    documents,
    type,
    keys,
    usedKeys,
    callers: callersOf(documents, type, usedKeys).flatMap((caller) => splits(caller, defaults)),
    options,
    tooManyDefaults: variables.withDefault.length > maxSplits,
  };
}

/** The caller with each key present and with it absent. */
function splits(caller: Caller, keys: readonly string[]): readonly Caller[] {
  const free = keys.filter((key) => presenceOf(caller, key) === "free");
  return Array.from({ length: 2 ** free.length }, (_, bits) => {
    const present = free.filter((_key, index) => ((bits >> index) & 1) === 0);
    const absent = free.filter((key) => !present.includes(key));
    return free.length === 0 ? caller : split(caller, new Set(present), new Set(absent));
  });
}

const insertion = /\$\{([^},:']*:[^},']*?)\s*(,[^}]*)?\}/g;

function variableKeys(
  documents: readonly AccessDocument[],
  more: readonly Condition[],
): { readonly all: readonly string[]; readonly withDefault: readonly string[] } {
  const all = new Set<string>();
  const withDefault = new Set<string>();
  const texts: string[] = more.flatMap(({ values }) => values);
  for (const { hasVariables, statements } of documents) {
    if (!hasVariables) continue;
    for (const { resource, conditions } of statements) {
      texts.push(...(resource?.entries ?? []), ...conditions.flatMap(({ values }) => values));
    }
  }
  for (const text of texts) {
    if (!text.includes("${")) continue;
    for (const [, key = "", fallback] of text.matchAll(insertion)) {
      if (key.includes("::")) continue;
      const name = asciiLower(key.trim());
      all.add(name);
      if (fallback !== undefined) withDefault.add(name);
    }
  }
  return { all: [...all], withDefault: [...withDefault] };
}

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

/** A question without limits of its own. */
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
      type,
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
    decided: question.unreadable.length > 0 ? new Set() : decided,
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

export function originsOf(document: AccessDocument, side: Side): readonly Origin[] {
  return document.statements.flatMap((statement) =>
    statement.readable ? [{ side, statement, hasVariables: document.hasVariables }] : [],
  );
}

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
