import { type Caller, isAwsIdentity } from "./callers.ts";
import { isPossible } from "./feasible.ts";
import type { Leaf } from "./leaf.ts";
import { idsOf, type Literal } from "./literals.ts";
import { substitute, type Variable } from "./read-pattern.ts";
import { anyCase, colon, isVariable, slash, type Token } from "./tokens.ts";

/** Texts for variables, by {@link nameOf}. */
export type Environment = ReadonlyMap<string, string>;

/** A text, and the values of variables that it depends on. */
export interface Bound {
  readonly text: string;
  readonly environment: Environment;
}

/**
 * Name of a variable in an {@link Environment}: the folded key, or `@` and a name that no key has.
 */
export function nameOf({ kind, name }: Variable): string {
  return kind === "key" ? name : `@${name}`;
}

/** Most values of a variable that are put in one by one. */
const maxValues = 8;

/** The variables of a leaf, and the texts that may be put in for them. */
export class LeafVariables {
  readonly #leaf: Leaf;
  #lacks: ReadonlySet<string> | null = null;
  #variables: readonly Variable[] | null = null;

  constructor(leaf: Leaf) {
    this.#leaf = leaf;
  }

  /** Variables that the leaf's literals hold. */
  variables(): readonly Variable[] {
    this.#variables ??= this.#find();
    return this.#variables;
  }

  #find(): readonly Variable[] {
    const { state, scope, variables } = this.#leaf;
    const found = new Map<string, Variable>();
    for (const id of state.flatMap((ids) => ids ?? [])) {
      for (const { tokens } of scope.terms.get(id).texts?.patterns ?? []) {
        for (const token of tokens.filter(isVariable)) {
          const variable = variables.of(token);
          found.set(nameOf(variable), variable);
        }
      }
    }
    return [...found.values()];
  }

  /** Variables whose key has one of a few literal values, put in value by value. */
  fixedValues(): readonly Environment[] {
    let environments: Environment[] = [new Map()];
    for (const variable of this.variables()) {
      const values = this.#literalValues(nameOf(variable));
      if (!values || values.length * environments.length > maxValues * 2) continue;
      environments = environments.flatMap((environment) =>
        values.map((value) => new Map([...environment, [variable.name, value]])),
      );
    }
    return environments;
  }

  #literalValues(name: string): readonly string[] | null {
    const { scope, state, caller } = this.#leaf;
    const isArnPart = isPartOfArn(caller, name);
    const dimension = scope.terms.find(isArnPart ? "aws:principalarn" : name);
    const ids = dimension && state[dimension.index];
    if (!dimension || !ids || dimension.family !== "text") return null;
    if (scope.feasibility.of(dimension, ids).absent) return null;
    const patterns = scope.feasibility.patterns(
      dimension,
      ids.map((id) => scope.terms.get(id)),
    );
    const values = new Set<string>();
    for (const { tokens } of patterns) {
      const part = isArnPart ? arnPart(tokens, name) : tokens;
      if (part.some((token) => token >= anyCase)) return null;
      values.add(String.fromCharCode(...part));
    }
    return values.size > maxValues ? null : [...values];
  }

  /** Keys of variables that no request of the leaf has: their patterns match nothing. */
  #lacking(): ReadonlySet<string> {
    if (this.#lacks) return this.#lacks;
    const { scope, state } = this.#leaf;
    const names = this.variables().flatMap((variable) => {
      const name = nameOf(variable);
      const dimension = scope.terms.find(name);
      const ids = dimension && state[dimension.index];
      return ids && scope.feasibility.of(dimension, ids).present === "no" ? [name] : [];
    });
    this.#lacks = new Set(names);
    return this.#lacks;
  }

  isPossible(environment: Environment): boolean {
    const { scope, state } = this.#leaf;
    return scope.terms.dimensions.every((dimension) => {
      const ids = state[dimension.index];
      if (!ids) return true;
      const literals = this.substituted(ids, environment);
      return isPossible(scope.feasibility.of(dimension, idsOf(literals)));
    });
  }

  substituted(ids: readonly number[], environment: Environment): readonly Literal[] {
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
}

/**
 * What literals say of a text while variables are open: one that asks for something may be met by a
 * pattern with a variable, but a text must fit none of the other patterns that one rules out.
 */
export function unvaried(literals: readonly Literal[]): readonly Literal[] {
  return literals.flatMap((literal) => {
    const { texts } = literal;
    if (!texts?.patterns.some(({ hasVariable }) => hasVariable)) return [literal];
    if (!texts.negated) return [];
    const patterns = texts.patterns.filter(({ hasVariable }) => !hasVariable);
    return [{ ...literal, texts: { ...texts, patterns } }];
  });
}

/** Whether a key of the caller follows from its ARN. */
export function isPartOfArn({ kind }: Caller, key: string): boolean {
  return isAwsIdentity(kind) && (key === "aws:username" || key === "aws:principalaccount");
}

/** The last part of an ARN, or its account. */
export function arnPart(tokens: readonly Token[], name: string): readonly Token[] {
  if (name === "aws:username") return tokens.slice(tokens.lastIndexOf(slash) + 1);
  const colons = tokens.flatMap((token, at) => (token === colon ? [at] : []));
  return tokens.slice((colons[3] ?? 0) + 1, colons[4]);
}
