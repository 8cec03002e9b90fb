import type { Tag } from "../../spec/scopes.ts";
import type { Severity } from "../../spec/severity.ts";
import type { Runtime } from "../runtime.ts";

/** Context in which a resource is read. */
interface ResourceContext {
  readonly runtime: Runtime;
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal;
}

interface Described {
  /** Unique among components of its kind; clients show the title instead if there is one. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tag of the tool that returns the same data, so that a resource cannot bypass a hidden tool. */
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
   * @throws {NotFoundParameter} If the value of a variable is unknown.
   */
  read(variables: Readonly<Record<string, string>>, context: ResourceContext): Promise<string>;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** Inputs of a prompt's text other than its arguments. */
export interface PromptContext {
  /** Tools that this caller can see; a prompt mentions no others. Default: all. */
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

/** All resources and prompts, in the order in which lists show them. */
export interface Components {
  readonly resources: readonly ResourceDefinition[];
  readonly resourceTemplates: readonly ResourceTemplateDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

/** A value in a resource's URI is unknown. The caller gets the message as JSON-RPC error -32602. */
export class NotFoundParameter extends Error {
  override name = "NotFoundParameter";
}
