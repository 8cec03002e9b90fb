import { z } from "zod";
import { MergeStrategy } from "../shared/merge-strategy.ts";
import { defaultRequirements } from "./defaults.ts";
import { ActionRequirement } from "./requirement.ts";

export const enforcementOptions = z.strictObject({
  requirements: z
    .array(ActionRequirement)
    .default([...defaultRequirements])
    .describe("The default requirements; a list given here replaces them."),
  action_condition_requirements: z
    .array(ActionRequirement)
    .nullable()
    .default(null)
    .describe("Requirements of the operator's own."),
  policy_level_requirements: z
    .array(ActionRequirement)
    .default([])
    .describe("Further ones of the operator's own, after those."),
  merge_strategy: MergeStrategy,
});
export type EnforcementOptions = z.output<typeof enforcementOptions>;
