import type {
  Tool as ListedTool,
  Prompt,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { type Profile, profiles, type Scope, scopeOfTag, type Tag } from "../../spec/scopes.ts";
import type { Caller } from "../auth/caller.ts";
import type { Tool } from "../tools/tool.ts";
import type {
  Components,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from "./component.ts";
import { listedTool } from "./listed-tool.ts";
import { type UriMatcher, uriMatcher } from "./uri-template.ts";

/** The tools, resources and prompts that one caller can use. All others are treated as unknown. */
export interface View {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Sorted. */
  readonly toolNames: readonly string[];
  /** Those of them that take their arguments in the body of the request. */
  readonly deferrable: readonly string[];
  /** Those of them whose arguments hold a policy. */
  readonly policyTools: readonly string[];
  readonly resources: ReadonlyMap<string, ResourceDefinition>;
  readonly templates: readonly {
    readonly match: UriMatcher;
    readonly definition: ResourceTemplateDefinition;
  }[];
  readonly prompts: ReadonlyMap<string, PromptDefinition>;
  /** Results of the list methods. */
  readonly lists: {
    readonly tools: readonly ListedTool[];
    readonly resources: readonly Resource[];
    readonly templates: readonly ResourceTemplateType[];
    readonly prompts: readonly Prompt[];
  };
}

export interface Catalogue {
  viewFor(caller: Caller): View;
  /** @returns The scope required for a tool of this server; undefined: unknown tool, or no scope required. */
  scopeOf(toolName: string): Scope | undefined;
}

/**
 * All lists and schemas of the server, built once. Callers with the same scopes share one view.
 * @param profile Components outside it are unavailable to all callers.
 */
export function createCatalogue(
  tools: readonly Tool[],
  components: Components,
  profile: Profile,
): Catalogue {
  const { tags, readOnly = false } = profiles[profile];
  const inProfile = (tag: Tag) => tags === null || tags.includes(tag);
  const served = tools
    .filter(({ contract }) => inProfile(contract.tag) && !(readOnly && contract.mutates))
    .map((tool) => ({ tool, contract: tool.contract, listed: listedTool(tool.contract) }));
  const matched = components.resourceTemplates.map((definition) => ({
    match: uriMatcher(definition.uriTemplate),
    definition,
  }));
  const scopes = [...new Set(Object.values(scopeOfTag))].filter((scope) => scope !== null);
  const scopeByTool = new Map(
    served.map(({ contract }) => [contract.name, scopeOfTag[contract.tag]]),
  );

  const makeView = (granted: ReadonlySet<Scope>): View => {
    const visible = (tag: Tag) => {
      const scope = scopeOfTag[tag];
      return inProfile(tag) && (scope === null || granted.has(scope));
    };
    const shown = served.filter(({ contract }) => visible(contract.tag));
    const resources = components.resources.filter(({ tag }) => visible(tag));
    const templates = matched.filter(({ definition }) => visible(definition.tag));
    const prompts = components.prompts.filter(({ tag }) => visible(tag));
    return {
      tools: new Map(shown.map(({ contract, tool }) => [contract.name, tool])),
      toolNames: shown.map(({ contract }) => contract.name).sort(),
      deferrable: shown.filter(({ tool }) => tool.runDeferred).map(({ contract }) => contract.name),
      policyTools: shown
        .filter(({ tool }) => tool.takesPolicies)
        .map(({ contract }) => contract.name),
      resources: new Map(resources.map((each) => [each.uri, each])),
      templates,
      prompts: new Map(prompts.map((each) => [each.name, each])),
      lists: {
        tools: shown.map(({ listed }) => listed),
        resources: resources.map(({ uri, name, title, description, mimeType }) => ({
          uri,
          name,
          title,
          description,
          mimeType,
        })),
        templates: templates.map(({ definition }) => {
          const { uriTemplate, name, title, description, mimeType } = definition;
          return { uriTemplate, name, title, description, mimeType };
        }),
        prompts: prompts.map(({ name, title, description, arguments: args }) => ({
          name,
          title,
          description,
          arguments: args.map((each) => ({ ...each })),
        })),
      },
    };
  };

  const views = new Map<string, View>();
  return {
    viewFor(caller) {
      const granted = scopes.filter((scope) => caller.may(scope));
      const key = granted.join(" ");
      let view = views.get(key);
      if (!view) {
        view = makeView(new Set(granted));
        views.set(key, view);
      }
      return view;
    },
    scopeOf: (toolName) => scopeByTool.get(toolName) ?? undefined,
  };
}
