import type { ConfiguredSeverity } from "../../../spec/severity.ts";
import { type SensitiveCategoryId, sensitiveCategories } from "./catalogue.ts";
import { type Combination, combinations } from "./combinations.ts";
import type { SensitiveOptions } from "./options.ts";
import { wideOnlyCategory } from "./wide-only.ts";

/** An action as the config names it, wildcards allowed, or an expression over action names. */
export interface Member {
  readonly text: string;
  readonly isExpression: boolean;
}

/** Actions that are reported when a policy grants all of them. */
export interface Group {
  readonly members: readonly Member[];
  /** Null: the severity of the check. */
  readonly severity: ConfiguredSeverity | null;
  /** Own text with placeholders; null: the built-in one. */
  readonly message: string | null;
  readonly suggestion: string | null;
  readonly example: string | null;
}

/** What a config says is sensitive. */
export interface Rules {
  /** False: nothing is reported at statement level. */
  readonly checksStatements: boolean;
  /** Built-in actions that the config leaves on, in lower case. */
  readonly builtin: ReadonlySet<string>;
  /** Whether a built-in action counts on every resource only; some are in `builtin` too. */
  readonly isWideOnly: (name: string) => boolean;
  /** Own entries of which each counts at statement level. */
  readonly singles: readonly Member[];
  /** Own groups of actions at statement level: they count where one statement grants all. */
  readonly groups: readonly Group[];
  /** Own groups of expressions at statement level: they count where one action matches all. */
  readonly together: readonly Group[];
  /** Built-in combinations that are looked for, in order. */
  readonly combinations: readonly Combination[];
  /** Combinations that the operator wrote, in order. */
  readonly ownCombinations: readonly Group[];
  /** Whether documented paths and pairs with `iam:PassRole` are looked for. */
  readonly findsPaths: boolean;
}

const known = new WeakMap<SensitiveOptions, Rules>();

/** @returns the rules of the options; worked out once. */
export function rulesOf(options: SensitiveOptions): Rules {
  let rules = known.get(options);
  if (!rules) {
    rules = readRules(options);
    known.set(options, rules);
  }
  return rules;
}

function readRules(options: SensitiveOptions): Rules {
  const actions = readOwn(options.sensitive_actions, false);
  const expressions = readOwn(options.sensitive_action_patterns, true);
  const singles = [...actions.singles, ...expressions.singles];
  const ownGroups = [...actions.groups, ...expressions.groups];
  const { merge_strategy, categories } = options;
  const statements = partsOf(merge_strategy, singles.length > 0);
  const policies = partsOf(merge_strategy, ownGroups.length > 0);
  return {
    checksStatements: categories?.length !== 0,
    builtin: statements.defaults ? builtinActions(categories) : new Set(),
    isWideOnly: statements.defaults ? isIn(categories) : () => false,
    singles: statements.own ? singles : [],
    groups: statements.own ? actions.groups : [],
    together: statements.own ? expressions.groups : [],
    combinations: policies.defaults ? combinations : [],
    ownCombinations: policies.own ? ownGroups : [],
    findsPaths: policies.defaults,
  };
}

function partsOf(
  strategy: SensitiveOptions["merge_strategy"],
  given: boolean,
): { readonly defaults: boolean; readonly own: boolean } {
  switch (strategy) {
    case "append":
      return { defaults: true, own: true };
    case "user_only":
      return { defaults: false, own: true };
    case "defaults_only":
      return { defaults: true, own: false };
    default:
      return { defaults: !given, own: given };
  }
}

function isIn(categories: readonly SensitiveCategoryId[] | null): (action: string) => boolean {
  return (action) => {
    const category = wideOnlyCategory(action);
    return category !== undefined && (!categories || categories.includes(category));
  };
}

function builtinActions(categories: readonly SensitiveCategoryId[] | null): Set<string> {
  return new Set(
    sensitiveCategories
      .filter(({ id }) => !categories || categories.includes(id))
      .flatMap(({ actions }) => actions.map((action) => action.toLowerCase())),
  );
}

function readOwn(own: SensitiveOptions["sensitive_actions"], isExpression: boolean) {
  const singles: Member[] = [];
  const groups: Group[] = [];
  const member = (text: string): Member => ({ text, isExpression });
  for (const entry of own === null ? [] : Array.isArray(own) ? own : [own]) {
    if (typeof entry === "string") {
      singles.push(member(entry));
    } else if ("any_of" in entry) {
      singles.push(...entry.any_of.map(member));
    } else {
      groups.push({
        members: entry.all_of.map(member),
        severity: entry.severity ?? null,
        message: entry.message ?? null,
        suggestion: entry.suggestion ?? null,
        example: entry.example ?? null,
      });
    }
  }
  return { singles, groups };
}
