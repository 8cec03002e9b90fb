import { z } from "zod";
import { defaultPrincipalRequirements } from "./facts.ts";
import { PrincipalRequirement, principalPatterns } from "./requirement.ts";

export const principalOptions = z.strictObject({
  block_wildcard_principal: z
    .boolean()
    .default(false)
    .describe("true: the principal `*` is blocked, whatever the conditions."),
  block_service_principal_wildcard: z
    .boolean()
    .default(true)
    .describe('Report `{"Service": "*"}`.'),
  blocked_principals: principalPatterns("Principals that are never allowed.").default([]),
  allowed_principals: principalPatterns(
    "When not empty, the only principals that are allowed, beside services.",
  ).default([]),
  allowed_service_principals: z
    .array(z.string().min(1))
    .default(["aws:*"])
    .describe("Services that `allowed_principals` need not name; `aws:*` means all of them."),
  principal_condition_requirements: z
    .array(PrincipalRequirement)
    .default([...defaultPrincipalRequirements])
    .describe("Conditions that principals need; a list given here replaces the default one."),
});
export type PrincipalOptions = z.output<typeof principalOptions>;
