import { z } from "zod";
import { defineToolContract } from "../../contract.ts";
import { getConfig as hosted } from "../get-config.ts";

const { custom_instructions, ...rest } = hosted.output.shape;

/** Where instructions in force come from; a session may have its own. */
export const LocalInstructions = custom_instructions.extend({
  source: z.enum([...custom_instructions.shape.source.options, "session"]),
});

/** `get_config` of local mode: also what this session has laid over the file. */
export const localGetConfig = defineToolContract({
  ...hosted,
  description: `${hosted.description} set_config changes it for this session.`,
  output: z.strictObject({
    ...rest,
    source: z
      .enum(["session", "file", "none"])
      .describe("session: set_config has laid something over the file or the defaults."),
    config_path: z.string().nullable().describe("The config file; null: the defaults."),
    session_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("What set_config laid over it, as given; null: nothing."),
    root: z
      .string()
      .nullable()
      .describe("Directory that path and glob of validate_policies are confined to."),
    custom_instructions: LocalInstructions,
  }),
});
