import type { CheckDescription, ListedCheck } from "../../spec/tools/describe-checks.ts";
import type { ResolvedConfig } from "../config/resolved.ts";
import type { CheckExample } from "../engine/check.ts";
import type { RegisteredCheck, Registry } from "../engine/registry.ts";
import { effectiveSeverity } from "../engine/severities.ts";
import { maskedObject } from "./masked.ts";

function describeCheck(registered: RegisteredCheck, config: ResolvedConfig): CheckDescription {
  const { check, source, enabled, description } = registered;
  const {
    enabled: _enabled,
    severity: _severity,
    ...options
  } = config.checks[check.check_id] ?? {};
  return {
    check_id: check.check_id,
    description,
    enabled,
    default_severity: check.default_severity,
    ...effectiveSeverity(registered),
    docstring: check.docstring || null,
    applies_to_policy_types: check.applies_to_policy_types
      ? [...check.applies_to_policy_types].sort()
      : null,
    supersedes: [...(check.supersedes ?? [])].sort(),
    config: maskedObject(options),
    source,
    examples: {
      reported: check.examples.bad.map(exampleOf),
      accepted: check.examples.good.map(exampleOf),
    },
  };
}

const exampleOf = ({ title, policy, policy_type }: CheckExample) => ({
  title,
  policy,
  policy_type: policy_type ?? null,
});

/** @returns The fields of a check that the list of all checks shows. */
export function listedCheck(description: CheckDescription): ListedCheck {
  const { check_id, description: line, severity, enabled } = description;
  return { check_id, description: line, severity, enabled };
}

/** Descriptions of all registered checks, sorted by id. */
export function describeRegistry(registry: Registry, config: ResolvedConfig): CheckDescription[] {
  return registry.checks
    .map((registered) => describeCheck(registered, config))
    .sort((a, b) => (a.check_id < b.check_id ? -1 : 1));
}
