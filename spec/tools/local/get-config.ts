import { z } from "zod";
import { defineToolContract } from "../../contract.ts";
import { getConfig as hosted } from "../get-config.ts";

const { custom_instructions, ...rest } = hosted.output.shape;

/** The instructions and their source; `session`: set by `set_config`. */
export const LocalInstructions = custom_instructions.extend({
  source: z.enum([...custom_instructions.shape.source.options, "session"]),
});

/** `get_config` of local mode, with the changes made by `set_config`. */
export const localGetConfig = defineToolContract({
  ...hosted,
  description: `${hosted.description} set_config changes it for this session.`,
  output: z.strictObject({
    ...rest,
    source: z
      .enum(["session", "file", "none"])
      .describe("session: set_config has overridden the file or the defaults."),
    config_path: z.string().nullable().describe("Path of the config file; null: the defaults."),
    session_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The keys given to set_config; null: none."),
    root: z
      .string()
      .nullable()
      .describe("Directory below which path and glob of validate_policies may read."),
    custom_instructions: LocalInstructions,
  }),
});
