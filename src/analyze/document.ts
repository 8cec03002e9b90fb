import { ToolError } from "../errors.ts";
import { isTooDeep } from "../json/depth.ts";
import { tryParseJson } from "../json/parse.ts";
import { maxDepth, tooDeep } from "../json/text.ts";
import { parseDocument } from "../policy/document.ts";

export interface DocumentLimits {
  readonly max_policy_bytes: number;
  readonly max_request_bytes: number;
}

/**
 * @param policy A policy document, or its JSON or YAML text.
 * @returns The JSON to send: a JSON text as written, so that the spans of AWS's findings match it, else compact JSON.
 * @throws {ToolError} If it is not a policy document, or too large.
 */
export async function documentToSend(
  policy: string | object,
  limits: DocumentLimits,
): Promise<string> {
  const sent = typeof policy === "string" ? Buffer.byteLength(policy) : 0;
  // Reject text over a limit before parsing it.
  checkSize(sent, limits);
  const { raw, text, faults } = await parseDocument(policy);
  for (const fault of faults) {
    // Repeated members are sent: AWS reports them.
    if (fault.kind !== "duplicate") throw notADocument(fault.message);
  }
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw notADocument("The text is not a JSON or YAML object.");
  }
  const compact = JSON.stringify(raw);
  checkSize(Buffer.byteLength(compact), limits);
  return text !== null && tryParseJson(text) !== undefined ? text : compact;
}

/** @throws {ToolError} naming the limit that so many bytes of one policy exceed. */
export function checkSize(
  bytes: number,
  { max_policy_bytes, max_request_bytes }: DocumentLimits,
): void {
  if (bytes > max_policy_bytes) {
    throw new ToolError(
      "policy_too_large",
      `policy has ${bytes} bytes; the limit is ${max_policy_bytes} (max_policy_bytes). Split the policy.`,
    );
  }
  if (bytes > max_request_bytes) {
    throw new ToolError(
      "request_too_large",
      `The request has ${bytes} bytes of policy; the limit is ${max_request_bytes} (max_request_bytes).`,
    );
  }
}

/**
 * @returns the compact JSON of a document.
 * @throws {ToolError} if it nests deeper than a policy may: `JSON.stringify` is recursive.
 */
export function jsonOf(policy: object): string {
  if (isTooDeep(policy, maxDepth - 1)) throw notADocument(`${tooDeep}.`);
  return JSON.stringify(policy);
}

function notADocument(reason: string): ToolError {
  return new ToolError("invalid_policy_entry", `policy is not a policy document. ${reason}`);
}
