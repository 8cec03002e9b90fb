import { z } from "zod";
import { IgnorePattern } from "../../../spec/config.ts";
import { PolicyType } from "../../../spec/policy.ts";
import { ConfiguredSeverity } from "../../../spec/severity.ts";
import { compiles } from "../../engine/ignore.ts";
import { badExpression, Expression } from "../../policy/expression.ts";
import {
  asksNothing,
  type ConditionsByKind,
  conditionsByKind,
  RequiredConditions,
} from "../shared/condition-requirements.ts";

/** A broken pattern stops the start; found out later, it would fail the check on every policy. */
const CompiledIgnorePattern = IgnorePattern.refine(compiles, {
  error: `every field ${badExpression}`,
});

const actionList = z.array(z.string().min(1));
const optionalText = (what: string) => z.string().nullish().describe(what);

const Actions = z.union([
  z.string().min(1),
  actionList,
  z.strictObject({
    all_of: actionList
      .nullish()
      .describe("Concerns statements that grant all of these by themselves."),
    any_of: actionList.nullish().describe("Concerns statements that grant one of these."),
    none_of: actionList.nullish().describe("Statements that grant one of these are reported."),
  }),
]);

/** Actions, and the conditions that a statement with them needs. */
export const ActionRequirement = z
  .strictObject({
    id: optionalText("Name of the requirement, for people who read the config."),
    actions: Actions.nullish().describe(
      "Which actions; wildcards allowed. A list means any of them.",
    ),
    action_patterns: z
      .array(Expression)
      .nullish()
      .describe("Further actions, by expressions that match from the first character."),
    required_conditions: RequiredConditions.nullish().describe(
      "Absent or empty: the actions themselves are reported.",
    ),
    severity: ConfiguredSeverity.nullish().describe("Absent: the severity of the check."),
    description: optionalText("Goes into findings about the actions themselves."),
    message: optionalText("Replaces the message of `any_of` findings."),
    suggestion: optionalText("Replaces the suggestion of `any_of` findings."),
    example: optionalText("Replaces the example of `any_of` findings."),
    suggestion_text: optionalText("For people who read the config."),
    scope: z.unknown().optional().describe("No effect."),
    ignore_patterns: z
      .array(CompiledIgnorePattern)
      .nullish()
      .describe("Findings of this requirement that are dropped."),
    policy_types: z
      .array(PolicyType)
      .nullish()
      .describe("Only policies of these types; absent: all that the check applies to."),
  })
  .refine((requirement) => planOf(requirement).tests.length > 0, {
    error: "a requirement needs actions or action_patterns",
  })
  .meta({ id: "ActionRequirement", description: "A requirement." });
export type ActionRequirement = z.output<typeof ActionRequirement>;

/** One way in which a requirement picks statements. */
export interface ActionTest {
  readonly kind: "all_of" | "any_of" | "none_of";
  readonly actions: readonly string[];
}

/** A requirement in the form the check works with. */
export interface Plan {
  readonly tests: readonly ActionTest[];
  readonly expressions: readonly string[];
  readonly conditions: ConditionsByKind;
  /** No conditions are asked for: granting the actions is what is reported. */
  readonly detects: boolean;
}

interface Planned {
  readonly actions?: z.output<typeof Actions> | null | undefined;
  readonly action_patterns?: readonly string[] | null | undefined;
  readonly required_conditions?: RequiredConditions | null | undefined;
}

const plans = new WeakMap<Planned, Plan>();

/** What a requirement tests, worked out once for each requirement of the config. */
export function planOf(requirement: Planned): Plan {
  let plan = plans.get(requirement);
  if (!plan) {
    const expressions = requirement.action_patterns ?? [];
    const conditions = conditionsByKind(requirement.required_conditions);
    plan = {
      tests: testsOf(requirement.actions, expressions.length > 0),
      expressions,
      conditions,
      detects: asksNothing(conditions),
    };
    plans.set(requirement, plan);
  }
  return plan;
}

function testsOf(actions: Planned["actions"], hasExpressions: boolean): ActionTest[] {
  const lists: ActionTest[] =
    typeof actions === "string"
      ? [{ kind: "any_of", actions: [actions] }]
      : Array.isArray(actions)
        ? [{ kind: "any_of", actions }]
        : [
            { kind: "all_of", actions: actions?.all_of ?? [] },
            { kind: "any_of", actions: actions?.any_of ?? [] },
            { kind: "none_of", actions: actions?.none_of ?? [] },
          ];
  const tests = lists.filter((test) => test.actions.length > 0);
  return tests.length === 0 && hasExpressions ? [{ kind: "any_of", actions: [] }] : tests;
}
