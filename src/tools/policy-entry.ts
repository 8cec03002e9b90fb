import type { BatchEntry } from "../engine/batch.ts";
import { ToolError } from "../errors.ts";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function badEntry(at: string, message: string): ToolError {
  return new ToolError("invalid_policy_entry", `${at} ${message}`);
}

/**
 * Distinguishes the three forms of an entry: text, a wrapper (any object with a `policy` key), or the
 * document itself.
 * @throws {ToolError} For anything else.
 */
export function splitEntry(entry: unknown, index: number): BatchEntry {
  const at = `policies[${index}]`;
  if (typeof entry === "string") return { policy: entry, name: null, typeWord: null };
  if (!isObject(entry)) {
    throw badEntry(
      at,
      "is neither a policy document, its text, nor {policy, name?, policy_type?}.",
    );
  }
  if (!Object.hasOwn(entry, "policy")) return { policy: entry, name: null, typeWord: null };
  const { policy, name = null, policy_type = null } = entry;
  if (typeof policy !== "string" && !isObject(policy)) {
    throw badEntry(`${at}.policy`, "is neither a policy document nor its text.");
  }
  if (name !== null && typeof name !== "string") throw badEntry(`${at}.name`, "is not a string.");
  return { policy, name, typeWord: policy_type };
}
