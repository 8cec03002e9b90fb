import type { AccessDocument, AccessStatement, AccessType, Principals } from "./document.ts";
import {
  conditionHolds,
  type Doubtful,
  maybe,
  no,
  type Outcome,
  yes,
} from "./evaluate-condition.ts";
import { isListed, isUnlisted } from "./evaluate-principal.ts";
import {
  expand,
  fieldsTake,
  isFieldPattern,
  lower,
  sixFields,
  takes,
  UnknownPlaceholder,
  wildcardTakes,
} from "./evaluate-text.ts";
import type { AccessRequest } from "./request.ts";

/** What the evaluator takes for granted about a key. */
export interface EvaluatedKeys {
  get(name: string): {
    readonly family: "text" | "number" | "instant" | "address";
    readonly isMultivalued: boolean;
  };
}

type Element = "readable" | "principal" | "action" | "resource" | "condition";

export interface StatementOutcome {
  readonly index: number;
  readonly sid: string | null;
  readonly effect: "allow" | "deny" | null;
  readonly outcome: Outcome;
  /** First element that did not match, or that left it open; null for a match. */
  readonly element: Element | null;
  readonly construct: string | null;
}

export interface Evaluation {
  readonly outcome: "allowed" | "denied" | "not_allowed" | "unknown";
  readonly statements: readonly StatementOutcome[];
  /** Keys that were asked for and are absent, as the document writes them. */
  readonly absentKeys: readonly string[];
}

/** Decides one request against one document, statement by statement. */
export function evaluate(
  document: AccessDocument,
  type: AccessType,
  request: AccessRequest,
  keys: EvaluatedKeys,
): Evaluation {
  const run = new Run(document.hasVariables, type, request, keys);
  const statements = document.statements.map((statement) => run.statement(statement));
  if (!document.readable) statements.push(unreadable(-1, null, null));
  return { outcome: verdictOf(statements), statements, absentKeys: run.absentKeys };
}

function unreadable(
  index: number,
  sid: string | null,
  effect: "allow" | "deny" | null,
): StatementOutcome {
  return {
    index,
    sid,
    effect,
    outcome: "maybe",
    element: "readable",
    construct: "invalid_statement",
  };
}

function verdictOf(statements: readonly StatementOutcome[]): Evaluation["outcome"] {
  const some = (effect: "allow" | "deny", outcome: Outcome) =>
    statements.some(
      (one) => one.outcome === outcome && (one.effect === effect || one.effect === null),
    );
  if (some("deny", "yes")) return "denied";
  const mayDeny = some("deny", "maybe");
  const allows = some("allow", "yes");
  const mayAllow = some("allow", "maybe");
  if (mayDeny && (allows || mayAllow)) return "unknown";
  if (allows) return "allowed";
  return mayAllow ? "unknown" : "not_allowed";
}

class Run {
  readonly #hasVariables: boolean;
  readonly #type: AccessType;
  readonly #request: AccessRequest;
  readonly #keys: EvaluatedKeys;
  readonly #context: ReadonlyMap<string, readonly string[]>;
  readonly #absent = new Set<string>();

