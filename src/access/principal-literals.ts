import type { Budget, Steps } from "./budget.ts";
import { accountArns, type Caller, isAwsIdentity } from "./callers.ts";
import type { Principals } from "./document.ts";
import { type Literal, oneOf, opaque, type Place, type Terms } from "./literals.ts";
import { meetSteps } from "./meet.ts";
import type { Origin } from "./origin.ts";
import { literal, maxTokens, type Pattern, patternOf, unitsOf } from "./patterns.ts";
import { wildcardToken, withoutRepeatedRuns } from "./tokens.ts";

/** Reads `Principal` and `NotPrincipal` as tests of the ARN of a caller. */
export class PrincipalReader {
  readonly #terms: Terms;
  readonly #budget: Budget;

  constructor(terms: Terms, budget: Budget) {
    this.#terms = terms;
    this.#budget = budget;
  }

  /** Alternatives of literals under which the caller is one of the principals. */
  *read(origin: Origin, caller: Caller): Steps<readonly (readonly Literal[])[]> {
    const { principal } = origin.statement;
    if (!principal) return [[]];
    if (principal.negated) return yield* this.#notPrincipals(origin, principal, caller);
    if (isListedWhole(principal, caller)) return [[]];
    const service = this.#serviceNames(principal, caller);
    if (service) return [[service]];
    const arns = this.#listedArns(principal, caller);
    if (arns.length === 0) return [];
    return [[this.#isOneOf(arns, origin, caller)]];
  }

  #isOneOf(arns: readonly Pattern[], origin: Origin, caller: Caller, negated = false): Literal {
    if (caller.kind !== "canonical") {
      return oneOf(this.#terms, this.#terms.dimension("aws:principalarn"), arns, negated);
    }
    // The account of a canonical user is not known, so what is said about it proves nothing.
    const doubt: Place = {
      construct: "canonical_user",
      path: `${origin.statement.path}/${origin.statement.principal?.negated ? "NotPrincipal" : "Principal"}`,
      side: origin.side,
      text: caller.name,
      key: null,
    };
    return oneOf(this.#terms, this.#terms.dimension("@owner", "text", false, doubt), arns, negated);
  }

  /** A test of the name of a service that may have any; null: no entry is a service, or the caller is none. */
  #serviceNames({ entries }: Principals, caller: Caller, negated = false): Literal | null {
    if (caller.kind !== "service" || caller.name !== "") return null;
    const names = entries.flatMap(({ type, text }) => (type === "Service" ? [literal(text)] : []));
    if (names.length === 0) return null;
    return oneOf(this.#terms, this.#terms.dimension("aws:principalservicename"), names, negated);
  }

  #listedArns(principal: Principals, caller: Caller): readonly Pattern[] {
    if (!isAwsIdentity(caller.kind) && caller.kind !== "canonical") return [];
    return principal.entries.flatMap(({ type, text }) =>
      type === "AWS" ? (this.#arnPattern(text) ?? []) : [],
    );
  }

  /** Null: the entry is a session, which is another kind of caller, or longer than any ARN. */
  #arnPattern(text: string): Pattern | null {
    const account = accountOf(text);
    if (account !== null) return accountArns([...literal(account).tokens]);
    if (/^arn:[^:*?]*:sts::\d{12}:assumed-role\/[^/*?]+\/[^/*?]+$/.test(text)) return null;
    const tokens = withoutRepeatedRuns(unitsOf(text).map(wildcardToken));
    return tokens.length > maxTokens ? null : patternOf(tokens);
  }

  *#notPrincipals(
    origin: Origin,
    principal: Principals,
    caller: Caller,
  ): Steps<readonly (readonly Literal[])[]> {
    if (principal.entries.some(({ type, text }) => type === "AWS" && text === "*")) return [];
    if (caller.kind === "service" && isListedWhole(principal, caller)) return [];
    const service = this.#serviceNames(principal, caller, true);
    if (service) return [[service]];
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
    let all: readonly Pattern[] = [];
    if (caller.kind === "root") all = listed;
    else if (!hasSession || sessionListed) all = yield* this.#allMet(arns, accounts);
    const doubt: Place = {
      construct: "not_principal",
      path: `${origin.statement.path}/NotPrincipal`,
      side: origin.side,
      text: "",
      key: null,
    };
    const id = `not_principal ${caller.id} ${JSON.stringify(principal.entries.map(({ type, text }) => `${type} ${text}`).sort())}`;
    const some: Literal[] = [opaque(this.#terms, id, doubt)];
    if (!sessionListed) some.push(this.#isOneOf(listed, origin, caller));
    if (all.length > 0) some.push(this.#isOneOf(all, origin, caller, true));
    const alternatives: (readonly Literal[])[] = [some];
    if (!sessionListed) alternatives.unshift([this.#isOneOf(listed, origin, caller, true)]);
    return alternatives;
  }

  /** What each of the patterns has in common with each of the others. */
  *#allMet(left: readonly Pattern[], right: readonly Pattern[]): Steps<readonly Pattern[]> {
    const all: Pattern[] = [];
    for (const one of left) {
      for (const other of right) {
        for (const met of yield* meetSteps(one, other, this.#budget)) all.push(met);
        if (this.#budget.pauseDue) yield null;
      }
    }
    return all;
  }
}

/** @returns the account that an entry means as a whole; null for other entries. */
function accountOf(text: string): string | null {
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
