import { z } from "zod";
import { ConfigSettings } from "./config.ts";
import { Settings } from "./settings.ts";
import { validatePolicies } from "./tools/validate-policies.ts";

const { policy_type, detail, fix, format } = validatePolicies.input.shape;

/**
 * Options of `validate` in the library: the members of the tool `validate_policies` and of its wrapper,
 * for one policy, and `fail_on_severity` of the config.
 */
export const LibraryValidateOptions = z.strictObject({
  policy_type,
  detail,
  fix,
  format,
  name: z
    .string()
    .nullish()
    .describe("Name of the policy: for reports, `policy_types` and ignore patterns of the config."),
  baseline: z
    .union([z.string(), z.looseObject({})])
    .nullish()
    .describe("An earlier version of the policy, or its text."),
  fail_on_severity: ConfigSettings.shape.fail_on_severity
    .unwrap()
    .optional()
    .describe("Replaces settings.fail_on_severity of the config."),
});
export type LibraryValidateOptions = z.output<typeof LibraryValidateOptions>;

/** Options of `createValidator` that are data. */
export const LibraryOptions = z.strictObject({
  max_policy_bytes: Settings.shape.max_policy_bytes,
  unknown_names: Settings.shape.unknown_names,
});
