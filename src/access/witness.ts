import type { ServiceLookup } from "../services/model.ts";
import { type ActionChoice, actionChoices } from "./action-choice.ts";
import { bindings } from "./bind.ts";
import type { Steps } from "./budget.ts";
import {
  accountArns,
  type Caller,
  isAwsIdentity,
  pathKeyOf,
  presenceOf,
  userArns,
} from "./callers.ts";
import { byQuantifier, type Found } from "./feasible.ts";
import { readInstant } from "./intervals.ts";
import type { QuestionKeys } from "./keys.ts";
import { mustHave, requestTag, tagKeysState } from "./links.ts";
import { type Dimension, type Literal, oneOf, type Place, type State } from "./literals.ts";
import { minimal } from "./minimal.ts";
import { type Pattern, patternOf, unitsOf } from "./patterns.ts";
import { pickValue } from "./pick-value.ts";
import type { Confirmed, Kind, Leaf } from "./question.ts";
import { substitute, type Variable } from "./read-pattern.ts";
import type { AccessRequest, RequestPrincipal } from "./request.ts";
import { isUnit, slash, type Token } from "./tokens.ts";
import { plainWords, spellings, textMeets, type Wording } from "./words.ts";

/** Whether a request answers the question, or the construct that leaves it open. */
export type Confirmation = "yes" | "no" | string;

export interface WitnessRules {
  readonly services: Pick<ServiceLookup, "get"> & Partial<Pick<ServiceLookup, "prefixes">>;
  readonly keys: QuestionKeys;
  /** Keys that some document tests or uses as a variable; folded. */
  readonly usedKeys: readonly string[];
  /** Actions written out in the policy or in what the question is about. */
  readonly writtenOut: readonly string[];
  isWellFormed(request: AccessRequest, caller: Caller): boolean;
  confirm(request: AccessRequest): Confirmation;
}

/** Texts for variables, by {@link nameOf}. */
export type Environment = ReadonlyMap<string, string>;

export function nameOf({ kind, name }: Variable): string {
  return kind === "key" ? name : `@${name}`;
}

/** Most requests that the evaluator is asked about for one leaf. */
const maxCandidates = 8;
/** Most values of a variable that are put in one by one. */
const maxValues = 8;

/**
 * From a leaf to a confirmed request; null: no request of the leaf can exist. Yields null where
 * control may be handed back.
 */
export function witnessOf(leaf: Leaf, rules: WitnessRules): Steps<Confirmed | Place | null> {
  return new WitnessSearch(leaf, rules).run();
}

class WitnessSearch {
  readonly #leaf: Leaf;
  readonly #rules: WitnessRules;
  /** Keys whose value is being looked for. */
  readonly #valued = new Set<string>();
  #lacks: ReadonlySet<string> | null = null;
  #candidates = 0;
  #openBy: string | null = null;

  constructor(leaf: Leaf, rules: WitnessRules) {
    this.#leaf = leaf;
    this.#rules = rules;
  }

  *run(): Steps<Confirmed | Place | null> {
    const environments = this.#fixedValues();
    const possible = environments.filter((environment) => this.#isPossible(environment));
    if (possible.length === 0) return null;
    let best: Confirmed | null = null;
    for (const environment of possible) {
      const found = yield* this.#under(environment);
      if (found?.kind === "grants") return found;
      best ??= found;
    }
    return best ?? this.#undecided();
  }

  #undecided(): Place {
    const { origin } = this.#leaf;
    const used = this.#variables();
    const construct =
      this.#openBy ??
      (used.some(({ kind }) => kind === "placeholder")
        ? "placeholder"
        : used.length > 0
          ? "policy_variable"
          : "unconfirmed");
    return { construct, path: origin.statement.path, side: origin.side, text: "", key: null };
  }

