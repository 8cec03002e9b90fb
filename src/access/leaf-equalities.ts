/**
 * Keys that a leaf says are equal, as `aws:ResourceTag/team` is to `${aws:PrincipalTag/team}`. The search reads a
 * variable as a character that equals only itself; here equal keys become one variable, and what is said of one
 * is said of the others.
 */
import type { Steps } from "./budget.ts";
import { accountArns, isAwsIdentity, userArns } from "./callers.ts";
import type { Leaf } from "./leaf.ts";
import { type Dimension, idsOf, type Literal, oneOf } from "./literals.ts";
import { type Pattern, patternOf } from "./patterns.ts";
import type { Variable } from "./read-pattern.ts";
import {
  barsOf,
  isVariable,
  noColon,
  noSlash,
  plainVariable,
  type Token,
  withBars,
} from "./tokens.ts";

/** What is said of one key is moved to each equal one; with more keys the evaluator alone decides about the witness. */
const mostKeys = 64;

/** Whether no request can meet all literals of a leaf, since some of its keys are equal. */
export function* isUnequal(leaf: Leaf): Steps<boolean> {
  const equal = new EqualKeys(leaf);
  if (equal.size > mostKeys) return false;
  for (const dimension of leaf.scope.terms.dimensions) {
    if (yield* equal.excludes(dimension)) return true;
  }
  return false;
}

/** Keys by what they are equal to. */
class Classes {
  /** From a key to an equal one, by folded name. */
  readonly #parent = new Map<string, string>();

  join(left: string, right: string): void {
    const [a, b] = [this.root(left), this.root(right)];
    if (a !== b) this.#parent.set(a, b);
  }

  root(name: string): string {
    let root = name;
    for (let up = this.#parent.get(root); up !== undefined; up = this.#parent.get(root)) root = up;
    return root;
  }
}

/** A variable under an operator that ignores letter case. */
const isFolded = (token: Token) => (token & 1) === 1;
/** The variable that is all of a pattern. */
const onlyVariable = ({ tokens }: Pattern) =>
  tokens.length === 1 ? tokens.find(isVariable) : undefined;

class EqualKeys {
  readonly #leaf: Leaf;
  readonly #exact = new Classes();
  /** Equal but for letter case. */
  readonly #folded = new Classes();
  readonly #joined = new Set<string>();

  constructor(leaf: Leaf) {
    this.#leaf = leaf;
    for (const dimension of this.#texts()) {
      for (const literal of this.#literals(dimension)) this.#note(dimension, literal);
    }
  }

  /** Number of keys that are equal to another one. */
  get size(): number {
    return this.#joined.size;
  }

  /** Tested dimensions of texts that every request of the leaf has. */
  *#texts(): Generator<Dimension> {
    const { scope, state } = this.#leaf;
    for (const dimension of scope.terms.dimensions) {
      const ids = state[dimension.index];
      if (!ids || dimension.family !== "text") continue;
      if (!scope.feasibility.of(dimension, ids).absent) yield dimension;
    }
  }

  #literals(dimension: Dimension): readonly Literal[] {
    const { scope, state } = this.#leaf;
    return (state[dimension.index] ?? []).map((id) => scope.terms.get(id));
  }

