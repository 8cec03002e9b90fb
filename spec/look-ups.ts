import { z } from "zod";

const names = z.array(z.string());

/**
 * Look-ups in reverse, of the library and the command line: from a condition key or a resource type to
 * the actions that take it. The tool `query` does not have them.
 */
export const LookUpInput = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("condition_key"),
    key: z
      .string()
      .describe(
        "E.g. s3:prefix or aws:ResourceTag/team; any letter case. Searched in all services.",
      ),
    service: z.string().nullish().describe("Only actions and resource types of this service."),
  }),
  z.strictObject({
    kind: z.literal("resource_type"),
    resource_type: z.string().describe("As service:name, e.g. s3:bucket; any letter case."),
  }),
  z.strictObject({
    kind: z.literal("wildcard_only_actions"),
    service: z.string().describe("Service prefix, e.g. s3; any letter case."),
  }),
]);
export type LookUpInput = z.infer<typeof LookUpInput>;

export const lookUpKinds = LookUpInput.options.map((option) => option.shape.kind.value);

export const LookUpOutput = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("condition_key"),
    key: z.string().describe("As AWS spells it, placeholders included."),
    types: names.describe("Types of its value, e.g. String, ArrayOfString; empty: not documented."),
    multivalued: z
      .boolean()
      .describe("A request can have several values, so a condition needs a set operator."),
    global: z.boolean().describe("Requests for any action can carry the key."),
    description: z.string().nullable(),
    actions: names.describe(
      "service:Name, sorted: actions that list the key, or whose resource types do.",
    ),
    resource_types: names.describe("service:name, sorted: resource types that list the key."),
  }),
  z.strictObject({
    kind: z.literal("resource_type"),
    resource_type: z.string().describe("service:name, as AWS spells it."),
    arn_formats: names,
    condition_keys: names.describe("Condition keys of the resource type."),
    actions: names.describe("service:Name, sorted: actions that work on it."),
  }),
  z.strictObject({
    kind: z.literal("wildcard_only_actions"),
    service: z.string().describe("In lower case."),
    actions: names.describe(
      "service:Name, sorted: actions without resource types, which support only the resource `*`.",
    ),
    total: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe("Length of actions."),
  }),
]);
export type LookUpOutput = z.infer<typeof LookUpOutput>;
