import { z } from "zod";

/**
 * A regular expression from the config, in RE2 syntax: matched in linear time, letter case ignored.
 * Python's `(?P<name>…)`, a leading `(?i)` and `\Z` are understood. The server compiles it at start-up
 * and refuses to start when it does not compile.
 */
export const Expression = z
  .string()
  .min(1)
  .max(4096)
  .describe("Regular expression in RE2 syntax, letter case ignored.")
  .meta({ format: "regex" });
export type Expression = z.infer<typeof Expression>;