  /** Variables that the leaf's literals hold. */
  #variables(): readonly Variable[] {
    const { state, scope, variables } = this.#leaf;
    const found = new Map<string, Variable>();
    for (const id of state.flatMap((ids) => ids ?? [])) {
      for (const { hasVariable, tokens } of scope.terms.get(id).texts?.patterns ?? []) {
        if (!hasVariable) continue;
        for (const token of tokens) {
          if (isUnit(token)) continue;
          const variable = token >= 0x4_0000 ? variables.of(token) : null;
          if (variable) found.set(nameOf(variable), variable);
        }
      }
    }
    return [...found.values()];
  }

  /** Variables whose key has one of a few literal values, put in value by value. */
  #fixedValues(): readonly Environment[] {
    let environments: Environment[] = [new Map()];
    for (const variable of this.#variables()) {
      if (variable.kind !== "key") continue;
      const values = this.#literalValues(variable.name);
      if (!values || values.length * environments.length > maxValues * 2) continue;
      environments = environments.flatMap((environment) =>
        values.map((value) => new Map([...environment, [variable.name, value]])),
      );
    }
    return environments;
  }

  #literalValues(name: string): readonly string[] | null {
    const { scope, state, caller } = this.#leaf;
    const isArnPart =
      isAwsIdentity(caller.kind) && (name === "aws:username" || name === "aws:principalaccount");
    const dimension = scope.terms.find(isArnPart ? "aws:principalarn" : name);
    const ids = dimension && state[dimension.index];
    if (!dimension || !ids || dimension.family !== "text") return null;
    if (!isArnPart && scope.feasibility.of(dimension, ids).absent) return null;
    const patterns = scope.feasibility.patterns(
      dimension,
      ids.map((id) => scope.terms.get(id)),
    );
    const values = new Set<string>();
    for (const { tokens } of patterns) {
      const part = isArnPart ? arnPart(tokens, name) : tokens;
      if (!part.every(isUnit) || part.some((token) => token >= 0x1_0000)) return null;
      values.add(String.fromCharCode(...part));
    }
    return values.size > maxValues ? null : [...values];
  }

  /** Keys of variables that no request of the leaf has: their patterns match nothing. */
  #lacking(): ReadonlySet<string> {
    if (this.#lacks) return this.#lacks;
    const { scope, state } = this.#leaf;
    const names = this.#variables().flatMap(({ kind, name }) => {
      const dimension = kind === "key" ? scope.terms.find(name) : undefined;
      const ids = dimension && state[dimension.index];
      return ids && scope.feasibility.of(dimension, ids).present === "no" ? [name] : [];
    });
    this.#lacks = new Set(names);
    return this.#lacks;
  }

  #isPossible(environment: Environment): boolean {
    if (environment.size === 0 && this.#lacking().size === 0) return true;
    const { scope, state } = this.#leaf;
    return scope.terms.dimensions.every((dimension) => {
      const ids = state[dimension.index];
      if (!ids) return true;
      const literals = this.#substituted(ids, environment);
      const result = scope.feasibility.of(
        dimension,
        [...new Set(literals.map(({ id }) => id))].sort((a, b) => a - b),
      );
      return result.absent || result.present !== "no";
    });
  }

  #substituted(ids: readonly number[], environment: Environment): readonly Literal[] {
    const { scope, variables } = this.#leaf;
    const lacking = this.#lacking();
    return ids.map((id) => {
      const literal = scope.terms.get(id);
      if (
        (environment.size === 0 && lacking.size === 0) ||
        !literal.texts?.patterns.some(({ hasVariable }) => hasVariable)
      ) {
        return literal;
      }
      const textOf = (found: Variable) =>
        environment.get(nameOf(found)) ?? (lacking.has(nameOf(found)) ? false : null);
      const patterns = literal.texts.patterns.flatMap(
        (pattern) => substitute(pattern, variables, textOf) ?? [],
      );
      return scope.terms.literal({ ...literal, texts: { ...literal.texts, patterns } });
    });
  }

  *#under(environment: Environment): Steps<Confirmed | null> {
    let best: Confirmed | null = null;
    const fits = (form: Pattern) => this.#hasResource(form, environment);
    const { services, writtenOut } = this.#rules;
    for (const choice of actionChoices(this.#leaf, services, writtenOut, fits)) {
      if (!choice) {
        yield null;
        continue;
      }
      if (best && choice.kind !== "grants") return best;
      const found = yield* this.#withAction(choice, environment);
      if (found) best ??= found;
      if (best?.kind === "grants" || this.#candidates >= maxCandidates) return best;
    }
    return best;
  }

  *#hasResource(form: Pattern, environment: Environment): Steps<boolean> {
    for (const found of this.#resources(form, environment)) {
      if (found) return true;
      yield null;
    }
    return false;
  }

  /** Null where control may be handed back. */
  *#resources(form: Pattern | null, environment: Environment): Generator<Found | null> {
    const { scope, state } = this.#leaf;
    const dimension = scope.terms.dimension("@resource");
    const literals = [...this.#substituted(state[dimension.index] ?? [], environment)];
    if (form) literals.push(oneOf(scope.terms, dimension, [form]));
    yield* scope.feasibility.textSteps(dimension, literals);
  }

  *#withAction(choice: ActionChoice, environment: Environment): Steps<Confirmed | null> {
    const { scope, state } = this.#leaf;
    const dimension = scope.terms.dimension("@resource");
    const literals = state[dimension.index] ?? [];
    let tries = 0;
    for (const found of this.#resources(choice.form, environment)) {
      if (!found) {
        yield null;
        continue;
      }
      const meets = (env: Environment) => (text: string) =>
        textMeets(text, this.#unvaried(this.#substituted(literals, env)), scope.budget);
      const wording = this.#arnWording(choice.action);
      for (const bound of this.#bound(found, literals, environment, wording, meets)) {
        const request = this.#request(choice, bound.text, bound.environment);
        if (request) {
          const confirmed = yield* this.#confirm(request, choice.kind);
          if (confirmed) return confirmed;
        }
        yield null;
        if (++tries > 6 || this.#candidates >= maxCandidates) return null;
      }
    }
    return null;
  }

  /** Literals without patterns whose variables are open. */
  #unvaried(literals: readonly Literal[]): readonly Literal[] {
    return literals.filter(({ texts }) => !texts?.patterns.some(({ hasVariable }) => hasVariable));
  }

  /** Texts of a found pattern, with values for the variables that it depends on. */
  *#bound(
    found: Found,
    ids: readonly number[],
    environment: Environment,
    wording: Wording,
    meets: (environment: Environment) => (text: string) => boolean,
  ): Generator<{ readonly text: string; readonly environment: Environment }> {
    const { variables, scope } = this.#leaf;
    const chosen = new Map(environment);
    for (const token of found.text) {
      if (token < 0x4_0000) continue;
      const variable = variables.of(token);
      if (!chosen.has(nameOf(variable))) chosen.set(nameOf(variable), this.#valueFor(variable));
    }
    const textOf = (token: Token) => chosen.get(nameOf(variables.of(token))) ?? "";
    for (const text of spellings(found, wording, textOf, meets(chosen))) {
      yield* bindings(text, this.#substituted(ids, chosen), chosen, variables, scope.budget);
    }
  }

  #valueFor({ kind, name }: Variable): string {
    if (kind === "placeholder") return "example";
    const { scope, state, caller } = this.#leaf;
    if (name === "aws:principalaccount" && isAwsIdentity(caller.kind)) {
      return caller.account ?? "111122223333";
    }
    const dimension = scope.terms.find(name);
    const ids = dimension && state[dimension.index];
    // A key may be compared with itself, or two keys with each other.
    if (dimension && ids && !this.#valued.has(name)) {
      this.#valued.add(name);
      const text = this.#textOf(dimension, ids, new Map())?.text;
      this.#valued.delete(name);
      if (text !== undefined) return text;
    }
    return preferred.get(name)?.[0] ?? (name === "aws:username" ? "alice" : "example");
  }

  #textOf(
    dimension: Dimension,
    ids: readonly number[],
    environment: Environment,
    more: readonly Literal[] = [],
  ): { readonly text: string; readonly environment: Environment } | null {
    const { scope } = this.#leaf;
    const literals = [...this.#substituted(ids, environment), ...more];
    const words = [...(preferred.get(dimension.name) ?? []), ...plainWords];
    for (const found of scope.feasibility.texts(dimension, literals)) {
      const meets = (env: Environment) => (text: string) =>
        textMeets(text, this.#unvaried([...this.#substituted(ids, env), ...more]), scope.budget);
      const wording = { fields: arnFields("s3", null), words };
      for (const bound of this.#bound(found, ids, environment, wording, meets)) return bound;
    }
    return null;
  }

  #arnWording(action: string): Wording {
    const service = action.slice(0, action.indexOf(":")).toLowerCase();
    return { fields: arnFields(service, null), words: plainWords };
  }

  /** Puts caller and context together. @returns null when some dimension has no value left. */
  #request(choice: ActionChoice, resource: string, bound: Environment): AccessRequest | null {
    const draft = new Draft(this.#leaf, this.#rules, bound, {
      texts: (dimension, ids, environment, more) => this.#textOf(dimension, ids, environment, more),
      literals: (ids, environment) => this.#substituted(ids, environment),
    });
    return draft.build(choice.action, resource);
  }

  *#confirm(request: AccessRequest, kind: Kind): Steps<Confirmed | null> {
    const { caller } = this.#leaf;
    if (!this.#rules.isWellFormed(request, caller)) return null;
    this.#candidates++;
    const confirmation = this.#rules.confirm(request);
    if (confirmation !== "yes") {
      if (confirmation !== "no") this.#openBy ??= confirmation;
      return null;
    }
    const holds = (candidate: AccessRequest) =>
      this.#rules.isWellFormed(candidate, caller) && this.#rules.confirm(candidate) === "yes";
    return { request: yield* minimal(request, holds), kind };
  }
}

