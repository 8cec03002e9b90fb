import type { CheckDescription } from "../../spec/tools/describe-checks.ts";
import type { ResolvedConfig } from "../config/resolved.ts";
import type { RegisteredCheck, Registry } from "../engine/registry.ts";
import { maskedObject } from "./masked.ts";

function describeCheck(registered: RegisteredCheck, config: ResolvedConfig): CheckDescription {
  const { check, source, enabled, severity, description } = registered;
  const {
    enabled: _enabled,
    severity: _severity,
    ...options
  } = config.checks[check.check_id] ?? {};
  return {
    check_id: check.check_id,
    description,
    default_severity: check.default_severity,
    docstring: check.docstring || null,
    applies_to_policy_types: check.applies_to_policy_types
      ? [...check.applies_to_policy_types].sort()
      : null,
    supersedes: [...(check.supersedes ?? [])].sort(),
    config: maskedObject(options),
    enabled,
    severity,
    source,
  };
}

/** Every registered check as callers see it, sorted by id; read from the live registry. */
export function describeRegistry(registry: Registry, config: ResolvedConfig): CheckDescription[] {
  return registry.checks
    .map((registered) => describeCheck(registered, config))
    .sort((a, b) => (a.check_id < b.check_id ? -1 : 1));
}
