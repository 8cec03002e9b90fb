import { z } from "zod";
import { ConfiguredSeverity } from "../../../spec/severity.ts";
import { RequiredConditions } from "../shared/condition-requirements.ts";

/** An option that lists principal patterns. */
export const principalPatterns = (what: string) =>
  z
    .array(z.string().min(1))
    .describe(`${what} \`*\` means the principal \`*\`; other wildcards match any text.`);

export const PrincipalRequirement = z
  .strictObject({
    id: z.string().nullish().describe("Name of the requirement, for people who read the config."),
    principals: principalPatterns("Principals the requirement is about."),
    required_conditions: RequiredConditions.nullish(),
    severity: ConfiguredSeverity.nullish().describe("Absent: the severity of the check."),
    description: z.string().nullish().describe("For people who read the config."),
  })
  .describe("Conditions that statements with these principals need.");
export type PrincipalRequirement = z.output<typeof PrincipalRequirement>;
