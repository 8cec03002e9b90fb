import { z } from "zod";

/** How the operator's own entries and the built-in ones combine. */
export const MergeStrategy = z
  .enum(["append", "user_only", "defaults_only", "replace_all", "per_action_override"])
  .default("append")
  .describe(
    "append: defaults and own. user_only: own only. defaults_only: own ones are ignored. " +
      "replace_all: own if there are any, else defaults. per_action_override: own ones replace the defaults that they overlap with.",
  );
