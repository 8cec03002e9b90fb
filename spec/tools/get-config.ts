import { z } from "zod";
import { defineToolContract } from "../contract.ts";
import { Profile } from "../scopes.ts";

export const getConfig = defineToolContract({
  name: "get_config",
  title: "Get the configuration",
  tag: "orgconfig",
  description:
    "Show the configuration of this server: settings, the options of every check, operator instructions, reference data, and the digest that identifies them.",
  input: z.strictObject({}),
  output: z.strictObject({
    has_config: z.boolean(),
    config: z
      .strictObject({
        settings: z.record(z.string(), z.unknown()),
        checks: z.record(z.string(), z.record(z.string(), z.unknown())),
        exceptions: z
          .array(z.looseObject({ is_expired: z.boolean() }))
          .optional()
          .describe("Exceptions as in the file; absent: none."),
      })
      .describe("Defaults merged with the file; values that look like secrets are masked."),
    source: z.enum(["file", "none"]),
    config_digest: z.string(),
    mode: z.enum(["local", "hosted"]),
    profile: Profile,
    tool_count: z.int().min(0).max(1000).describe("Tools this caller can see."),
    tool_names: z.array(z.string()).describe("Sorted."),
    custom_instructions: z.strictObject({
      has_instructions: z.boolean(),
      instructions: z.string().nullable(),
      source: z.enum(["settings", "file", "config", "none"]),
    }),
    reference_data: z.strictObject({
      source: z.enum(["embedded", "directory", "remote"]),
      date: z.string().describe("Day of the data, YYYY-MM-DD."),
      hash: z.string().describe("SHA-256 of the data, hex."),
    }),
  }),
  errors: ["invalid_arguments"],
});
