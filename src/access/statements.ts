import { asciiLower } from "../ascii.ts";
import { escapedStep } from "../json/node.ts";
import type { Budget, Steps } from "./budget.ts";
import {
  accountArns,
  type Caller,
  isAwsIdentity,
  isPathKey,
  pathKeyOf,
  presenceOf,
  userArns,
  valuesOf,
} from "./callers.ts";
import { readTest, type Test } from "./conditions.ts";
import type { Condition } from "./document.ts";
import { everyRange } from "./intervals.ts";
import type { QuestionKeys } from "./keys.ts";
import { type Dimension, type Literal, oneOf, opaque, type Place, type Terms } from "./literals.ts";
import type { Box, Origin } from "./origin.ts";
import { anything, maxTokens, type Pattern } from "./patterns.ts";
import { PrincipalReader } from "./principal-literals.ts";
import {
  pathOf,
  readTokens,
  resourcePattern,
  splitFields,
  substitute,
  type Variable,
  Variables,
} from "./read-pattern.ts";
import { isRun, isSingle, isUnit, isVariable, slash, type Token } from "./tokens.ts";

/** Reads the statements of one question as literals. */
export class StatementReader {
  readonly terms: Terms;
  readonly variables: Variables;
  readonly keys: QuestionKeys;
  readonly #principals: PrincipalReader;
  readonly #budget: Budget;
  readonly #tests = new Map<Condition, Test>();

  constructor(terms: Terms, variables: Variables, keys: QuestionKeys, budget: Budget) {
    this.terms = terms;
    this.variables = variables;
    this.keys = keys;
    this.#principals = new PrincipalReader(terms, budget);
    this.#budget = budget;
  }

