import { withAccounts } from "./account-digits.ts";
import { type ActionChoice, actionChoices } from "./action-choice.ts";
import { bindings } from "./bind.ts";
import type { Steps } from "./budget.ts";
import { isAwsIdentity } from "./callers.ts";
import { epochOf } from "./derived-keys.ts";
import { Draft } from "./draft.ts";
import type { Found } from "./feasible.ts";
import type { Confirmed, Kind, Leaf } from "./leaf.ts";
import { isUnequal } from "./leaf-equalities.ts";
import { isRefuted } from "./leaf-refutation.ts";
import { type Bound, type Environment, LeafVariables, nameOf, unvaried } from "./leaf-variables.ts";
import { type Dimension, type Literal, oneOf, type Place } from "./literals.ts";
import { minimal } from "./minimal.ts";
import { type Pattern, unitsOf } from "./patterns.ts";
import { pickValue } from "./pick-value.ts";
import { fieldPattern, splitFields, type Variable } from "./read-pattern.ts";
import type { AccessRequest } from "./request.ts";
import { isUnit, isVariable, run, type Token } from "./tokens.ts";
import type { WitnessRules } from "./witness-rules.ts";
import {
  arnFields,
  otherArnFields,
  plainWords,
  preferred,
  spellings,
  textMeets,
  type Wording,
} from "./words.ts";

/** Most requests that the evaluator is asked about for one leaf. */
const maxCandidates = 8;
/** Most of them that differ in the text around the variables only. */
const maxSpellings = 4;
/** Most accounts that are tried as the owner of a resource. */
const maxOwners = 3;
/** Choices of values for the variables: a usual one may be what a document writes out. */
const choices = [0, 1, 2] as const;

/**
 * From a leaf to a confirmed request; null: no request of the leaf can exist. Yields null where
 * control may be handed back.
 */
export function witnessOf(leaf: Leaf, rules: WitnessRules): Steps<Confirmed | Place | null> {
  return new WitnessSearch(leaf, rules).run();
}

const accounts = ["111122223333", "444455556666", "777788889999"] as const;
/** The first Region is also what ARNs of a witness have in their field. */
const freeValues = [
  { region: "us-east-1", userid: "AIDAEXAMPLE" },
  { region: "eu-west-1", userid: "AIDAOTHEREXAMPLE" },
  { region: "ap-southeast-2", userid: "AIDATHIRDEXAMPLE" },
] as const;

/** ARNs whose account is this one. */
function resourcesOf(account: string): Pattern {
  return fieldPattern([unitsOf("arn"), [run], [run], [run], unitsOf(account), [run]]);
}

class WitnessSearch {
  readonly #leaf: Leaf;
  readonly #rules: WitnessRules;
  readonly #open: LeafVariables;
  /** Keys whose value is being looked for. */
  readonly #valued = new Set<string>();
  /** Requests that the evaluator was asked about. */
  readonly #asked = new Set<string>();
  /** Which of {@link choices} the values of variables are taken from. */
  #choice: (typeof choices)[number] = 0;
  #openBy: string | null = null;

  constructor(leaf: Leaf, rules: WitnessRules) {
    this.#leaf = leaf;
    this.#rules = rules;
    this.#open = new LeafVariables(leaf);
  }

