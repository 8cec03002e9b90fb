import { z } from "zod";
import { defineToolContract } from "../../contract.ts";
import { LocalInstructions } from "./get-config.ts";

export const setConfig = defineToolContract({
  name: "set_config",
  title: "Change the config of this session",
  tag: "orgconfig",
  mutates: true,
  description:
    "Change the config for this session only: set or load keys that go over those of the config " +
    "file, replacing what an earlier call gave, or clear them. Nothing is written to disk. The " +
    "config is validated as a file is; an invalid one changes nothing.",
  input: z.strictObject({
    action: z
      .enum(["set", "load", "clear"])
      .describe("set: config, custom_instructions or both. load: yaml. clear: back to the file."),
    config: z
      .looseObject({})
      .nullish()
      .describe(
        "For set: as in the config file, e.g. {service_wildcard: {severity: low}}; see iam://config-examples.",
      ),
    yaml: z.string().nullish().describe("For load: the same as the YAML text of a config file."),
    custom_instructions: z
      .string()
      .nullish()
      .describe("For set and load: replaces the instructions; empty text: none."),
  }),
  output: z.strictObject({
    config_digest: z.string().describe("Of the config now in force."),
    session_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("What now lies over the file, as given; null: nothing."),
    custom_instructions: LocalInstructions.describe("In force from now on."),
    warnings: z.array(z.string()).describe("Keys without effect, old names."),
  }),
  errors: ["invalid_arguments"],
});
