import { withAccounts } from "./account-digits.ts";
import { bindings } from "./bind.ts";
import { freshServices } from "./caller-kinds.ts";
import { accountArns, isAwsIdentity, userArns } from "./callers.ts";
import { derivedValue, type FreeValues } from "./derived-keys.ts";
import type { Leaf } from "./leaf.ts";
import { type Bound, type Environment, nameOf } from "./leaf-variables.ts";
import { mustHave, requestTag, tagKeysState } from "./links.ts";
import { type Dimension, type Literal, oneOf } from "./literals.ts";
import { patternOf, unitsOf } from "./patterns.ts";
import { pickValue } from "./pick-value.ts";
import type { AccessRequest, RequestPrincipal } from "./request.ts";
import { isVariable, type Token } from "./tokens.ts";
import { groupsOf, withIds } from "./value-groups.ts";
import type { WitnessRules } from "./witness-rules.ts";
import { arnFields, otherArnFields, plainWords, spellings, textMeets } from "./words.ts";

/** The values of one dimension, chosen by the search for a witness. */
export interface Chooser {
  texts(
    dimension: Dimension,
    ids: readonly number[],
    environment: Environment,
    more?: readonly Literal[],
  ): Bound | null;
  literals(ids: readonly number[], environment: Environment): readonly Literal[];
  /** Of a caller that may belong to any account. */
  readonly account: string;
  readonly free: FreeValues;
}

/** A request in the making. */
export class Draft {
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
    this.#ownerOf(resource);
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
    const principal = this.#principal();
    if (!principal || !this.#variableKeys() || !this.#tagKeys()) return null;
    // The keys of tags may have settled more of them.
    if (!this.#variableKeys()) return null;
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

  /** F15: the key of the resource's account, where it is asked for, has the account that the resource names. */
  #ownerOf(resource: string): void {
    const name = "aws:resourceaccount";
    const [, , , , account = ""] = resource.split(":");
    const { scope, state } = this.#leaf;
    const dimension = scope.terms.find(name);
    const isUsed =
      (dimension && state[dimension.index] && !this.#mayLack(dimension)) || this.#isPutIn(name);
    if (isUsed && !this.#environment.has(name) && /^\d{12}$/.test(account)) {
      this.#environment = new Map([...this.#environment, [name, account]]);
    }
  }

  /** Whether the value of a key stands in a pattern that a text has to fit; one that is ruled out fits nothing without it. */
  #isPutIn(name: string): boolean {
    const { scope, state, variables } = this.#leaf;
    const isIt = (token: Token) => isVariable(token) && nameOf(variables.of(token)) === name;
    return state.some((ids) =>
      ids?.some((id) => {
        const { texts } = scope.terms.get(id);
        return !texts?.negated && texts?.patterns.some(({ tokens }) => tokens.some(isIt));
      }),
    );
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
    const mayLack = this.#mayLack(dimension);
    if (mayLack && !isWanted) return true;
    const { family } = dimension;
    // A variable with another value may not be needed, as its key is not.
    if (family === "text" || family === "opaque") return this.#texts(dimension, ids) || mayLack;
    const bound = this.#environment.get(dimension.name);
    if (bound !== undefined) {
      this.#context.set(dimension.name, [bound]);
      return true;
    }
    const { scope } = this.#leaf;
    const values = groupsOf(
      dimension,
      ids.map((id) => scope.terms.get(id)),
    ).flatMap((literals) => pickValue(family, scope.feasibility.ranges(dimension, literals)) ?? []);
    this.#context.set(dimension.name, [...new Set(values)]);
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
    if (caller.kind === "service") {
      const key = "aws:principalservicename";
      const open = this.#environment.get(key) ?? this.#context.get(key)?.[0];
      return { type: "Service", name: caller.name || (open ?? freshServices[0] ?? "") };
    }
    if (caller.kind === "federated") return { type: "Federated", name: caller.name };
    if (caller.kind === "canonical") return { type: "CanonicalUser", name: caller.name };
    const dimension = scope.terms.dimension("aws:principalarn");
    const more: Literal[] = [];
    const name = this.#environment.get("aws:username");
    if (name !== undefined) {
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
    const account = caller.account ?? this.#choose.account;
    const wording = {
      fields: arnFields("iam", account),
      others: otherArnFields("iam"),
      words: [...words, ...plainWords],
    };
    const isOpen = literals.some(({ texts }) =>
      texts?.patterns.some(({ hasVariable }) => hasVariable),
    );
    const meets = (text: string) => isOpen || textMeets(text, literals, scope.budget);
    for (const found of scope.feasibility.texts(dimension, literals)) {
      for (const settled of withAccounts(found, account)) {
        const [text] = spellings(settled, wording, () => "example", meets);
        if (text === undefined) continue;
        const { variables } = this.#leaf;
        for (const bound of bindings(text, literals, this.#environment, variables, scope.budget)) {
          this.#environment = bound.environment;
          return text;
        }
      }
    }
    return null;
  }

  /** Keys whose value replaces a variable. */
  #variableKeys(): boolean {
    const { scope, state } = this.#leaf;
    for (const [name, text] of this.#environment) {
      if (name.startsWith("@") || this.#context.has(name)) continue;
      const dimension = scope.terms.find(name);
      if (dimension && state[dimension.index]) {
        const literals = this.#choose.literals(state[dimension.index] ?? [], this.#environment);
        if (dimension.family === "text" && !textMeets(text, literals, scope.budget)) {
          if (this.#mayLack(dimension)) continue;
          return false;
        }
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
      this.#environment = chosen.environment;
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
    const { free } = this.#choose;
    for (const name of this.#rules.usedKeys) {
      const value = derivedValue(name, principal, caller, this.#context, free);
      // A value that is there already may be the first of several.
      if (value !== null && value !== this.#context.get(name)?.[0])
        this.#context.set(name, [value]);
    }
  }
}
