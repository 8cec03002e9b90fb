import type { z } from "zod";
import type { ToolErrorKind } from "./errors.ts";
import type { Tag } from "./scopes.ts";

/** The public contract of one tool: its name, its scope (by tag), its input and its output. */
export interface ToolContract<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  readonly title: string;
  readonly tag: Tag;
  readonly description: string;
  /** The tool calls an API of AWS (`openWorldHint` of MCP). */
  readonly openWorld: boolean;
  /** The tool changes the results of later calls. Never true in hosted mode. */
  readonly mutates?: boolean;
  readonly input: Input;
  readonly output: Output;
  readonly errors: readonly ToolErrorKind[];
}

/**
 * Types a tool's contract by its schemas. `openWorld` is false unless given: the tool calls nothing outside.
 */
export function defineToolContract<Input extends z.ZodType, Output extends z.ZodType>(
  contract: Omit<ToolContract<Input, Output>, "openWorld"> & { openWorld?: boolean },
): ToolContract<Input, Output> {
  return { openWorld: false, ...contract };
}
