import { asciiLower } from "../ascii.ts";
import type { Budget, Steps } from "./budget.ts";
import type { Names } from "./document.ts";
import { endsClash, matches, type Pattern, patternOf, unitsOf } from "./patterns.ts";
import { barred } from "./read-pattern.ts";
import { isRun, isSingle, noColon, run, wildcardToken, withoutRepeatedRuns } from "./tokens.ts";
import { contains } from "./uncovered.ts";

const patterns = new Map<string, Pattern>();
const patternsMax = 50_000;
/** Longer entries are not those of the reference data, and are not kept. */
const keptLength = 128;

/**
 * The pattern of an action entry; letter case does not count, and nothing is a variable. An action has one colon, so
 * beside the colon of an entry no wildcard takes another: `*:Delete*` has nothing in common with `s3:Get*`.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_action.html
 */
export function actionPattern(entry: string): Pattern {
  let pattern = patterns.get(entry);
  if (!pattern) {
    const tokens = unitsOf(asciiLower(entry)).map(wildcardToken);
    const isSplit = entry.includes(":");
    pattern = patternOf(withoutRepeatedRuns(isSplit ? barred(tokens, noColon) : tokens));
    // `*` and `*:*` are one pattern: an action always has a colon.
    if (/^\*+:\*+$/.test(entry)) pattern = patternOf([run]);
    if (entry.length > keptLength) return pattern;
    if (patterns.size >= patternsMax) patterns.clear();
    patterns.set(entry, pattern);
  }
  return pattern;
}

/** @returns Whether the entry has no wildcard, so it means one action. */
export function isLiteralAction(entry: string): boolean {
  return !entry.includes("*") && !entry.includes("?");
}

/** How the actions of an element and an entry with wildcards overlap. */
export type Overlap =
  | "none"
  | "all"
  | { readonly patterns: readonly Pattern[]; readonly negated: boolean };

/** The entries of many action elements, by the texts that they begin with. */
export class ActionIndex {
  readonly #elements: readonly Names[];
  readonly #literals = new Map<string, Set<number>>();
  /** Entries with wildcards, by what stands before the colon; `*` where that is open. */
  readonly #open = new Map<string, { readonly element: number; readonly pattern: Pattern }[]>();
  readonly #negated: number[] = [];
  readonly #services = new Map<number, Map<string, Pattern[]>>();
  readonly #budget: Budget;

  constructor(elements: readonly Names[], budget: Budget) {
    this.#elements = elements;
    this.#budget = budget;
  }

  /** Reads the elements; before the first look-up. */
  *read(): Steps<void> {
    for (const [element, { entries, negated }] of this.#elements.entries()) {
      if (negated) this.#negated.push(element);
      for (const entry of entries) {
        if (isLiteralAction(entry)) {
          const folded = asciiLower(entry);
          const at = this.#literals.get(folded) ?? new Set();
          this.#literals.set(folded, at.add(element));
        } else {
          const service = serviceOf(entry);
          const list = this.#open.get(service) ?? [];
          list.push({ element, pattern: actionPattern(entry) });
          this.#open.set(service, list);
        }
        this.#budget.toil(1);
        if (this.#budget.pauseDue) yield null;
      }
    }
  }

  /** Elements that take the action, which holds no wildcard; ascending. */
  taking(action: string): readonly number[] {
    const folded = asciiLower(action);
    const listed = new Set(this.#literals.get(folded));
    const text = actionPattern(action).tokens;
    for (const service of [serviceOf(action), "*"]) {
      for (const { element, pattern } of this.#open.get(service) ?? []) {
        if (!listed.has(element) && matches(pattern, text, this.#budget)) listed.add(element);
      }
    }
    const taking: number[] = [];
    for (const element of listed) if (!this.#elements[element]?.negated) taking.push(element);
    for (const element of this.#negated) if (!listed.has(element)) taking.push(element);
    return taking.sort((left, right) => left - right);
  }

  /** How an element's actions overlap those of an entry with wildcards. */
  overlap(element: number, entry: Pattern): Overlap {
    const names = this.#elements[element];
    if (!names) return "none";
    const near: Pattern[] = [];
    for (const pattern of this.#candidates(element, names, entry)) {
      if (endsClash(pattern, entry)) continue;
      this.#budget.spend(1);
      if (contains(pattern, entry, this.#budget)) return names.negated ? "none" : "all";
      near.push(pattern);
    }
    if (near.length === 0) return names.negated ? "all" : "none";
    return { patterns: near, negated: names.negated };
  }

  /** The element's entries that may be of the same service as the entry. */
  *#candidates(element: number, { entries }: Names, entry: Pattern): Generator<Pattern> {
    let services = this.#services.get(element);
    if (!services) {
      services = new Map();
      for (const text of entries) {
        const service = serviceOf(text);
        const list = services.get(service) ?? [];
        list.push(actionPattern(text));
        services.set(service, list);
      }
      this.#services.set(element, services);
    }
    const service = serviceOf(String.fromCharCode(...entry.tokens.map(asCharacter)));
    if (service === "*") for (const list of services.values()) yield* list;
    else for (const near of [service, "*"]) yield* services.get(near) ?? [];
  }
}

function asCharacter(token: number): number {
  return isRun(token) ? 42 : isSingle(token) ? 63 : token;
}

function serviceOf(entry: string): string {
  const service = asciiLower(entry.slice(0, entry.indexOf(":") + 1));
  return service === "" || !isLiteralAction(service) ? "*" : service;
}
