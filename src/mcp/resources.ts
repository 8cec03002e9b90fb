import { z } from "zod";
import { ConfigSettings } from "../../spec/config.ts";
import { sensitiveCategories } from "../checks/sensitive-action/catalogue.ts";
import type { Registry } from "../engine/registry.ts";
import {
  NotFoundParameter,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
} from "./component.ts";
import { configExamples } from "./config-examples.ts";

const json = "application/json";

export const resources: readonly ResourceDefinition[] = [
  {
    uri: "iam://checks",
    name: "checks",
    title: "Checks",
    description: "Every check with its severity and whether it is on.",
    tag: "validate",
    mimeType: json,
    read: async ({ runtime }) => JSON.stringify(checkList(runtime.registry)),
  },
  {
    uri: "iam://sensitive-categories",
    name: "sensitive-categories",
    title: "Categories of sensitive actions",
    description: "What the categories of sensitive actions mean, and how many actions each has.",
    tag: "validate",
    mimeType: json,
    read: async () => JSON.stringify(categoryTable()),
  },
  {
    uri: "iam://config-schema",
    name: "config-schema",
    title: "Config schema",
    description: "JSON Schema of the config file's settings section.",
    tag: "orgconfig",
    mimeType: json,
    read: async () => JSON.stringify(z.toJSONSchema(ConfigSettings, { io: "input" })),
  },
  {
    uri: "iam://config-examples",
    name: "config-examples",
    title: "Config examples",
    description: "Five config files for different postures.",
    tag: "orgconfig",
    mimeType: "text/markdown",
    read: async () => examplesPage(),
  },
];

export const resourceTemplates: readonly ResourceTemplateDefinition[] = [
  {
    uriTemplate: "iam://sensitive-actions/{category}",
    name: "sensitive-actions",
    title: "Sensitive actions of a category",
    description: `category: ${categoryWords().join(", ")}.`,
    tag: "validate",
    mimeType: json,
    read: async ({ category = "" }) => JSON.stringify(sensitiveActions(category)),
  },
  {
    uriTemplate: "iam://checks/{check_id}",
    name: "check",
    title: "One check",
    description: "One check by its id, with its state in force.",
    tag: "validate",
    mimeType: json,
    read: async ({ check_id = "" }, { runtime }) =>
      JSON.stringify(oneCheck(runtime.registry, check_id)),
  },
];

function checkList({ checks }: Registry) {
  return checks
    .map(({ check, description, severity, enabled }) => ({
      check_id: check.check_id,
      description,
      default_severity: check.default_severity,
      severity,
      enabled,
    }))
    .sort((a, b) => (a.check_id < b.check_id ? -1 : 1));
}

/**
 * The keys that readers of this address have always found; those that are fixed here never held more.
 * The documentation of a check is `describe_checks`' to tell.
 */
function oneCheck(registry: Registry, checkId: string) {
  const registered = registry.get(checkId);
  return {
    check_id: checkId,
    description: registered?.description ?? "Check not found",
    default_severity: registered?.check.default_severity ?? null,
    category: registered ? "general" : "unknown",
    example_violation: null,
    example_fix: null,
    configuration: registered ? { enabled: registered.enabled, severity: registered.severity } : {},
    related: [],
  };
}

function categoryTable() {
  return Object.fromEntries(
    sensitiveCategories.map(({ id, name, description, severity, actions }) => [
      id,
      { name, description, severity, action_count: actions.length },
    ]),
  );
}

/** Every word that names a category, aliases first: they are the plainer ones. */
function categoryWords(): string[] {
  return sensitiveCategories.flatMap(({ id, aliases }) => [...aliases, id]);
}

function sensitiveActions(category: string) {
  const word = category.toLowerCase();
  const found = sensitiveCategories.find(
    ({ id, aliases }) => id === word || aliases.includes(word),
  );
  if (!found) {
    throw new NotFoundParameter(
      `No such category of sensitive actions; there are: ${categoryWords().join(", ")}.`,
    );
  }
  return { category, actions: [...found.actions].sort() };
}

function examplesPage(): string {
  const sections = configExamples.map(
    ({ title, purpose, yaml }) => `## ${title}\n\n${purpose}\n\n\`\`\`yaml\n${yaml}\`\`\`\n`,
  );
  return `# Config examples\n\n${sections.join("\n")}`;
}
