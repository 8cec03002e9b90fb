import { asciiLower } from "../services/ascii.ts";
import type { Budget, Steps } from "./budget.ts";
import {
  accountArns,
  type Caller,
  isAwsIdentity,
  isPathKey,
  pathKeyOf,
  presenceOf,
  userArns,
} from "./callers.ts";
import { readTest, type Test } from "./conditions.ts";
import type { AccessStatement, AccessType, Condition, Principals } from "./document.ts";
import { everyRange } from "./intervals.ts";
import type { QuestionKeys } from "./keys.ts";
import { type Dimension, type Literal, oneOf, type Place, type Terms } from "./literals.ts";
import { meet } from "./meet.ts";
import { anything, literal, type Pattern, patternOf } from "./patterns.ts";
import {
  pathOf,
  readTokens,
  resourcePattern,
  substitute,
  type Variable,
  type Variables,
} from "./read-pattern.ts";
import { isRun, isSingle, isUnit, isVariable, run, type Token } from "./tokens.ts";

export type Side = "policy" | "baseline" | "config";

/** A document's statement within a question, with what its meaning depends on. */
export interface Origin {
  readonly side: Side;
  readonly statement: AccessStatement;
  readonly hasVariables: boolean;
}

/** A conjunction of literals: what a statement says about requests of one kind of caller. */
export interface Box {
  readonly literals: readonly Literal[];
}

/** Reads the statements of one question as literals. */
export class StatementReader {
  readonly terms: Terms;
  readonly variables: Variables;
  readonly keys: QuestionKeys;
  readonly #type: AccessType;
  readonly #budget: Budget;
  readonly #tests = new Map<Condition, Test>();