/** The last part of an ARN, or its account. */
function arnPart(tokens: readonly Token[], name: string): readonly Token[] {
  if (name === "aws:username") return tokens.slice(tokens.lastIndexOf(slash) + 1);
  const colons = tokens.flatMap((token, at) => (token === 58 ? [at] : []));
  return tokens.slice((colons[3] ?? 0) + 1, colons[4]);
}

function arnFields(service: string, account: string | null): readonly (string | null)[] {
  return [null, "aws", service, "us-east-1", account ?? "111122223333", null];
}

/** Values that a reader expects for some keys. */
export const preferred: ReadonlyMap<string, readonly string[]> = new Map([
  ["aws:requestedregion", ["us-east-1", "eu-west-1"]],
  ["aws:userid", ["AIDAEXAMPLE"]],
  ["aws:username", ["alice"]],
  ["aws:principalorgid", ["o-example"]],
  ["aws:principalaccount", ["111122223333"]],
  ["aws:sourceaccount", ["111122223333", "444455556666"]],
  ["aws:resourceaccount", ["111122223333", "444455556666"]],
  ["aws:securetransport", ["true", "false"]],
]);

/** The values of one dimension, chosen by the search for a witness. */
export interface Chooser {
  texts(
    dimension: Dimension,
    ids: readonly number[],
    environment: Environment,
    more?: readonly Literal[],
  ): { readonly text: string; readonly environment: Environment } | null;
  literals(ids: readonly number[], environment: Environment): readonly Literal[];
}