  #note(dimension: Dimension, { texts, quantifier }: Literal): void {
    if (quantifier !== "one" || !texts || texts.negated) return;
    const token = texts.patterns[0]?.tokens.find(isVariable);
    if (token === undefined) return;
    const key = this.#keyOf(token);
    if (key === null) return;
    if (isFolded(token)) {
      if (texts.patterns.length > 1 || !texts.patterns.some(onlyVariable)) return;
      this.#joined.add(dimension.name).add(key);
      this.#folded.join(dimension.name, key);
      return;
    }
    const { kind } = this.#leaf.caller;
    const plain = plainVariable(token);
    // Patterns that mean the same have one key.
    const keys = new Set(texts.patterns.map((pattern) => pattern.key));
    const is = (...forms: readonly Pattern[]) =>
      forms.length === keys.size && forms.every((form) => keys.has(form.key));
    if (is(patternOf([plain]))) this.#join(dimension.name, key);
    else if (dimension.name !== "aws:principalarn" || !isAwsIdentity(kind)) return;
    else if (is(accountArns([plain]))) this.#join("aws:principalaccount", key);
    else if (kind === "user" && is(...userArns([plain]))) this.#join("aws:username", key);
  }

  /** Null: a placeholder. Variables with a default were put in or have lost it when the statement was read. */
  #keyOf(token: Token): string | null {
    const { kind, name } = this.#leaf.variables.of(token);
    return kind === "key" ? name : null;
  }

  #join(left: string, right: string): void {
    // Keys that are equal to something are there.
    this.#joined.add(left).add(right);
    this.#exact.join(left, right);
    this.#folded.join(left, right);
  }

  #root(name: string): string {
    return this.#exact.root(name);
  }

  /** Whether the literal says that the key differs, whatever the letter case, from one that it is equal to. */
  #deniesItself({ name }: Dimension, { texts, quantifier }: Literal): boolean {
    if (quantifier !== "one" || !texts?.negated) return false;
    return texts.patterns.some((pattern) => {
      const token = onlyVariable(pattern);
      if (token === undefined || !isFolded(token)) return false;
      const key = this.#keyOf(token);
      return key !== null && this.#folded.root(key) === this.#folded.root(name);
    });
  }

  /** The one variable of all keys that are equal to this one. */
  #tokenOf(name: string): Token {
    const root = this.#root(name);
    const key: Variable = { kind: "key", name: root, fallback: null };
    const { kind } = this.#leaf.caller;
    const isAccount = isAwsIdentity(kind) && this.#root("aws:principalaccount") === root;
    // The name of a user is the last part of its ARN.
    const isName = kind === "user" && this.#root("aws:username") === root;
    const bars = isAccount ? noColon | noSlash : isName ? noSlash : 0;
    return withBars(this.#leaf.variables.token(key), bars);
  }

  /** Whether nothing is left for a dimension once equal keys are one. */
  *excludes(dimension: Dimension): Steps<boolean> {
    const { scope, state } = this.#leaf;
    const ids = state[dimension.index];
    if (!ids || dimension.family !== "text") return false;
    const isThere =
      this.#joined.has(dimension.name) || !scope.feasibility.of(dimension, ids).absent;
    if (!isThere) return false;
    if (this.#literals(dimension).some((literal) => this.#deniesItself(dimension, literal))) {
      return true;
    }
    const literals = [
      ...this.#literals(dimension).map((literal) => this.#renamed(literal)),
      ...this.#own(dimension),
      ...this.#ofEquals(dimension),
    ];
    return (yield* scope.feasibility.ofSteps(dimension, idsOf(literals))).present === "no";
  }

  #renamed(literal: Literal): Literal {
    const { texts } = literal;
    if (!texts?.patterns.some(({ hasVariable }) => hasVariable)) return literal;
    const patterns = texts.patterns.map(({ tokens }) =>
      patternOf(tokens.map((token) => (isVariable(token) ? this.#renamedToken(token) : token))),
    );
    return this.#leaf.scope.terms.literal({ ...literal, texts: { ...texts, patterns } });
  }

  #renamedToken(token: Token): Token {
    const key = this.#keyOf(token);
    return key === null ? token : withBars(this.#tokenOf(key), barsOf(token)) + (token & 1);
  }

  /** A key has its own value; the ARN of a caller has its account and its name. */
  #own(dimension: Dimension): readonly Literal[] {
    if (dimension.isMultivalued || dimension.name.startsWith("@")) return [];
    const { scope, caller } = this.#leaf;
    const forms: (readonly Pattern[])[] = [[patternOf([this.#tokenOf(dimension.name)])]];
    if (dimension.name === "aws:principalarn" && isAwsIdentity(caller.kind)) {
      forms.push([accountArns([this.#tokenOf("aws:principalaccount")])]);
      if (caller.kind === "user") forms.push(userArns([this.#tokenOf("aws:username")]));
    }
    return forms.map((patterns) => oneOf(scope.terms, dimension, patterns));
  }

  /** What is said of equal keys, which have one value each: a variable is no key of several. */
  #ofEquals(dimension: Dimension): readonly Literal[] {
    if (!this.#joined.has(dimension.name)) return [];
    const root = this.#root(dimension.name);
    const { terms } = this.#leaf.scope;
    const literals: Literal[] = [];
    for (const other of this.#texts()) {
      if (other === dimension || this.#root(other.name) !== root) continue;
      for (const literal of this.#literals(other)) {
        literals.push(terms.literal({ ...this.#renamed(literal), dimension: dimension.index }));
      }
    }
    return literals;
  }
}
