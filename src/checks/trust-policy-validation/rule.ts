import { z } from "zod";
import { Expression } from "../../policy/expression.ts";

const requiredKey = z.string().min(1);

/** What one assume-role action asks of a statement. */
export const TrustRule = z
  .strictObject({
    allowed_principal_types: z
      .array(z.enum(["AWS", "Service", "Federated", "CanonicalUser"]))
      .default([])
      .describe("Types of principal that may use the action; empty: any."),
    provider_pattern: Expression.nullish().describe(
      "Expression that a Federated principal must match from its first character; letter case counts.",
    ),
    required_conditions: z
      .array(z.union([requiredKey, z.array(requiredKey).min(1)]))
      .default([])
      .describe(
        "Condition keys, all needed; a nested list: one of it. `*:aud` means the claim `aud` of the statement's own provider.",
      ),
    description: z.string().nullish().describe("For people who read the config."),
  })
  .describe("What an assume-role action asks of a statement.");
export type TrustRule = z.output<typeof TrustRule>;

const federatedArn =
  "^arn:(aws|aws-cn|aws-us-gov|aws-eusc|aws-iso|aws-iso-b|aws-iso-e|aws-iso-f):iam::\\d{12}:";

/** Rules that apply unless the config gives others; by action, in order. */
export const defaultRules: Readonly<Record<string, TrustRule>> = {
  "sts:AssumeRole": { allowed_principal_types: ["AWS", "Service"], required_conditions: [] },
  "sts:AssumeRoleWithSAML": {
    allowed_principal_types: ["Federated"],
    provider_pattern: `${federatedArn}saml-provider/[\\w+=,.@-]+$`,
    required_conditions: ["SAML:aud"],
  },
  "sts:AssumeRoleWithWebIdentity": {
    allowed_principal_types: ["Federated"],
    provider_pattern: `${federatedArn}oidc-provider/[\\w./-]+$`,
    required_conditions: ["*:aud", ["*:sub", "*:amr"]],
  },
  "sts:TagSession": sessionRule(),
  "sts:SetSourceIdentity": sessionRule(),
  "sts:SetContext": sessionRule(),
};

/** Actions that go with any of the others. */
function sessionRule(): TrustRule {
  return { allowed_principal_types: ["AWS", "Service", "Federated"], required_conditions: [] };
}
