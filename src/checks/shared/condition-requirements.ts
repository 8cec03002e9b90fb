import { z } from "zod";
import { ConfiguredSeverity } from "../../../spec/severity.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { findForbidden, meetsRequirement } from "./condition-limits.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const optionalText = (what: string) => z.string().nullish().describe(what);

/** One condition that a statement must, or must not, have. */
export const RequiredCondition = z
  .strictObject({
    condition_key: z.string().min(1).describe("Condition key, any letter case."),
    operator: z
      .string()
      .min(1)
      .nullish()
      .describe("This operator only; without a set prefix, any prefix is accepted. Absent: any."),
    expected_value: z
      .union([scalar, z.array(scalar)])
      .nullish()
      .describe("Every value in the policy must be one of these. Absent: any that limits."),
    severity: ConfiguredSeverity.nullish().describe("Replaces the requirement's severity."),
    description: optionalText("Becomes the suggestion of the finding."),
    example: optionalText("Replaces the built-in example."),
    message: optionalText("Names the condition in the list of alternatives of `any_of`."),
  })
  .meta({ id: "RequiredCondition", description: "One condition." });
export type RequiredCondition = z.output<typeof RequiredCondition>;

const ConditionGroup = z
  .strictObject({
    all_of: z.array(RequiredCondition).min(1).describe("Met when all of them are met."),
    message: optionalText("Names the group in the list of alternatives."),
  })
  .describe("Conditions that count as one alternative together.");
export type ConditionGroup = z.output<typeof ConditionGroup>;

export type Alternative = RequiredCondition | ConditionGroup;

/** What a statement's condition must hold; a list means all of it. */
export const RequiredConditions = z
  .union([
    z.array(RequiredCondition),
    z.strictObject({
      all_of: z.array(RequiredCondition).nullish().describe("Each of them is needed."),
      any_of: z
        .array(z.union([RequiredCondition, ConditionGroup]))
        .nullish()
        .describe("One of them is needed."),
      none_of: z.array(RequiredCondition).nullish().describe("None of them may be there."),
    }),
  ])
  .meta({
    id: "RequiredConditions",
    description: "Conditions: a list (all are needed), or all_of, any_of and none_of.",
  });
export type RequiredConditions = z.output<typeof RequiredConditions>;

/** The two forms as one. */
export interface ConditionsByKind {
  readonly allOf: readonly RequiredCondition[];
  readonly anyOf: readonly Alternative[];
  readonly noneOf: readonly RequiredCondition[];
}

const nothing: ConditionsByKind = { allOf: [], anyOf: [], noneOf: [] };

/**
 * The three lists of a requirement; a plain list in the config asks for all of its conditions.
 */
export function conditionsByKind(
  required: RequiredConditions | null | undefined,
): ConditionsByKind {
  if (!required) return nothing;
  if (Array.isArray(required)) return { ...nothing, allOf: required };
  const { all_of, any_of, none_of } = required;
  return { allOf: all_of ?? [], anyOf: any_of ?? [], noneOf: none_of ?? [] };
}

/** @returns whether nothing is asked for at all. */
export function asksNothing({ allOf, anyOf, noneOf }: ConditionsByKind): boolean {
  return allOf.length + anyOf.length + noneOf.length === 0;
}

/** Where a statement falls short of what is required. */
export type ConditionFault =
  | { readonly kind: "missing"; readonly condition: RequiredCondition; readonly others: number }
  | { readonly kind: "missing_any"; readonly alternatives: readonly Alternative[] }
  | {
      readonly kind: "forbidden";
      readonly condition: RequiredCondition;
      readonly entry: ConditionEntry;
      /** The value meant; null when no value at all is allowed. */
      readonly value: ConditionValue | null;
    };

/** @returns the faults in order: what is missing of `all_of`, then `any_of`, then what is forbidden. */
export function* conditionFaults(
  statement: Statement,
  { allOf, anyOf, noneOf }: ConditionsByKind,
): Generator<ConditionFault> {
  for (const condition of allOf) {
    if (meetsRequirement(statement, condition)) continue;
    yield { kind: "missing", condition, others: allOf.length - 1 };
  }
  if (anyOf.length > 0 && !anyOf.some((alternative) => isMet(statement, alternative))) {
    yield { kind: "missing_any", alternatives: anyOf };
  }
  for (const condition of noneOf) {
    const found = findForbidden(statement, condition);
    if (found) yield { kind: "forbidden", condition, ...found };
  }
}

function isMet(statement: Statement, alternative: Alternative): boolean {
  return conditionsOf(alternative).every((condition) => meetsRequirement(statement, condition));
}

/** @returns the conditions of an alternative: one, or those of a group. */
export function conditionsOf(alternative: Alternative): readonly RequiredCondition[] {
  return "all_of" in alternative ? alternative.all_of : [alternative];
}
