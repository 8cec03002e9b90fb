import type { Tag } from "../../spec/scopes.ts";
import type { Severity } from "../../spec/severity.ts";
import type { Runtime } from "../runtime.ts";

/** What a resource works with while it is read. */
export interface ResourceContext {
  readonly runtime: Runtime;
  /** Fires when the reader goes away. */
  readonly signal: AbortSignal;
}

interface Described {
  /** Unique among components of its kind; not shown to people when there is a title. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Carries the tag of the tool that returns the same data, so that it is no way round a hidden tool. */
  readonly tag: Tag;
}

/** A resource at a fixed address; one text item. */
export interface ResourceDefinition extends Described {
  readonly uri: string;
  readonly mimeType: string;
  read(context: ResourceContext): Promise<string>;
}

/** Resources at the addresses of an RFC 6570 template. */
export interface ResourceTemplateDefinition extends Described {
  readonly uriTemplate: string;
  readonly mimeType: string;
  /**
   * @param variables By name, percent-decoded.
   * @throws {NotFoundParameter} When a variable's value names nothing.
   */
  read(variables: Readonly<Record<string, string>>, context: ResourceContext): Promise<string>;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** What the text of a prompt depends on beside its arguments. */
export interface PromptContext {
  /** Tools that this caller can see; a prompt names no other. Absent: all. */
  readonly toolNames?: readonly string[];
  /** Severities that fail a policy under the active config. */
  readonly failOnSeverity: readonly Severity[];
}

/** A prompt: one user message with one text item. */
export interface PromptDefinition extends Described {
  readonly arguments: readonly PromptArgument[];
  /** @param args By name; required ones are present, the others may be absent. */
  render(args: Readonly<Record<string, string>>, context: PromptContext): string;
}

/** Everything that is not a tool, in the order it is listed. */
export interface Components {
  readonly resources: readonly ResourceDefinition[];
  readonly resourceTemplates: readonly ResourceTemplateDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

/** A value in a resource's address names nothing. The reader gets the message, as JSON-RPC -32602. */
export class NotFoundParameter extends Error {
  override name = "NotFoundParameter";
}