  *run(): Steps<Confirmed | Place | null> {
    const environments = this.#open.fixedValues();
    const possible = environments.filter((environment) => this.#open.isPossible(environment));
    if (possible.length === 0) return null;
    const hasVariables = this.#open.variables().length > 0;
    if (hasVariables && (yield* isRefuted(this.#leaf))) return null;
    if (hasVariables && (yield* isUnequal(this.#leaf))) return null;
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
    const used = this.#open.variables();
    const construct =
      this.#openBy ??
      (used.some(({ kind }) => kind === "placeholder")
        ? "placeholder"
        : used.length > 0
          ? "policy_variable"
          : this.#lacksSetOperator()
            ? "set_operator_missing"
            : "unconfirmed");
    return { construct, path: origin.statement.path, side: origin.side, text: "", key: null };
  }

  /** Several values may be needed, as by two tags, where one condition says nothing of several. */
  #lacksSetOperator(): boolean {
    const { scope, state } = this.#leaf;
    return state.some((ids) => ids?.some((id) => scope.terms.get(id).quantifier === "plain"));
  }

  *#under(environment: Environment): Steps<Confirmed | null> {
    const fits = (form: Pattern) => this.#hasResource(form, environment);
    const { services, writtenOut } = this.#rules;
    for (const choice of actionChoices(this.#leaf, services, writtenOut, fits)) {
      if (!choice) {
        yield null;
        continue;
      }
      // The choices of the best kind come first.
      const found = yield* this.#withAction(choice, environment);
      if (found || this.#asked.size >= maxCandidates) return found;
    }
    return null;
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
    const literals = [...this.#open.substituted(state[dimension.index] ?? [], environment)];
    if (form) literals.push(oneOf(scope.terms, dimension, [form]));
    yield* scope.feasibility.textSteps(dimension, literals);
  }

  *#withAction(choice: ActionChoice, environment: Environment): Steps<Confirmed | null> {
    const { scope, state } = this.#leaf;
    const dimension = scope.terms.dimension("@resource");
    const literals = state[dimension.index] ?? [];
    const wording = yield* this.#arnWording(choice.action, environment);
    let tries = 0;
    for (const found of this.#resources(choice.form, environment)) {
      if (!found) {
        yield null;
        continue;
      }
      const meets = (env: Environment) => (text: string) =>
        textMeets(text, unvaried(this.#open.substituted(literals, env)), scope.budget);
      const owned = this.#withOwner(found, environment);
      const isOpen = this.#open.variables().length > 0;
      for (const values of isOpen ? choices : [choices[0]]) {
        this.#choice = values;
        let spelled = 0;
        for (const bound of this.#bound(found, literals, owned, wording, meets)) {
          const request = this.#request(choice, bound.text, bound.environment);
          if (request) {
            const confirmed = yield* this.#confirm(request, choice.kind);
            if (confirmed) return confirmed;
          }
          yield null;
          if (++tries > 6 || this.#asked.size >= maxCandidates) return null;
          if (isOpen && ++spelled >= (values === 0 ? maxSpellings : 1)) break;
        }
      }
    }
    return null;
  }

  /** Texts of a found pattern, with values for the variables that it depends on. */
  *#bound(
    found: Found,
    ids: readonly number[],
    environment: Environment,
    wording: Wording,
    meets: (environment: Environment) => (text: string) => boolean,
  ): Generator<Bound> {
    const { variables, scope } = this.#leaf;
    const chosen = new Map(environment);
    for (const token of found.text) {
      if (!isVariable(token)) continue;
      const variable = variables.of(token);
      if (!chosen.has(nameOf(variable))) chosen.set(nameOf(variable), this.#valueFor(variable));
    }
    const textOf = (token: Token) => chosen.get(nameOf(variables.of(token))) ?? "";
    const shouted = (token: Token) =>
      (token & 1) === 1 ? textOf(token).toUpperCase() : textOf(token);
    const isAnyCase = found.text.some((token) => isVariable(token) && (token & 1) === 1);
    for (const spell of isAnyCase ? [textOf, shouted] : [textOf]) {
      for (const text of spellings(found, wording, spell, meets(chosen))) {
        yield* bindings(text, this.#open.substituted(ids, chosen), chosen, variables, scope.budget);
      }
    }
  }

  #valueFor({ kind, name }: Variable): string {
    if (kind === "placeholder") return "example";
    const { scope, state, caller } = this.#leaf;
    const part = this.#partOfCaller(name);
    if (part !== null) return part;
    if (name === "aws:principalaccount" && isAwsIdentity(caller.kind)) {
      return caller.account ?? this.#account();
    }
    const typed = this.#typedValue(name);
    if (typed !== null) return typed;
    // A caller has an ARN also where no condition says something of it.
    const isArn = name === "aws:principalarn" && isAwsIdentity(caller.kind);
    const dimension = isArn ? scope.terms.dimension(name) : scope.terms.find(name);
    const ids = dimension && (state[dimension.index] ?? (isArn ? [] : undefined));
    // A key may be compared with itself, or two keys with each other.
    if (dimension && ids && !this.#valued.has(name)) {
      this.#valued.add(name);
      const text = this.#textOf(dimension, ids, new Map())?.text;
      this.#valued.delete(name);
      if (text !== undefined) return text;
    }
    return this.#wordsFor(name)[0] ?? "example";
  }

  /** A number, an instant or an address that the conditions leave; null: the key has texts. */
  #typedValue(name: string): string | null {
    const { scope, state } = this.#leaf;
    const { family } = this.#rules.keys.get(name);
    if (family === "text") return null;
    // F2: both names of the clock are one dimension.
    const clock = "aws:currenttime";
    const isEpoch = name === "aws:epochtime";
    const dimension = scope.terms.find(isEpoch ? clock : name);
    const ids = (dimension && state[dimension.index]) ?? [];
    const ranges = scope.feasibility.ranges(
      { family },
      ids.map((id) => scope.terms.get(id)),
    );
    const value = pickValue(family, ranges);
    return value !== null && isEpoch ? epochOf(value) : value;
  }

  /** The account or the name of a user, where conditions say something about the ARN; else null. */
  #partOfCaller(name: string): string | null {
    const { scope, state, caller } = this.#leaf;
    const isAccount = name === "aws:principalaccount" && isAwsIdentity(caller.kind);
    if (!isAccount && !(name === "aws:username" && caller.kind === "user")) return null;
    const dimension = scope.terms.find("aws:principalarn");
    const ids = dimension && state[dimension.index];
    if (!dimension || !ids || this.#valued.has(dimension.name)) return null;
    this.#valued.add(dimension.name);
    const arn = this.#textOf(dimension, ids, new Map())?.text;
    this.#valued.delete(dimension.name);
    if (arn === undefined) return null;
    return isAccount ? (arn.split(":")[4] ?? null) : arn.slice(arn.lastIndexOf("/") + 1);
  }

  /** Words for a key, the wanted one first; past the first choice, other ones for each variable. */
  #wordsFor(name: string): readonly string[] {
    const { type } = this.#rules.keys.get(name);
    const usual = preferred.get(name) ?? (type === "Bool" ? ["true", "false"] : []);
    const words = [...usual, ...plainWords];
    const position = this.#open.variables().findIndex((one) => one.name === name);
    if (this.#choice === 0 || position < 0) return words;
    return words.slice((2 * this.#choice - 1 + position) % words.length);
  }

  #account(): string {
    return accounts[this.#choice];
  }

  #textOf(
    dimension: Dimension,
    ids: readonly number[],
    environment: Environment,
    more: readonly Literal[] = [],
  ): Bound | null {
    const { scope } = this.#leaf;
    const literals = [...this.#open.substituted(ids, environment), ...more];
    const words = this.#wordsFor(dimension.name);
    const account = this.#leaf.caller.account ?? this.#account();
    const isArn = dimension.name === "aws:principalarn";
    const excluded = new Set(scope.feasibility.excluded(dimension).map(({ text }) => text));
    let first: Bound | null = null;
    for (const found of scope.feasibility.texts(dimension, literals)) {
      const meets = (env: Environment) => (text: string) =>
        !excluded.has(text) &&
        textMeets(text, unvaried([...this.#open.substituted(ids, env), ...more]), scope.budget);
      const wording = { fields: arnFields("s3", null), others: otherArnFields("s3"), words };
      for (const settled of isArn ? withAccounts(found, account) : [found]) {
        for (const bound of this.#bound(settled, ids, environment, wording, meets)) {
          const known = [...this.#open.substituted(ids, bound.environment), ...more];
          if (textMeets(bound.text, known, scope.budget)) return bound;
          first ??= bound;
        }
      }
    }
    return first;
  }

  *#arnWording(action: string, environment: Environment): Steps<Wording> {
    const service = action.slice(0, action.indexOf(":")).toLowerCase();
    const [owner = null, ...owners] = yield* this.#owners(environment);
    return {
      fields: arnFields(service, owner),
      others: [...owners.map((one) => arnFields(service, one)), ...otherArnFields(service)],
      words: plainWords,
    };
  }

  /** F15: a variable with the owner is the account in the ARN that it is part of. */
  #withOwner({ text }: Found, environment: Environment): Environment {
    const name = "aws:resourceaccount";
    const field = splitFields(text)[4] ?? [];
    const account = field.every(isUnit) ? String.fromCharCode(...field) : "";
    const { variables } = this.#leaf;
    const isPutIn = text.some((one) => isVariable(one) && nameOf(variables.of(one)) === name);
    if (!isPutIn || !/^\d{12}$/.test(account)) return environment;
    return new Map([...environment, [name, account]]);
  }

  /** F15: accounts that conditions and resources leave for the owner of the resource, where the conditions want one. */
  *#owners(environment: Environment): Steps<readonly string[]> {
    const { scope, state } = this.#leaf;
    const dimension = scope.terms.find("aws:resourceaccount");
    const ids = dimension && state[dimension.index];
    if (!dimension || !ids || scope.feasibility.of(dimension, ids).absent) return [];
    const literals = this.#open.substituted(ids, environment);
    const wording = { fields: [], words: plainWords };
    const owners: string[] = [];
    for (const found of scope.feasibility.texts(dimension, literals)) {
      const meets = (text: string) => textMeets(text, literals, scope.budget);
      for (const owner of spellings(found, wording, () => "", meets).slice(0, 1)) {
        if (yield* this.#hasResource(resourcesOf(owner), environment)) owners.push(owner);
      }
      if (owners.length >= maxOwners) break;
    }
    return owners;
  }

  /** Puts caller and context together. @returns null when some dimension has no value left. */
  #request(choice: ActionChoice, resource: string, bound: Environment): AccessRequest | null {
    const draft = new Draft(this.#leaf, this.#rules, bound, {
      texts: (dimension, ids, environment, more) => this.#textOf(dimension, ids, environment, more),
      literals: (ids, environment) => this.#open.substituted(ids, environment),
      account: this.#account(),
      free: freeValues[this.#choice],
    });
    return draft.build(choice.action, resource);
  }

  *#confirm(request: AccessRequest, kind: Kind): Steps<Confirmed | null> {
    const { caller } = this.#leaf;
    const text = JSON.stringify(request);
    if (this.#asked.has(text) || !this.#rules.isWellFormed(request, caller)) return null;
    this.#asked.add(text);
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
