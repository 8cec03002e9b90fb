import { z } from "zod";
import { ConfigSettings } from "../../spec/config.ts";
import { sensitiveCategories } from "../checks/sensitive-action/catalogue.ts";
import type { Check } from "../engine/check.ts";
import type { Registry } from "../engine/registry.ts";
import { effectiveSeverity } from "../engine/severities.ts";
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
    description: "Every check with its severity and whether it is enabled.",
    tag: "validate",
    mimeType: json,
    read: async ({ runtime }) => JSON.stringify(checkList(runtime.registry)),
  },
  {
    uri: "iam://sensitive-categories",
    name: "sensitive-categories",
    title: "Categories of sensitive actions",
    description: "The categories of sensitive actions, and the number of actions in each.",
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
    description: "One check by its id, as configured.",
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
 * One check, with the members that clients of this URI expect.
 * An unknown id is answered with `category: unknown`, not with an error.
 */
function oneCheck(registry: Registry, checkId: string) {
  const registered = registry.get(checkId);
  if (!registered) {
    return {
      check_id: checkId,
      description: "Check not found",
      default_severity: null,
      category: "unknown",
      example_violation: null,
      example_fix: null,
      configuration: {},
      related: [],
    };
  }
  const { check, description, enabled } = registered;
  return {
    check_id: checkId,
    description,
    default_severity: check.default_severity,
    category: check.risk_category,
    example_violation: check.examples.bad[0] ?? null,
    example_fix: check.examples.good[0] ?? null,
    configuration: { enabled, ...effectiveSeverity(registered) },
    related: relatedChecks(registry, check),
  };
}

/** Checks that replace this one or are replaced by it, then those of the same category; sorted by id. */
function relatedChecks({ checks }: Registry, check: Check): string[] {
  return checks
    .filter(({ check: other }) => {
      if (other.check_id === check.check_id) return false;
      const replaces = check.supersedes?.includes(other.check_id);
      const isReplacedBy = other.supersedes?.includes(check.check_id);
      return replaces || isReplacedBy || other.risk_category === check.risk_category;
    })
    .map(({ check: other }) => other.check_id)
    .sort();
}

function categoryTable() {
  return Object.fromEntries(
    sensitiveCategories.map(({ id, name, description, severity, actions }) => [
      id,
      { name, description, severity, action_count: actions.length },
    ]),
  );
}

/** All names of categories, aliases first, because they are easier to understand. */
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
      `Unknown category of sensitive actions; use one of ${categoryWords().join(", ")}.`,
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
