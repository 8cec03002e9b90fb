import type { z } from "zod";
import type { AuditRecord } from "../../spec/audit.ts";
import type { Finding, LeanFinding } from "../../spec/finding.ts";
import { type ValidationResult, validatePolicies } from "../../spec/tools/validate-policies.ts";
import type { InProcess } from "./in-process.ts";
import { type Era, rpcRequest } from "./rpc.ts";
import { auditRecords } from "./target.ts";

export type Validated = z.output<typeof validatePolicies.output>;

/** @returns the findings of a result that was asked for with `detail: findings` or `detail: full`. */
export function findingsOf({
  issues,
}: Pick<ValidationResult, "issues">): (Finding | LeanFinding)[] {
  return (issues ?? []).filter((issue) => "check_id" in issue);
}

/** How a call is sent. */
export interface Sending {
  readonly era?: Era;
  readonly token?: string;
  /** Bytes that the body has at least; white space makes up for what is missing. Above 64 KiB it goes to a worker. */
  readonly bodyBytes?: number;
}

export interface ToolCall {
  readonly status: number;
  readonly body: { readonly result?: Record<string, unknown>; readonly error?: unknown };
  readonly result: Record<string, unknown>;
  /** Bytes of the result in the HTTP body. */
  readonly resultBytes: number;
  /** The text of a tool error; empty for a success. */
  readonly error: string;
  /** The one audit record that the call has left. */
  readonly record: AuditRecord | undefined;
}

/** More than the main thread parses. */
export const largeBody = 80 * 1024;

/** What stands around a result. */
const frameBytes = JSON.stringify({ jsonrpc: "2.0", id: 1, result: 0 }).length - "0".length;

/** One call of a tool, and what it has left behind. Calls on one target must not overlap. */
export async function callOf(
  target: InProcess,
  name: string,
  args: object,
  { era = "2025", token, bodyBytes = 0 }: Sending = {},
): Promise<ToolCall> {
  target.audit.all.length = 0;
  const params = { name, arguments: args };
  const { headers, body } = rpcRequest("tools/call", params, { era, token });
  const missing = Math.max(0, bodyBytes - Buffer.byteLength(body));
  const response = await fetch(`${target.url}/mcp`, {
    method: "POST",
    headers,
    body: body + " ".repeat(missing),
  });
  const text = await response.text();
  const answer: ToolCall["body"] = JSON.parse(text);
  const { result = {} } = answer;
  const [content] = (result.content ?? []) as { readonly text: string }[];
  const records = auditRecords(target.audit.all);
  if (records.length > 1) throw new Error(`${records.length} audit records of one call`);
  return {
    status: response.status,
    body: answer,
    result,
    resultBytes: Buffer.byteLength(text) - frameBytes,
    error: result.isError === true ? (content?.text ?? "") : "",
    record: records[0],
  };
}

/** A call of `validate_policies` that succeeds. */
export async function validated(
  target: InProcess,
  args: object,
  sending: Sending = {},
): Promise<ToolCall & { readonly output: Validated }> {
  const answer = await callOf(target, "validate_policies", args, sending);
  if (answer.result.isError !== false) throw new Error(`no success: ${answer.error}`);
  return { ...answer, output: validatePolicies.output.parse(answer.result.structuredContent) };
}

/** @returns the results of a call of `validate_policies` that succeeds. */
export async function resultsFrom(target: InProcess, args: object): Promise<Validated["results"]> {
  return (await validated(target, args)).output.results;
}

/** @returns the one result of a call with one policy. */
export async function resultFrom(target: InProcess, policy: unknown, args: object = {}) {
  const [result, ...others] = await resultsFrom(target, { policies: [policy], ...args });
  if (!result || others.length > 0) throw new Error(`${others.length + 1} results of one policy`);
  return result;
}