  constructor(
    terms: Terms,
    variables: Variables,
    keys: QuestionKeys,
    type: AccessType,
    budget: Budget,
  ) {
    this.terms = terms;
    this.variables = variables;
    this.keys = keys;
    this.#type = type;
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
    if (statement.resource) {
      const resource = yield* this.#resource(origin, caller);
      if (!resource) return [];
      if (resource !== "all") rest.push(resource);
    }
    for (const [index, condition] of statement.conditions.entries()) {
      const literal = this.condition(condition, origin, caller, index);
      if (literal === "never") return [];
      if (literal !== "always") rest.push(literal);
      // A condition takes as long to read as a few steps.
      this.#budget.toil(4 + condition.values.length);
      if (this.#budget.pauseDue) yield null;
    }
    return this.#principals(origin, caller).map((principals) => ({
      literals: [...principals, ...rest],
    }));
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
    const tokens = readTokens(text, { wildcards: true, variables: hasVariables }, this.variables);
    // Longer than any ARN of AWS, so it takes none.
    if (!tokens) return null;
    return this.settle(resourcePattern(tokens), caller);
  }

  /** Puts in what is known of the caller's variables. @returns null when one that it lacks has no default. */
  settle(pattern: Pattern, caller: Caller): Pattern | null {
    return substitute(pattern, this.variables, (found) => this.#standIn(found, caller));
  }

  #standIn({ kind, name, fallback }: Variable, caller: Caller): string | null | false {
    if (kind === "placeholder") return null;
    const lacks = presenceOf(caller, name) === "never" || this.keys.get(name).isMultivalued;
    return lacks ? (fallback ?? false) : null;
  }

  /** One condition as a literal of this caller. */
  condition(
    condition: Condition,
    { side, statement, hasVariables }: Origin,
    caller: Caller,
    index: number,
  ): Literal | "always" | "never" {
    const key = this.keys.get(condition.keyLower);
    const isMultivalued = key.isMultivalued && !isPathKey(key.name);
    let test = this.#tests.get(condition);
    if (!test) {
      test = readTest(condition, key, isMultivalued, hasVariables, this.variables);
      this.#tests.set(condition, test);
    }
    if (test.kind === "opaque") {
      const pointer = `${statement.path}/Condition/${escaped(condition.operator)}/${escaped(condition.key)}`;
      const path = side === "config" ? `${statement.path}/${index}` : pointer;
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
    if (name === "aws:epochtime" && key.family === "instant") {
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
      ? this.#textsOf(path, test, caller, (tokens) => [pathOf(tokens)])
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
    return this.opaque(`${construct} ${id}`, place);
  }

  opaque(id: string, doubt: Place): Literal {
    const dimension = this.terms.dimension(`@opaque ${id}`, "opaque", false, doubt);
    return oneOf(this.terms, dimension, [literal("true")]);
  }

  /** Alternatives of literals under which the caller is one of the principals. */
  #principals(origin: Origin, caller: Caller): readonly (readonly Literal[])[] {
    const { principal } = origin.statement;
    if (this.#type === "identity" || this.#type === "scp" || !principal) return [[]];
    if (principal.negated) return this.#notPrincipals(origin, principal, caller);
    if (isListedWhole(principal, caller)) return [[]];
    const arns = this.#listedArns(principal, caller);
    if (arns.length === 0) return [];
    return [[this.#isOneOf(arns, origin, caller)]];
  }

  #isOneOf(arns: readonly Pattern[], origin: Origin, caller: Caller, negated = false): Literal {
    if (caller.kind !== "canonical") {
      return oneOf(this.terms, this.terms.dimension("aws:principalarn"), arns, negated);
    }
    // The account of a canonical user is not known, so what is said about it proves nothing.
    const doubt: Place = {
      construct: "canonical_user",
      path: `${origin.statement.path}/${origin.statement.principal?.negated ? "NotPrincipal" : "Principal"}`,
      side: origin.side,
      text: caller.name,
      key: null,
    };
    return oneOf(this.terms, this.terms.dimension("@owner", "text", false, doubt), arns, negated);
  }

  #listedArns(principal: Principals, caller: Caller): readonly Pattern[] {
    if (!isAwsIdentity(caller.kind) && caller.kind !== "canonical") return [];
    return principal.entries.flatMap(({ type, text }) =>
      type === "AWS" ? (this.#arnPattern(text) ?? []) : [],
    );
  }

  /** Null: the entry names a session, which is a kind of caller of its own. */
  #arnPattern(text: string): Pattern | null {
    const account = accountOf(text);
    if (account !== null) return accountArns([...literal(account).tokens]);
    if (/^arn:[^:*?]*:sts::\d{12}:assumed-role\/[^/*?]+\/[^/*?]+$/.test(text)) return null;
    const tokens: Token[] = [];
    for (let at = 0; at < Math.min(text.length, 4_096); at++) {
      const unit = text.charCodeAt(at);
      tokens.push(unit === 42 ? run : unit === 63 ? 0x2_0000 : unit);
    }
    return patternOf(tokens.filter((token, at) => !(isRun(token) && tokens[at - 1] === token)));
  }

  #notPrincipals(
    origin: Origin,
    principal: Principals,
    caller: Caller,
  ): readonly (readonly Literal[])[] {
    if (
      principal.entries.some(
        (entry) =>
          entry.text === "*" &&
          (entry.type === "AWS" || isListedWhole({ negated: false, entries: [entry] }, caller)),
      )
    ) {
      return [];
    }
    const ownEntry = isListedWhole(principal, caller);
    if (caller.kind === "canonical" && !ownEntry) {
      const arns = this.#listedArns(principal, caller);
      return arns.length === 0 ? [[]] : [[this.#isOneOf(arns, origin, caller, true)]];
    }
    if (!isAwsIdentity(caller.kind)) return ownEntry ? [] : [[]];
    const accounts: Pattern[] = [];
    const arns: Pattern[] = [];
    for (const { type, text } of principal.entries) {
      if (type !== "AWS") continue;
      const pattern = this.#arnPattern(text);
      if (pattern) (accountOf(text) === null ? arns : accounts).push(pattern);
    }
    const hasSession = caller.kind === "role" || caller.kind === "session";
    const sessionListed = caller.kind === "session" && ownEntry;
    const listed = [...accounts, ...arns];
    if (listed.length === 0 && !sessionListed) return [[]];
    // All identities: the account, the ARN (the root user has no other), and of a role its session.
    const both =
      caller.kind === "root"
        ? listed
        : arns.flatMap((arn) => accounts.flatMap((account) => meet(arn, account, this.#budget)));
    const all = hasSession && !sessionListed ? [] : both;
    const doubt: Place = {
      construct: "not_principal",
      path: `${origin.statement.path}/NotPrincipal`,
      side: origin.side,
      text: "",
      key: null,
    };
    const id = `not_principal ${caller.id} ${JSON.stringify(principal.entries.map(({ type, text }) => `${type} ${text}`).sort())}`;
    const some: Literal[] = [this.opaque(id, doubt)];
    if (!sessionListed) some.push(this.#isOneOf(listed, origin, caller));
    if (all.length > 0) some.push(this.#isOneOf(all, origin, caller, true));
    const alternatives: (readonly Literal[])[] = [some];
    if (!sessionListed) alternatives.unshift([this.#isOneOf(listed, origin, caller, true)]);
    return alternatives;
  }
}

/** Twelve digits where the text is fixed; wildcards and variables may stand for them. */
function isAccount(tokens: readonly Token[]): boolean {
  const isFixed = tokens.every((token) => isUnit(token));
  const fits = tokens.every(
    (token) => isRun(token) || isSingle(token) || isVariable(token) || (token >= 48 && token <= 57),
  );
  return fits && (!isFixed || tokens.length === 12);
}

/** @returns the account that an entry means as a whole; null for other entries. */
export function accountOf(text: string): string | null {
  const [, bare, root] = /^(?:(\d{12})|arn:[^:*?]*:iam::(\d{12}):root)$/.exec(text) ?? [];
  return bare ?? root ?? null;
}

/** Whether an entry means the caller whatever its ARN is. */
function isListedWhole({ entries }: Principals, caller: Caller): boolean {
  return entries.some(({ type, text }) => {
    if (type === "AWS") return text === "*" || (caller.kind === "session" && text === caller.name);
    if (type === "Service")
      return caller.kind === "service" && (text === "*" || text === caller.name);
    if (type === "Federated") {
      return caller.kind === "federated" && (text === "*" || text === caller.name);
    }
    return caller.kind === "canonical" && text === caller.name;
  });
}

function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}
