import { z } from "zod";
import { defineToolContract } from "../../contract.ts";
import { LocalInstructions } from "./get-config.ts";

export const setConfig = defineToolContract({
  name: "set_config",
  title: "Change the configuration of this session",
  tag: "orgconfig",
  mutates: true,
  description:
    "Change the configuration for this session only: set or load keys that override the config " +
    "file, or clear them. Each call replaces the keys of earlier calls. Nothing is written to " +
    "disk. The keys are validated like a config file; invalid ones change nothing.",
  input: z.strictObject({
    action: z
      .enum(["set", "load", "clear"])
      .describe(
        "set: use config, custom_instructions or both. load: use yaml. clear: return to the config file.",
      ),
    config: z
      .looseObject({})
      .nullish()
      .describe(
        "For set: keys as in the config file, e.g. {service_wildcard: {severity: low}}; see iam://config-examples.",
      ),
    yaml: z.string().nullish().describe("For load: the keys as YAML text."),
    custom_instructions: z
      .string()
      .nullish()
      .describe("For set and load: replaces the instructions; an empty text removes them."),
  }),
  output: z.strictObject({
    config_digest: z.string().describe("Digest of the resulting configuration."),
    session_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The keys that now override the config file, as given; null: none."),
    custom_instructions: LocalInstructions.describe("The instructions from now on."),
    warnings: z.array(z.string()).describe("Keys without effect, and old names of keys."),
  }),
  errors: ["invalid_arguments"],
});
