import { z } from "zod";
import { ConfiguredSeverity } from "../../../spec/severity.ts";
import { Expression } from "../../policy/expression.ts";
import { MergeStrategy } from "../shared/merge-strategy.ts";
import { textOption } from "../shared/text-options.ts";
import { type SensitiveCategoryId, sensitiveCategories } from "./catalogue.ts";

const CategoryId = z.enum(sensitiveCategories.map(({ id }) => id));
const optionalText = (what: string) => z.string().nullish().describe(what);

const guidanceTexts = {
  suggestion: optionalText("Replaces the built-in suggestion."),
  example: optionalText("Replaces the built-in example; empty means none."),
};
const CategorySuggestion = z.strictObject({
  ...guidanceTexts,
  action_overrides: z
    .record(z.string().min(1), z.strictObject(guidanceTexts))
    .nullish()
    .describe("Texts by action, any letter case; they win over those of the category."),
});

/** Own entries: single ones, one of several, or several that are dangerous together. */
function ownEntries(member: z.ZodType<string, string>, what: string) {
  const AnyOf = z.strictObject({
    any_of: z.array(member).min(1).describe(`${what} of which each counts.`),
  });
  const AllOf = z.strictObject({
    all_of: z.array(member).min(1).describe(`${what} that count together.`),
    severity: ConfiguredSeverity.nullish().describe("Absent: the severity of the check."),
    message: optionalText("Replaces the message. Placeholders: {actions}, {statements}."),
    suggestion: optionalText("Replaces the suggestion."),
    example: optionalText("Replaces the example."),
  });
  return z
    .union([z.array(z.union([member, AnyOf, AllOf])), AnyOf, AllOf])
    .nullable()
    .default(null);
}

const SeverityByCategory = z.strictObject(
  Object.fromEntries(
    sensitiveCategories.map(({ id }) => [id, ConfiguredSeverity.optional()]),
  ) as Record<SensitiveCategoryId, z.ZodOptional<typeof ConfiguredSeverity>>,
);

const builtinSeverities = sensitiveCategories
  .map(({ id, severity }) => `${id} ${severity}`)
  .join(", ");

export const sensitiveOptions = z.strictObject({
  categories: z
    .array(CategoryId)
    .nullable()
    .default(sensitiveCategories.map(({ id }) => id))
    .describe(
      "Parts of the built-in list in use; null: all. An empty list: only combinations are reported.",
    ),
  category_severities: SeverityByCategory.default({}).describe(
    `Severity by category, used as it is. Without an entry: the severity configured for the check, else the built-in one (${builtinSeverities}), which is lower on named resources.`,
  ),
  scoped_resource_severities: SeverityByCategory.nullable()
    .default(null)
    .describe(
      "On named resources a built-in severity is at most the entry of its category; a category without an entry is not lowered. Null: at most medium, and high for actions that grant rights.",
    ),
  suggestion: textOption("Replaces the built-in suggestion.", "{action}, {actions}"),
  example: textOption("Replaces the built-in example; empty means none.", "{action}, {actions}"),
  category_suggestions: z
    .partialRecord(CategoryId, CategorySuggestion)
    .default({})
    .describe("Texts by category, in place of the built-in ones."),
  message_single: textOption("Replaces the message about one action.", "{action}"),
  message_multiple: textOption("Replaces the message about several actions.", "{actions}"),
  sensitive_actions: ownEntries(z.string().min(1), "Actions, wildcards allowed,").describe(
    "Actions and combinations of the operator's own.",
  ),
  sensitive_action_patterns: ownEntries(
    Expression,
    "Expressions, matched from the first character,",
  ).describe("The same, by expressions."),
  merge_strategy: MergeStrategy,
});
export type SensitiveOptions = z.output<typeof sensitiveOptions>;
