import type { Summary } from "../../spec/tools/validate-policies.ts";
import type { Policy } from "./model.ts";

/** @returns figures over all statements; of `Action` and `NotAction` (and `Resource` likewise) alike. */
export function summarisePolicy({ statements }: Pick<Policy, "statements">): Summary {
  const actions = new Set<string>();
  const services = new Set<string>();
  let wildcards = false;
  for (const { actions: named, notActions, resources, notResources } of statements) {
    for (const { text } of [...named, ...notActions]) {
      actions.add(text);
      const colon = text.indexOf(":");
      if (colon > 0) services.add(text.slice(0, colon).toLowerCase());
      wildcards ||= text.includes("*");
    }
    wildcards ||= [...resources, ...notResources].some(({ text }) => text.includes("*"));
  }
  return {
    total_statements: statements.length,
    allow_statements: statements.filter(({ allows }) => allows).length,
    deny_statements: statements.filter(({ denies }) => denies).length,
    services_used: [...services].sort(),
    actions_count: actions.size,
    has_wildcards: wildcards,
    has_conditions: statements.some(({ conditions }) => conditions.length > 0),
  };
}
