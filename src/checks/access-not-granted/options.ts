import { z } from "zod";
import { IgnorePattern } from "../../../spec/config.ts";
import { policyTypeOf, policyTypeWords } from "../../../spec/policy.ts";
import { ConfiguredSeverity } from "../../../spec/severity.ts";
import { faultOfBlock } from "../../access/config-block.ts";
import { questionOptions } from "../shared/access/options.ts";

const patterns = z.array(z.string().min(1)).max(1_000).default([]);

const block = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const fault = faultOfBlock(value);
  if (fault) context.addIssue({ code: "custom", message: fault });
});

/** One thing that the organisation forbids. */
export const Forbidden = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/)
      .describe("Names the entry in findings and answers."),
    actions: patterns.describe("Action patterns, such as iam:Pass*; none: any action."),
    resources: patterns
      .refine((all) => !all.some((text) => /\$\{[^}]*:/.test(text) && !text.includes("::")), {
        error: "a resource of a forbidden entry holds no policy variable",
      })
      .describe("Resource patterns; none: any resource."),
    unless: z
      .array(block)
      .max(20)
      .default([])
      .describe(
        "Condition blocks of the IAM grammar; the grant is fine where one of them is true.",
      ),
    policy_types: z
      .array(
        z.string().refine((word) => policyTypeOf(word) !== undefined, {
          error: `a policy type is one of ${policyTypeWords.join(", ")}`,
        }),
      )
      .nullable()
      .default(null)
      .describe("Types of policy it is asked of; null: identity, resource and trust policies."),
    severity: ConfiguredSeverity.nullable()
      .default(null)
      .describe("Severity of its findings; null: the check's."),
    message: z
      .string()
      .nullable()
      .default(null)
      .describe("Replaces the message; {action}, {resource} and {statement} are filled in."),
    suggestion: z
      .string()
      .nullable()
      .default(null)
      .describe("Replaces the suggestion; filled in like the message."),
    ignore_patterns: z
      .array(IgnorePattern)
      .default([])
      .describe("Drop findings of this entry that match one of these patterns."),
  })
  .refine(({ actions, resources }) => actions.length > 0 || resources.length > 0, {
    error: "a forbidden entry needs actions or resources",
  });
export type Forbidden = z.output<typeof Forbidden>;

export const grantedOptions = z.strictObject({
  ...questionOptions(null),
  forbidden: z
    .array(Forbidden)
    .default([])
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, {
      error: "each forbidden entry needs an id that no other has",
    })
    .describe("What no policy may grant; empty: nothing is asked."),
});
export type GrantedOptions = z.output<typeof grantedOptions>;