  /**
   * What a statement asks of principal, resource and conditions; the action is left to the groups.
   * @returns one box; two where the outcome for a caller of whom some identities are listed is not
   * known (the second holds only with that doubt); none when no request of the caller matches.
   */
  *boxes(origin: Origin, caller: Caller): Steps<readonly Box[]> {
    const rest: Literal[] = [];
    const { statement } = origin;
    const resource = yield* this.#resource(origin, caller);
    if (!resource) return [];
    if (resource !== "all") rest.push(resource);
    for (const condition of statement.conditions) {
      const literal = this.condition(condition, origin, caller);
      if (literal === "never") return [];
      if (literal !== "always") rest.push(literal);
      // A condition takes as long to read as a few steps.
      this.#budget.toil(4 + condition.values.length);
      if (this.#budget.pauseDue) yield null;
    }
    const principals = yield* this.#principals.read(origin, caller);
    return principals.map((one) => ({ literals: [...one, ...rest] }));
  }

  *#resource({ statement, hasVariables }: Origin, caller: Caller): Steps<Literal | "all" | null> {
    const names = statement.resource;
    if (!names) return "all";
    const patterns: Pattern[] = [];
    for (const text of names.entries) {
      const pattern = this.resourceEntry(text, hasVariables, caller);
      if (pattern) patterns.push(pattern);
      this.#budget.toil(1 + (text.length >> 4));
      if (this.#budget.pauseDue) yield null;
    }
    if (patterns.includes(anything)) return names.negated ? null : "all";
    if (patterns.length === 0) return names.negated ? "all" : null;
    return oneOf(this.terms, this.terms.dimension("@resource"), patterns, names.negated);
  }

  /** Null: the entry matches nothing for this caller. */
  resourceEntry(text: string, hasVariables: boolean, caller: Caller): Pattern | null {
    const short = text.length > maxTokens ? text.replaceAll(/\*{2,}/g, "*") : text;
    const tokens = readTokens(short, { wildcards: true, variables: hasVariables }, this.variables);
    // Longer than any ARN of AWS, so it takes none.
    if (!tokens) return null;
    // No field of an ARN has the colon of `${aws:PrincipalAccount}` where that is plain text.
    if (!hasVariables && hasVariableInField(text)) return null;
    return this.settle(resourcePattern(tokens), caller);
  }

  /** Puts in what is known of the caller's variables. @returns null when one that it lacks has no default. */
  settle(pattern: Pattern, caller: Caller): Pattern | null {
    return substitute(pattern, this.variables, (found) => this.#standIn(found, caller));
  }

  #standIn({ kind, name, fallback }: Variable, caller: Caller): string | null | false {
    if (kind === "placeholder") return null;
    const presence = presenceOf(caller, name);
    if (presence === "never" || this.keys.get(name).isMultivalued) return fallback ?? false;
    const values = presence === "always" ? valuesOf(caller, name) : null;
    return values?.length === 1 ? (values[0]?.text ?? null) : null;
  }

  /** One condition as a literal of this caller. */
  condition(
    condition: Condition,
    { side, statement, hasVariables }: Origin,
    caller: Caller,
  ): Literal | "always" | "never" {
    const key = this.keys.get(condition.keyLower);
    const isMultivalued = key.isMultivalued && !isPathKey(key.name);
    let test = this.#tests.get(condition);
    if (!test) {
      test = readTest(condition, key, isMultivalued, hasVariables, this.variables);
      this.#tests.set(condition, test);
    }
    if (test.kind === "opaque") {
      // Of the config there is only the block.
      const block = side === "config" ? statement.path : `${statement.path}/Condition`;
      const path = `${block}/${escapedStep(condition.operator)}/${escapedStep(condition.key)}`;
      return this.#opaqueCondition(test.construct, condition, hasVariables, {
        construct: test.construct,
        path,
        side,
        text: condition.operator,
        key: condition.key,
      });
    }
    const presence = presenceOf(caller, key.name);
    if (test.kind === "presence") {
      if (presence === "never") return test.whenAbsent ? "always" : "never";
      if (presence === "always") return test.whenPresent ? "always" : "never";
      if (test.whenAbsent === test.whenPresent) return test.whenAbsent ? "always" : "never";
    } else if (presence === "never") return test.absentOk ? "always" : "never";
    return this.#moved(test, key.name, caller) ?? this.#plain(test, key.name, caller);
  }

  #plain(
    test: Exclude<Test, { kind: "opaque" }>,
    name: string,
    caller: Caller,
  ): Literal | "always" | "never" {
    const dimension = this.dimensionOf(name);
    if (test.kind === "presence") {
      const full = test.whenPresent;
      return this.terms.literal({
        dimension: dimension.index,
        absentOk: test.whenAbsent,
        quantifier: dimension.isMultivalued ? "every" : "one",
        texts: dimension.family === "text" ? { negated: full, patterns: [] } : null,
        ranges: dimension.family === "text" ? null : full ? everyRange : [],
      });
    }
    const { absentOk, quantifier } = test;
    const shared = { dimension: dimension.index, absentOk, quantifier };
    if (test.kind === "ranges") {
      return this.terms.literal({ ...shared, texts: null, ranges: test.ranges });
    }
    const patterns = test.patterns.flatMap((pattern) => this.settle(pattern, caller) ?? []);
    return this.terms.literal({
      ...shared,
      texts: { negated: test.negated, patterns },
      ranges: null,
    });
  }

  dimensionOf(name: string): Dimension {
    const key = this.keys.get(name);
    // F2: one clock.
    if (name === "aws:epochtime") {
      return this.terms.dimension("aws:currenttime", "instant");
    }
    return this.terms.dimension(name, key.family, key.isMultivalued && !isPathKey(name));
  }

  /** Tests of keys that follow from another dimension; undefined: the key is a dimension itself. */
  #moved(
    test: Exclude<Test, { kind: "opaque" }>,
    name: string,
    caller: Caller,
  ): Literal | "always" | "never" | undefined {
    if (isAwsIdentity(caller.kind) && test.kind === "texts") {
      if (name === "aws:principalaccount") {
        return this.#textsOf("aws:principalarn", test, caller, (tokens) =>
          isAccount(tokens) ? [accountArns(tokens)] : [],
        );
      }
      if (name === "aws:username" && caller.kind === "user") {
        return this.#textsOf("aws:principalarn", test, caller, (tokens) => userArns(tokens));
      }
    }
    const path = pathKeyOf.get(name);
    if (path === undefined || !this.keys.isTested(path)) return undefined;
    // F12: the id is there exactly when the path is.
    if (test.kind === "presence") return this.#plain(test, path, caller);
    return test.kind === "texts"
      ? this.#textsOf(path, test, caller, (tokens) =>
          tokens.includes(slash) ? [] : [pathOf(tokens)],
        )
      : undefined;
  }

  #textsOf(
    name: string,
    test: Extract<Test, { kind: "texts" }>,
    caller: Caller,
    form: (tokens: readonly Token[]) => readonly Pattern[],
  ): Literal {
    const patterns = test.patterns.flatMap((pattern) => {
      const settled = this.settle(pattern, caller);
      return settled ? form(settled.tokens) : [];
    });
    return this.terms.literal({
      dimension: this.terms.dimension(name).index,
      absentOk: test.absentOk,
      quantifier: "one",
      texts: { negated: test.negated, patterns },
      ranges: null,
    });
  }

  /** The same unknown condition has the same outcome wherever it stands. */
  #opaqueCondition(
    construct: string,
    { operator, keyLower, values }: Condition,
    hasVariables: boolean,
    place: Place,
  ): Literal {
    const id = JSON.stringify([asciiLower(operator), keyLower, [...values].sort(), hasVariables]);
    return opaque(this.terms, `${construct} ${id}`, place);
  }
}

/** Twelve digits where the text is fixed; wildcards and variables may match them. */
function isAccount(tokens: readonly Token[]): boolean {
  const isFixed = tokens.every((token) => isUnit(token));
  const fits = tokens.every(
    (token) => isRun(token) || isSingle(token) || isVariable(token) || (token >= 48 && token <= 57),
  );
  return fits && (!isFixed || tokens.length === 12);
}

/** Whether a policy variable stands in one of the first five fields of an ARN. */
function hasVariableInField(text: string): boolean {
  if (!text.includes("${")) return false;
  const variables = new Variables();
  const read = readTokens(text, { wildcards: true, variables: true }, variables);
  const { fielded, tokens } = resourcePattern(read ?? []);
  if (!fielded) return false;
  const fields = splitFields(tokens).slice(0, 5).flat();
  return fields.some((token) => isVariable(token) && variables.of(token).kind === "key");
}
