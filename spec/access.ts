import { z } from "zod";

const index = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** One request, as the questions about access model it. */
export const AccessRequest = z
  .strictObject({
    principal: z
      .discriminatedUnion("type", [
        z.strictObject({
          type: z.literal("AWS"),
          arn: z.string().describe("ARN of a role, a user or the root user."),
          session: z.string().optional().describe("Name of the role's session."),
        }),
        z.strictObject({ type: z.literal("Service"), name: z.string() }),
        z.strictObject({ type: z.literal("Federated"), name: z.string() }),
        z.strictObject({ type: z.literal("CanonicalUser"), name: z.string() }),
        z.strictObject({ type: z.literal("Anonymous") }),
      ])
      .describe("The caller; for an identity policy, an example of a principal that has it."),
    action: z.string().describe("service:Name."),
    resource: z.string().describe("An ARN, or * for an action that works on no resource."),
    context: z
      .record(z.string(), z.array(z.string()).min(1))
      .describe("Values by condition key; the request has no other keys."),
    placeholders: z
      .record(z.string(), z.string())
      .optional()
      .describe("Text for each placeholder of a template."),
  })
  .describe("One request.");
export type AccessRequest = z.infer<typeof AccessRequest>;

const AccessViolation = z.strictObject({
  statement_index: index.describe("The Allow statement, from 0."),
  statement_sid: z.string().nullable(),
  entries: z
    .array(z.string())
    .describe(
      "Entries of its Action or NotAction through which it grants, as written; at most 50.",
    ),
  kind: z
    .enum(["grants", "unfitting", "unknown_action"])
    .describe(
      "unfitting: the action works on no resource of that kind today. unknown_action: the reference data lists no such action yet.",
    ),
  reason: z.enum(["not_allowed_before", "denied_before", "forbidden", "public"]),
  other_statement: index.nullable().describe("denied_before: index of the baseline's Deny."),
  witness: AccessRequest.describe("A request that proves it; confirmed by a second program."),
});

const AccessUndecided = z.strictObject({
  construct: z
    .string()
    .describe("What stopped the proof, e.g. budget: the question takes too many steps."),
  path: z.string().describe("RFC 6901 JSON Pointer into the document of the side."),
  side: z.enum(["policy", "baseline", "config"]),
  text: z.string().describe("One sentence."),
});

/** The answer to one question about access. */
export const AccessAnswer = z
  .strictObject({
    check_id: z.string(),
    question_id: z
      .string()
      .nullable()
      .describe("Id of the forbidden entry; null for the questions that have none."),
    verdict: z
      .enum(["holds", "violated", "undecided"])
      .describe("holds: proven for every request. violated: a request shows it."),
    violations: z
      .array(AccessViolation)
      .optional()
      .describe("One per Allow statement; absent if dropped to fit the size limit."),
    undecided_by: z.array(AccessUndecided).describe("Empty unless undecided; at most 10."),
    steps: index.describe("Work done; the same on every machine."),
  })
  .describe("Answer to one question about what the policy allows.");
export type AccessAnswer = z.infer<typeof AccessAnswer>;
