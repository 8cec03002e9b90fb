import type { BatchEntry } from "../engine/batch.ts";
import { ToolError } from "../errors.ts";
import { isRecord } from "../record.ts";

const bare = { name: null, typeWord: null, baseline: null };

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
  if (typeof entry === "string") return { ...bare, policy: entry };
  if (!isRecord(entry)) {
    throw badEntry(
      at,
      "is neither a policy document, its text, nor {policy, name?, policy_type?, baseline?}.",
    );
  }
  if (!Object.hasOwn(entry, "policy")) return { ...bare, policy: entry };
  const { policy, name = null, policy_type = null, baseline = null } = entry;
  if (typeof policy !== "string" && !isRecord(policy)) {
    throw badEntry(`${at}.policy`, "is neither a policy document nor its text.");
  }
  if (name !== null && typeof name !== "string") throw badEntry(`${at}.name`, "is not a string.");
  if (baseline !== null && typeof baseline !== "string" && !isRecord(baseline)) {
    throw badEntry(`${at}.baseline`, "is neither a policy document, its text, nor null.");
  }
  return { policy, name, typeWord: policy_type, baseline };
}
