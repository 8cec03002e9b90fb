import { compileIgnorePatterns, compiles } from "../engine/ignore.ts";
import { createRegistry, type RegisteredCheck, type Registry } from "../engine/registry.ts";
import { StartupError } from "../errors.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import { badExpression } from "../policy/expression.ts";
import { isRecord, type JsonObject } from "../record.ts";
import { readExceptions } from "./exceptions.ts";
import type { ConfigText } from "./read.ts";
import type { CheckSection, ResolvedConfig } from "./resolved.ts";
import {
  type ConfigFault,
  type ConfigurableCheck,
  type Faults,
  findUnknownChecks,
  readSection,
  readTopLevel,
} from "./sections.ts";

export interface Resolution {
  readonly config: ResolvedConfig;
  readonly registry: Registry;
  readonly warnings: readonly string[];
}

/** @returns Line, key path and message of a fault; never the value, which may be a secret. */
export function faultText(fault: ConfigFault, text: ConfigText): string {
  const line = text.lineOf(fault.path);
  const at = fault.path.map(String).join(".") || "the file";
  // A key of the file may hold what a terminal acts on, or the end of a line.
  return escapeInvisible(`${line ? `line ${line}: ` : ""}${at}: ${fault.message}`);
}

/**
 * Merges the defaults and the file, validates the result and builds the registry.
 * @param subject What is read, for messages, e.g. `config file validator-mcp.yaml`.
 * @param checks Every check of this process, built-in and custom, in run order.
 * @param checksAreMissing Custom checks named in the file were not loaded. Sections of unknown checks
 * are then warnings, not errors.
 * @throws {StartupError} Lists every fault on a separate line.
 */
export function resolveConfig(
  text: ConfigText,
  subject: string,
  checks: readonly ConfigurableCheck[],
  checksAreMissing = false,
  unknownNames: "error" | "warn" = "error",
): Resolution {
  const faults = newFaults(unknownNames);
  const file = isRecord(text.value) ? text.value : {};
  if (file !== text.value)
    faults.errors.push({ path: [], message: "a config is a mapping of keys" });

  const top = readTopLevel(file, faults);
  const templates = templatesSetIn(file) ? top.settings.allow_template_variables : null;
  const ids = new Set(checks.map(({ check }) => check.check_id));
  const unknown: Faults = { ...faults, errors: [] };
  findUnknownChecks(file, ids, unknown);
  (checksAreMissing ? faults.warnings : faults.errors).push(...unknown.errors);

  const sections: Record<string, CheckSection> = {};
  const registered: RegisteredCheck[] = [];
  for (const target of checks) {
    const { check, source } = target;
    if (registered.some((one) => one.check.check_id === check.check_id)) {
      faults.errors.push({ path: [check.check_id], message: "two checks have this id" });
      continue;
    }
    const section = readSection(target, file, ids, faults);
    const { common } = section;
    const options =
      source === "builtin" ? withTemplates(section.options, templates) : section.options;
    for (const { option, message } of check.optionWarnings?.(options) ?? []) {
      faults.warnings.push({ path: [check.check_id, option], message });
    }
    const hidden = common.hide_severities ?? top.settings.hide_severities ?? [];
    const enabled = common.enabled && (source !== "builtin" || top.settings.enable_builtin_checks);
    sections[check.check_id] = { ...common, ...(isRecord(options) ? options : {}), enabled };
    registered.push({
      check,
      source,
      enabled,
      configuredSeverity: common.severity,
      severity: common.severity ?? check.default_severity,
      description: common.description ?? check.description,
      options,
      ignore: compileQuietly(common.ignore_patterns, check.check_id, faults),
      hidden: new Set(hidden),
    });
  }
  const exceptions = readExceptions(top.exceptions, registered, checksAreMissing, faults);
  if (faults.errors.length > 0) {
    const inOrder = faults.errors
      .map((fault) => ({ fault, line: text.lineOf(fault.path) ?? 0 }))
      .sort((a, b) => a.line - b.line);
    const list = inOrder.map(({ fault }) => faultText(fault, text));
    throw new StartupError(
      "config_invalid",
      `${subject} is not valid:\n${list.map((line) => `  ${line}`).join("\n")}`,
    );
  }
  return {
    config: {
      settings: top.settings,
      checks: sections,
      policy_types: top.policy_types.map(({ pattern, type }) => ({ pattern, type })),
      custom_instructions: top.custom_instructions?.trim() || null,
      custom_checks: top.custom_checks.map(({ module }) => ({ module })),
      custom_checks_dir: top.custom_checks_dir,
      ...(exceptions.length > 0 && { exceptions }),
    },
    registry: createRegistry(registered),
    warnings: faults.warnings.map((fault) => faultText(fault, text)),
  };
}

function newFaults(unknownNames: "error" | "warn"): Faults {
  const errors: ConfigFault[] = [];
  const warnings: ConfigFault[] = [];
  return { errors, warnings, unknownNames: unknownNames === "warn" ? warnings : errors };
}

function templatesSetIn({ settings, organization }: JsonObject): boolean {
  return [settings, organization].some(
    (one) => isRecord(one) && one.allow_template_variables != null,
  );
}

/** The setting `allow_template_variables`, if the file sets it, overrides the checks' options of that name. */
function withTemplates(options: unknown, setting: boolean | null): unknown {
  if (setting === null || !isRecord(options)) return options;
  if (!Object.hasOwn(options, "allow_template_variables")) return options;
  return { ...options, allow_template_variables: setting };
}

function compileQuietly(
  patterns: Parameters<typeof compileIgnorePatterns>[0],
  checkId: string,
  faults: Faults,
) {
  try {
    return compileIgnorePatterns(patterns);
  } catch {
    for (const [index, pattern] of patterns.entries()) {
      if (compiles(pattern)) continue;
      const message = `every field ${badExpression}`;
      faults.errors.push({ path: [checkId, "ignore_patterns", index], message });
    }
    return compileIgnorePatterns([]);
  }
}
