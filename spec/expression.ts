import { z } from "zod";

/**
 * A regular expression from the config, in RE2 syntax: matched in linear time and case-insensitively.
 * Python's `(?P<name>…)`, a leading `(?i)` and `\Z` are accepted. The server compiles it at start-up
 * and refuses to start if it does not compile.
 */
export const Expression = z
  .string()
  .min(1)
  .max(4096)
  .describe("Regular expression in RE2 syntax, case-insensitive.")
  .meta({ format: "regex" });
export type Expression = z.infer<typeof Expression>;