/** A request in the making. */
class Draft {
  readonly #leaf: Leaf;
  readonly #rules: WitnessRules;
  readonly #choose: Chooser;
  #environment: Environment;
  readonly #context = new Map<string, readonly string[]>();

  constructor(leaf: Leaf, rules: WitnessRules, environment: Environment, choose: Chooser) {
    this.#leaf = leaf;
    this.#rules = rules;
    this.#environment = environment;
    this.#choose = choose;
  }

  build(action: string, resource: string): AccessRequest | null {
    const { scope, state } = this.#leaf;
    // Dimensions with open variables first: they may settle what others depend on.
    const dimensions = scope.terms.dimensions.filter(
      ({ name, index }) =>
        !name.startsWith("@") &&
        (name !== "aws:principalarn" || !isAwsIdentity(this.#leaf.caller.kind)) &&
        state[index],
    );
    const hasOpen = ({ index }: Dimension) =>
      this.#choose
        .literals(state[index] ?? [], this.#environment)
        .some(({ texts }) => texts?.patterns.some(({ hasVariable }) => hasVariable));
    for (const pass of [true, false]) {
      for (const dimension of dimensions) {
        if (this.#context.has(dimension.name) || hasOpen(dimension) !== pass) continue;
        if (!this.#value(dimension)) return null;
      }
    }
    for (const dimension of dimensions) {
      if (
        !this.#context.has(dimension.name) &&
        !this.#mayLack(dimension) &&
        !this.#value(dimension)
      ) {
        return null;
      }
    }
    const principal = this.#principal();
    if (!principal || !this.#variableKeys() || !this.#tagKeys()) return null;
    this.#derived(principal);
    const placeholders = this.#placeholders();
    const context: Record<string, readonly string[]> = {};
    for (const name of [...this.#context.keys()].sort()) {
      context[this.#rules.keys.get(name).spelling] = this.#context.get(name) ?? [];
    }
    return {
      principal,
      action,
      resource,
      context,
      ...(placeholders.length > 0 && {
        placeholders: Object.fromEntries(placeholders.map(([name, text]) => [name.slice(1), text])),
      }),
    };
  }

  /** A text for every placeholder of the documents, so that nothing stays open. */
  #placeholders(): readonly (readonly [string, string])[] {
    const texts = new Map<string, string>();
    for (const variable of this.#leaf.variables.list) {
      const name = nameOf(variable);
      if (variable.kind === "placeholder") {
        texts.set(name, this.#environment.get(name) ?? "placeholder-text");
      }
    }
    return [...texts];
  }

  #mayLack(dimension: Dimension): boolean {
    const { scope, state } = this.#leaf;
    return scope.feasibility.of(dimension, state[dimension.index] ?? []).absent;
  }

  /** Gives a dimension its value, or leaves it out where that is allowed. */
  #value(dimension: Dimension): boolean {
    const { state } = this.#leaf;
    const ids = state[dimension.index] ?? [];
    const isWanted = this.#environment.has(dimension.name);
    if (dimension.name === "aws:tagkeys") return true;
    if (this.#mayLack(dimension) && !isWanted) return true;
    if (dimension.family === "text") return this.#texts(dimension, ids);
    const { scope } = this.#leaf;
    const values = groupsOf(
      dimension,
      ids.map((id) => scope.terms.get(id)),
    ).map((literals) =>
      pickValue(
        dimension.family === "number" || dimension.family === "instant"
          ? dimension.family
          : "address",
        scope.feasibility.ranges(dimension, literals),
      ),
    );
    if (values.some((value) => value === null)) return false;
    this.#context.set(dimension.name, [...new Set(values.flatMap((value) => value ?? []))]);
    return true;
  }

  #texts(dimension: Dimension, ids: readonly number[]): boolean {
    const { scope } = this.#leaf;
    const bound = this.#environment.get(dimension.name);
    const more =
      bound === undefined || dimension.isMultivalued
        ? []
        : [oneOf(scope.terms, dimension, [patternOf(unitsOf(bound))])];
    const values: string[] = [];
    for (const literals of groupsOf(
      dimension,
      ids.map((id) => scope.terms.get(id)),
    )) {
      const group = literals.map(({ id }) => id);
      const chosen = this.#choose.texts(dimension, group, this.#environment, more);
      if (!chosen) return false;
      this.#environment = chosen.environment;
      values.push(chosen.text);
    }
    this.#context.set(dimension.name, [...new Set(values)]);
    return true;
  }

  #principal(): RequestPrincipal | null {
    const { caller, scope, state } = this.#leaf;
    if (caller.kind === "anonymous") return { type: "Anonymous" };
    if (caller.kind === "service") return { type: "Service", name: caller.name };
    if (caller.kind === "federated") return { type: "Federated", name: caller.name };
    if (caller.kind === "canonical") return { type: "CanonicalUser", name: caller.name };
    const dimension = scope.terms.dimension("aws:principalarn");
    const more: Literal[] = [];
    const name = this.#environment.get("aws:username");
    if (name !== undefined && caller.kind === "user") {
      more.push(oneOf(scope.terms, dimension, userArns(unitsOf(name))));
    }
    const account = this.#environment.get("aws:principalaccount");
    if (account !== undefined) {
      more.push(oneOf(scope.terms, dimension, [accountArns(unitsOf(account))]));
    }
    const ids = state[dimension.index] ?? [];
    const bound = this.#environment.get("aws:principalarn");
    if (bound !== undefined) more.push(oneOf(scope.terms, dimension, [patternOf(unitsOf(bound))]));
    const words = caller.kind === "user" ? ["alice", "bob"] : ["example-role", "other-role"];
    const arn = this.#arn(dimension, ids, more, words);
    if (arn === null) return null;
    if (caller.session) return { type: "AWS", arn, session: caller.session.session };
    return caller.kind === "role"
      ? { type: "AWS", arn, session: "example-session" }
      : { type: "AWS", arn };
  }

  #arn(
    dimension: Dimension,
    ids: readonly number[],
    more: readonly Literal[],
    words: readonly string[],
  ): string | null {
    const { scope, caller } = this.#leaf;
    const literals = [...this.#choose.literals(ids, this.#environment), ...more];
    const wording = {
      fields: arnFields("iam", caller.account),
      words: [...words, ...plainWords],
    };
    for (const found of scope.feasibility.texts(dimension, literals)) {
      const isOpen = literals.some(({ texts }) =>
        texts?.patterns.some(({ hasVariable }) => hasVariable),
      );
      const meets = (text: string) => isOpen || textMeets(text, literals, scope.budget);
      const [text] = spellings(found, wording, () => "example", meets);
      if (text !== undefined) return text;
    }
    return null;
  }

  /** Keys whose value stands in the place of a variable. */
  #variableKeys(): boolean {
    const { caller, scope, state } = this.#leaf;
    for (const [name, text] of this.#environment) {
      if (name.startsWith("@") || this.#context.has(name)) continue;
      if (presenceOf(caller, name) === "never") return false;
      const dimension = scope.terms.find(name);
      if (dimension && state[dimension.index]) {
        const literals = this.#choose.literals(state[dimension.index] ?? [], this.#environment);
        if (dimension.family === "text" && !textMeets(text, literals, scope.budget)) return false;
      }
      this.#context.set(name, [text]);
    }
    return true;
  }

  /** F10: the tags of the request and their keys. */
  #tagKeys(): boolean {
    const { scope, state } = this.#leaf;
    const tags = [...this.#context.keys()].filter((name) => name.startsWith(requestTag));
    const linked = tagKeysState(state, scope);
    if (!linked) {
      if (tags.length > 0 && this.#rules.keys.isTested("aws:tagkeys")) {
        this.#context.set(
          "aws:tagkeys",
          tags.map((name) => name.slice(requestTag.length)),
        );
      }
      return true;
    }
    const { dimension, ids } = linked;
    if (!mustHave(withIds(state, dimension, ids), scope, "aws:tagkeys") && tags.length === 0)
      return true;
    const literals = ids.map((id) => scope.terms.get(id));
    const values: string[] = [];
    for (const group of groupsOf(dimension, literals)) {
      const chosen = this.#choose.texts(
        dimension,
        group.map(({ id }) => id),
        this.#environment,
      );
      if (!chosen) return false;
      values.push(chosen.text);
    }
    this.#context.set("aws:tagkeys", [...new Set(values)]);
    for (const value of values) {
      const tag = `${requestTag}${value.toLowerCase()}`;
      const tested = scope.terms.find(tag) ?? (this.#rules.usedKeys.includes(tag) ? true : null);
      if (tested === null || this.#context.has(tag)) continue;
      const own = typeof tested === "object" ? (state[tested.index] ?? []) : [];
      const chosen =
        typeof tested === "object"
          ? this.#choose.texts(tested, own, this.#environment)
          : { text: "example" };
      if (!chosen) return false;
      this.#context.set(tag, [chosen.text]);
    }
    return true;
  }

  /** Keys that follow from the caller, from the clock or from other keys, where a document uses them. */
  #derived(principal: RequestPrincipal): void {
    const { caller } = this.#leaf;
    for (const name of this.#rules.usedKeys) {
      const value = derivedValue(name, principal, caller, this.#context);
      // A value that is there already may be the first of several.
      if (value !== null && value !== this.#context.get(name)?.[0])
        this.#context.set(name, [value]);
    }
  }
}

function withIds(state: State, { index }: Dimension, ids: readonly number[]): State {
  const copy = [...state];
  copy[index] = ids;
  return copy;
}

/** The literals that each value of a dimension has to meet: one list for each value that is needed. */
function groupsOf(
  dimension: Dimension,
  literals: readonly Literal[],
): readonly (readonly Literal[])[] {
  if (!dimension.isMultivalued) return [literals];
  const { every, some, plain } = byQuantifier(literals);
  if (plain.length > 0) return [literals];
  return some.length === 0 ? [every] : some.map((one) => [...every, one]);
}

function derivedValue(
  name: string,
  principal: RequestPrincipal,
  caller: Caller,
  context: ReadonlyMap<string, readonly string[]>,
): string | null {
  const arn = principal.type === "AWS" ? principal.arn : null;
  const known = context.get(name)?.[0] ?? null;
  switch (name) {
    case "aws:principalarn":
      return arn ?? known;
    case "aws:principalaccount":
      if (arn !== null) return arn.split(":")[4] ?? "";
      if (principal.type === "Anonymous") return "anonymous";
      return known ?? "777788889999";
    case "aws:principaltype":
      if (arn === null)
        return principal.type === "Anonymous" ? "Anonymous" : (known ?? "AssumedRole");
      return arn.endsWith(":root") ? "Account" : caller.kind === "user" ? "User" : "AssumedRole";
    case "aws:username":
      return caller.kind === "user" && arn !== null ? arn.slice(arn.lastIndexOf("/") + 1) : known;
    case "aws:principalisawsservice":
      if (arn !== null) return "false";
      return principal.type === "Service" ? "true" : known;
    case "aws:principalservicename":
      return principal.type === "Service" ? principal.name : known;
    case "aws:userid":
      return principal.type === "Anonymous" ? "anonymous" : (known ?? "AIDAEXAMPLE");
    case "aws:tokenissuetime":
      return (
        known ??
        (caller.kind === "role" || caller.kind === "session" ? "2030-01-01T00:00:00Z" : null)
      );
    case "aws:currenttime":
      return known ?? "2030-01-01T00:00:00Z";
    case "aws:epochtime":
      return epochOf(context.get("aws:currenttime")?.[0] ?? "2030-01-01T00:00:00Z");
    case "aws:requestedregion":
      return known ?? "us-east-1";
    case "aws:securetransport":
      return known ?? "true";
    case "aws:multifactorauthpresent":
      return context.has("aws:multifactorauthage") ? "true" : known;
    default:
      return (
        known ?? organisationId(name, context) ?? (caller.present.has(name) ? "example" : null)
      );
  }
}

/** F12: the id is the first part of the path. */
function organisationId(
  name: string,
  context: ReadonlyMap<string, readonly string[]>,
): string | null {
  const path = pathKeyOf.get(name);
  const value = path === undefined ? undefined : context.get(path)?.[0];
  return value === undefined ? null : value.slice(0, value.indexOf("/"));
}

function epochOf(instant: string): string {
  const value = readInstant(instant) ?? 0n;
  const second = 1_000_000_000_000n;
  const rest = value % second;
  return rest === 0n
    ? (value / second).toString()
    : `${value / second}.${(rest / 1000n).toString().padStart(9, "0")}`;
}
