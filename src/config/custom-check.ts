import { PolicyType } from "../../spec/policy.ts";
import { Severity } from "../../spec/severity.ts";
import type { Check } from "../engine/check.ts";
import { statementElements } from "../policy/statement.ts";
import { isRecord, type JsonObject } from "../record.ts";

/** Documentation that a custom check may leave out. */
const undocumented = {
  docstring: "",
  risk_explanation: "",
  risk_category: "",
  documentation_url: "",
  remediation_steps: [],
  issue_types: {},
  examples: { bad: [], good: [] },
};

/** @returns Why a value is not a valid check; null if it is one. */
function faultOf(value: JsonObject): string | null {
  if (typeof value.check_id !== "string" || !/^[a-z][a-z0-9_]*$/.test(value.check_id)) {
    return "its check_id is not in snake_case";
  }
  const id = value.check_id;
  if (!Severity.safeParse(value.default_severity).success) {
    return `${id}: default_severity must be one of ${Severity.options.join(", ")}`;
  }
  if (typeof value.description !== "string" || value.description === "") {
    return `${id}: description is missing`;
  }
  if (!isRecord(value.options) || typeof value.options.safeParse !== "function") {
    return `${id}: options is not a Zod schema`;
  }
  if (typeof value.runPolicy !== "function" && typeof value.runStatement !== "function") {
    return `${id}: neither runPolicy nor runStatement is a function`;
  }
  const { element } = value;
  // A misspelt one would load but never run.
  if (element !== undefined && !statementElements.includes(String(element))) {
    return `${id}: element must be one of ${statementElements.join(", ")}`;
  }
  return typesFault(id, value.applies_to_policy_types);
}

/** Rejects unknown policy types: a check for them would load but never run. */
function typesFault(id: string, types: unknown): string | null {
  if (types === undefined) return null;
  const member = `${id}: applies_to_policy_types`;
  const known = `use ${PolicyType.options.join(", ")}`;
  if (!Array.isArray(types)) return `${member} is not a list; ${known}`;
  const unknown = types.find((type) => !PolicyType.safeParse(type).success);
  if (unknown !== undefined) {
    return `${member} has ${JSON.stringify(unknown)}, which is not a policy type; ${known}`;
  }
  return null;
}

/**
 * @param value What a module exports, or a program passes, as a custom check.
 * @returns The check, with empty documentation where it has none.
 * @throws {Error} Says which member is missing or wrong.
 */
export function checkFrom(value: unknown): Check {
  if (!isRecord(value)) throw new Error("it is not an object (see defineCheck)");
  const fault = faultOf(value);
  if (fault) throw new Error(fault);
  // Its shape has just been validated.
  return { ...undocumented, ...value } as unknown as Check;
}
