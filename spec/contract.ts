import type { z } from "zod";
import type { ToolErrorKind } from "./errors.ts";
import type { Tag } from "./scopes.ts";

/** What callers may rely on of one tool: its name, who sees it, what goes in and what comes out. */
export interface ToolContract<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  readonly title: string;
  readonly tag: Tag;
  readonly description: string;
  /** The tool reaches a live cloud API. */
  readonly openWorld: boolean;
  /** The tool changes what later calls answer. Never so in hosted mode. */
  readonly mutates?: boolean;
  readonly input: Input;
  readonly output: Output;
  readonly errors: readonly ToolErrorKind[];
}

export function defineToolContract<Input extends z.ZodType, Output extends z.ZodType>(
  contract: Omit<ToolContract<Input, Output>, "openWorld"> & { openWorld?: boolean },
): ToolContract<Input, Output> {
  return { openWorld: false, ...contract };
}
