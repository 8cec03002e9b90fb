import type { ConfiguredSeverity } from "../../../spec/severity.ts";
import { type SensitiveCategoryId, sensitiveCategories } from "./catalogue.ts";
import { combinations } from "./combinations.ts";
import type { SensitiveOptions } from "./options.ts";

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
  /** What the holder gains; null for groups of the operator's own. */
  readonly enables: string | null;
  /** Own text with placeholders; null: the built-in one. */
  readonly message: string | null;
  readonly suggestion: string | null;
  readonly example: string | null;
}

/** What a config says is sensitive. */
export interface Rules {
  /** False: nothing is reported at statement level. */
  readonly judgesStatements: boolean;
  /** Built-in actions in force, in lower case. */
  readonly builtin: ReadonlySet<string>;
  /** Own entries of which each counts, in force at statement level. */
  readonly singles: readonly Member[];
  /** Own groups of actions in force at statement level: they count where one statement grants all. */
  readonly groups: readonly Group[];
  /** Own groups of expressions in force at statement level: they count where one action matches all. */
  readonly together: readonly Group[];
  /** In force at policy level, in order. */
  readonly combinations: readonly Group[];
}

const builtinGroups: readonly Group[] = combinations.map(({ allOf, ...rest }) => ({
  ...rest,
  members: allOf.map((text) => ({ text, isExpression: false })),
  message: null,
}));

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
  const statements = inForce(merge_strategy, singles.length > 0);
  const policies = inForce(merge_strategy, ownGroups.length > 0);
  return {
    judgesStatements: categories?.length !== 0,
    builtin: statements.defaults ? builtinActions(categories) : new Set(),
    singles: statements.own ? singles : [],
    groups: statements.own ? actions.groups : [],
    together: statements.own ? expressions.groups : [],
    combinations: [...(policies.defaults ? builtinGroups : []), ...(policies.own ? ownGroups : [])],
  };
}

function inForce(
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
        enables: null,
        message: entry.message ?? null,
        suggestion: entry.suggestion ?? null,
        example: entry.example ?? null,
      });
    }
  }
  return { singles, groups };
}
