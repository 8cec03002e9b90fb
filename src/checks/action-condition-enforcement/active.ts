import type { PolicyType } from "../../../spec/policy.ts";
import type { CheckContext } from "../../engine/check.ts";
import { globMatches } from "../../policy/wildcard.ts";
import type { EnforcementOptions } from "./options.ts";
import { type ActionRequirement, planOf } from "./requirement.ts";

type Context = Pick<CheckContext, "policy" | "ignores">;

/** By options and policy type, for options that no label switches anything off in. */
const settled = new WeakMap<EnforcementOptions, Map<PolicyType, readonly ActionRequirement[]>>();

/** @returns the requirements that the policy is held against, in order. */
export function activeRequirements(
  options: EnforcementOptions,
  context: Context,
): readonly ActionRequirement[] {
  const { type } = context.policy;
  const known = settled.get(options)?.get(type);
  if (known) return known;
  const active = merged(options, context).filter(
    ({ policy_types }) => !policy_types || policy_types.includes(type),
  );
  if (!looksAtLabels(options)) {
    const byType = settled.get(options) ?? new Map<PolicyType, readonly ActionRequirement[]>();
    settled.set(options, byType.set(type, active));
  }
  return active;
}

function looksAtLabels({
  action_condition_requirements: one,
  policy_level_requirements: two,
}: EnforcementOptions): boolean {
  return [...(one ?? []), ...two].some(({ ignore_patterns }) =>
    (ignore_patterns ?? []).some(isAboutLabel),
  );
}

function merged(options: EnforcementOptions, context: Context): readonly ActionRequirement[] {
  const { requirements, action_condition_requirements, policy_level_requirements } = options;
  const own = [...(action_condition_requirements ?? []), ...policy_level_requirements];
  const active = own.filter((requirement) => !isOffForLabel(requirement, context));
  switch (options.merge_strategy) {
    case "append":
      return [...requirements, ...active];
    case "user_only":
      return active;
    case "defaults_only":
      return requirements;
    case "replace_all":
      return own.length > 0 ? active : requirements;
    case "per_action_override": {
      const named = new Set(own.flatMap(actionNames));
      return [
        ...active,
        ...requirements.filter((one) => !actionNames(one).some((name) => named.has(name))),
      ];
    }
  }
}

const labelFields: ReadonlySet<string> = new Set(["filepath", "filepath_regex"]);

/** A pattern that tests the label alone switches the whole requirement off. */
function isOffForLabel({ ignore_patterns }: ActionRequirement, context: Context): boolean {
  return (ignore_patterns ?? []).some(
    (pattern) => isAboutLabel(pattern) && context.ignores(single(pattern), { statement: null }),
  );
}

function isAboutLabel(pattern: Pattern): boolean {
  return Object.entries(pattern).every(
    ([field, value]) => value === undefined || labelFields.has(field),
  );
}

type Pattern = NonNullable<ActionRequirement["ignore_patterns"]>[number];

const singles = new WeakMap<Pattern, readonly Pattern[]>();

/** A list of one that stays the same: filters are kept by list. */
function single(pattern: Pattern): readonly Pattern[] {
  let list = singles.get(pattern);
  if (!list) {
    list = [pattern];
    singles.set(pattern, list);
  }
  return list;
}

function actionNames(requirement: ActionRequirement): string[] {
  return planOf(requirement).tests.flatMap(({ actions }) =>
    actions.map((action) => action.toLowerCase()),
  );
}

/** @returns whether the requirement already sees to it that the action is conditioned. */
export function takesCareOf(requirement: ActionRequirement, action: string): boolean {
  const { tests, conditions } = planOf(requirement);
  if (conditions.allOf.length + conditions.anyOf.length === 0) return false;
  return tests.some(
    (test) =>
      test.kind === "any_of" &&
      test.actions.some((wanted) => globMatches(wanted, action, { ignoreCase: true })),
  );
}
