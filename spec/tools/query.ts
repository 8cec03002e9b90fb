import { z } from "zod";
import { defineToolContract } from "../contract.ts";
import { Severity } from "../severity.ts";

/** Maximum number of `actions` or `patterns` in one call. */
export const maxQueryValues = 500;

export const queryAccessLevels = [
  "read",
  "write",
  "list",
  "tagging",
  "permissions-management",
] as const;

const service = z.string().describe("Service prefix, e.g. s3; any letter case.");
const actions = z
  .array(z.string())
  .describe(`Actions to describe, as service:Name; wildcards allowed; at most ${maxQueryValues}.`);
const patterns = z
  .array(z.string())
  .describe(`Patterns to expand, e.g. s3:Get* or ec2:?reateTags; at most ${maxQueryValues}.`);
const accessLevel = z
  .string()
  .meta({ enum: [...queryAccessLevels] })
  .nullish()
  .describe("For service_actions: only actions of this access level.");
const nameFilter = z
  .string()
  .nullish()
  .describe("For service_actions: only actions whose name contains this; any letter case.");

/** The error for a missing field that the kind needs; it names both. */
function neededBy(kind: string, field: string) {
  return {
    error: (issue: { readonly input?: unknown }) =>
      issue.input === undefined || issue.input === null
        ? `the kind \`${kind}\` needs \`${field}\``
        : undefined,
  };
}

/** Callers may send any field with any kind, null or not; fields that the kind does not use are ignored. */
const ignored = z.unknown().optional();
const others = {
  service: ignored,
  actions: ignored,
  patterns: ignored,
  access_level: ignored,
  name_filter: ignored,
};

const kinds = [
  z.strictObject({
    ...others,
    kind: z.literal("service_actions"),
    service: z.string(neededBy("service_actions", "service")),
    access_level: accessLevel,
    name_filter: nameFilter,
  }),
  z.strictObject({
    ...others,
    kind: z.literal("action_details"),
    actions: z.array(z.string(), neededBy("action_details", "actions")),
  }),
  z.strictObject({
    ...others,
    kind: z.literal("condition_keys"),
    service: z.string(neededBy("condition_keys", "service")),
  }),
  z.strictObject({
    ...others,
    kind: z.literal("arn_formats"),
    service: z.string(neededBy("arn_formats", "service")),
  }),
  z.strictObject({
    ...others,
    kind: z.literal("expand_wildcard"),
    patterns: z.array(z.string(), neededBy("expand_wildcard", "patterns")),
  }),
] as const;

/** The branches of the union merged into one object with all fields. */
const anyKind = z.strictObject({
  kind: z
    .enum(kinds.map((branch) => branch.shape.kind.value))
    .describe(
      "service_actions: actions of a service. action_details: access level, resource types, " +
        "condition keys and sensitivity of actions. condition_keys, arn_formats: those of a " +
        "service. expand_wildcard: actions that patterns match.",
    ),
  service: service.nullish(),
  actions: actions.nullish(),
  patterns: patterns.nullish(),
  access_level: accessLevel,
  name_filter: nameFilter,
});
const { $schema: _, ...flatSchema } = z.toJSONSchema(anyKind, { io: "input" });

function when(kindNames: readonly string[], field: string, type: "string" | "array", rest: object) {
  return {
    if: { properties: { kind: { enum: kindNames } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in data.
    then: { required: [field], properties: { [field]: { type } } },
    else: rest,
  };
}

/**
 * A union by `kind`. Model providers reject tools with `oneOf`, `anyOf` or `allOf` at the root of the
 * input schema, and clients then drop the tool or the whole session. The branches are therefore
 * published as one object that states with `if` which field each kind needs.
 */
export const QueryInput = z.discriminatedUnion("kind", kinds).meta({
  ...flatSchema,
  oneOf: undefined,
  ...when(
    ["action_details"],
    "actions",
    "array",
    when(["expand_wildcard"], "patterns", "array", {
      required: ["service"],
      properties: { service: { type: "string" } },
    }),
  ),
});
export type QueryInput = z.infer<typeof QueryInput>;

const names = z.array(z.string());

export const ActionDetails = z.strictObject({
  action: z.string().describe("As requested."),
  valid: z.boolean().describe("Whether the action exists, or the pattern matches an action."),
  error: z.string().nullable().describe("Why it is not valid."),
  service: z.string().nullable(),
  access_level: z.enum([...queryAccessLevels, "Unknown"]).nullable(),
  resource_types: names.describe("Empty: the action supports only the resource `*`."),
  condition_keys: names.describe("Condition keys of the action itself."),
  description: z.string().nullable(),
  sensitive: z
    .strictObject({ category: z.string(), severity: Severity, name: z.string() })
    .nullable()
    .describe("Its entry in the catalogue of sensitive actions; null: not sensitive."),
});
export type ActionDetails = z.infer<typeof ActionDetails>;

export const ExpandedPattern = z.strictObject({
  pattern: z.string(),
  actions: names.describe("service:Name, sorted; `*` means all actions."),
  error: z.string().nullable().describe("Why the pattern matches no action."),
});

export const QueryOutput = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("service_actions"),
    service: z.string().describe("In lower case."),
    actions: names.describe("service:Name, sorted."),
    total: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe("Length of actions."),
  }),
  z.strictObject({
    kind: z.literal("action_details"),
    results: z.array(ActionDetails).describe("In the order of the request."),
  }),
  z.strictObject({
    kind: z.literal("condition_keys"),
    service: z.string().describe("In lower case."),
    condition_keys: names.describe("Condition keys of the whole service."),
  }),
  z.strictObject({
    kind: z.literal("arn_formats"),
    service: z.string().describe("In lower case."),
    arn_formats: z.array(z.strictObject({ resource_type: z.string(), arn_formats: names })),
  }),
  z.strictObject({
    kind: z.literal("expand_wildcard"),
    results: z.array(ExpandedPattern).describe("In the order of the request."),
  }),
]);
export type QueryOutput = z.infer<typeof QueryOutput>;

export const query = defineToolContract({
  name: "query",
  title: "Look up AWS actions, condition keys and ARNs",
  tag: "query",
  description:
    "Look up the AWS service reference: the actions of a service, the resource types and condition " +
    "keys of an action, the actions that a wildcard matches. Use it to check names before writing a policy.",
  input: QueryInput,
  output: QueryOutput,
  errors: [
    "invalid_arguments",
    "missing_parameter",
    "unknown_service",
    "too_many_values",
    "request_timeout",
    "overloaded",
    "not_ready",
  ],
});