  constructor(
    hasVariables: boolean,
    type: AccessType,
    request: AccessRequest,
    keys: EvaluatedKeys,
  ) {
    this.#hasVariables = hasVariables;
    this.#type = type;
    this.#request = request;
    this.#keys = keys;
    this.#context = new Map(
      Object.entries(request.context).map(([key, values]) => [lower(key), values]),
    );
  }

  /** Keys that were asked for so far and that the request does not have. */
  get absentKeys(): readonly string[] {
    return [...this.#absent];
  }

  key(name: string): string | undefined {
    const values = this.#context.get(name) ?? [];
    if (values.length === 0) this.#absent.add(name);
    return values.length === 1 && !this.#keys.get(name).isMultivalued ? values[0] : undefined;
  }

  placeholder(whole: string): string | undefined {
    return this.#request.placeholders?.[whole];
  }

  statement(statement: AccessStatement): StatementOutcome {
    const { index, sid, effect } = statement;
    if (!statement.readable) return unreadable(index, sid, effect);
    const tests: readonly (readonly [Element, () => Doubtful])[] = [
      ["principal", () => this.#principal(statement.principal)],
      ["action", () => this.#action(statement)],
      ["resource", () => this.#resource(statement)],
      ["condition", () => this.#conditions(statement)],
    ];
    let open: { element: Element; construct: string | null } | null = null;
    for (const [element, test] of tests) {
      const { outcome, construct } = test();
      if (outcome === "no") return { index, sid, effect, outcome: "no", element, construct: null };
      if (outcome === "maybe") open ??= { element, construct };
    }
    if (open) return { index, sid, effect, outcome: "maybe", ...open };
    return { index, sid, effect, outcome: "yes", element: null, construct: null };
  }

  #action({ action }: AccessStatement): Doubtful {
    const wanted = lower(this.#request.action);
    const listed = action.entries.some((entry) => wildcardTakes(lower(entry), wanted));
    return listed !== action.negated ? yes : no;
  }

  #resource({ resource }: AccessStatement): Doubtful {
    if (!resource) return yes;
    let unknown = false;
    for (const entry of resource.entries) {
      const listed = this.resourceTakes(entry);
      if (listed === null) unknown = true;
      else if (listed) return resource.negated ? no : yes;
    }
    if (unknown) return maybe("placeholder");
    return resource.negated ? yes : no;
  }

  /** Null: a placeholder of the entry has no known text. */
  resourceTakes(entry: string): boolean | null {
    const rules = { wildcards: true, variables: this.#hasVariables };
    const fields = sixFields(entry);
    try {
      if (fields && isFieldPattern(fields)) {
        return fieldsTake(fields, this.#request.resource, rules, this);
      }
      const pieces = expand(entry, rules, this);
      return pieces !== null && takes(pieces, this.#request.resource);
    } catch (error) {
      if (error instanceof UnknownPlaceholder) return null;
      throw error;
    }
  }

  #conditions({ conditions }: AccessStatement): Doubtful {
    let open: Doubtful | null = null;
    for (const condition of conditions) {
      const holds = this.condition(condition);
      if (holds.outcome === "no") return no;
      if (holds.outcome === "maybe") open ??= holds;
    }
    return open ?? yes;
  }

  condition(condition: AccessStatement["conditions"][number]): Doubtful {
    const values = this.#context.get(condition.keyLower) ?? [];
    if (values.length === 0) this.#absent.add(condition.key);
    return conditionHolds(condition, {
      hasVariables: this.#hasVariables,
      values,
      family: this.#keys.get(condition.keyLower).family,
      request: this,
    });
  }

  #principal(principals: Principals | null): Doubtful {
    if (this.#type === "identity" || this.#type === "scp" || !principals) return yes;
    const { principal } = this.#request;
    return principals.negated ? isUnlisted(principals, principal) : isListed(principals, principal);
  }
}

/** Whether a resource is one of the patterns. */
export function resourceIsOneOf(
  patterns: readonly string[],
  request: AccessRequest,
  keys: EvaluatedKeys,
): boolean {
  const run = new Run(true, "identity", request, keys);
  return patterns.some((pattern) => run.resourceTakes(pattern) === true);
}

/** Whether an action is one of the patterns. */
export function actionIsOneOf(patterns: readonly string[], action: string): boolean {
  const wanted = lower(action);
  return patterns.some((pattern) => wildcardTakes(lower(pattern), wanted));
}

/** Whether all conditions of a block hold. */
export function blockHolds(
  conditions: AccessStatement["conditions"],
  request: AccessRequest,
  keys: EvaluatedKeys,
): Outcome {
  const run = new Run(true, "identity", request, keys);
  let outcome: Outcome = "yes";
  for (const condition of conditions) {
    const holds = run.condition(condition).outcome;
    if (holds === "no") return "no";
    if (holds === "maybe") outcome = "maybe";
  }
  return outcome;
}

/** Which entries of a statement a request meets: of its resources as written, of its principals by position. */
export function entriesMet(
  { resource, principal }: AccessStatement,
  hasVariables: boolean,
  type: AccessType,
  request: AccessRequest,
  keys: EvaluatedKeys,
): { readonly resource_entry: string | null; readonly principal_entry: number | null } {
  const run = new Run(hasVariables, type, request, keys);
  const [first = null] = resource?.entries ?? [];
  const met = resource?.entries.find((entry) => run.resourceTakes(entry) === true) ?? null;
  const position = (principal?.negated ? [] : (principal?.entries ?? [])).findIndex(
    (entry) => isListed({ negated: false, entries: [entry] }, request.principal).outcome === "yes",
  );
  return {
    resource_entry: resource?.negated ? first : met,
    principal_entry: position < 0 ? null : position,
  };
}
