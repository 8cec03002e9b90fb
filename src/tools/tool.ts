import type { z } from "zod";
import type { ToolContract } from "../../spec/contract.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type { PreparedOutput } from "../results/prepared-output.ts";
import type { Runtime } from "../runtime.ts";

/** What a tool works with during one call. */
export interface ToolContext {
  readonly runtime: Runtime;
  /** Fires when the caller goes away, the server drains or the deadline passes. */
  readonly signal: AbortSignal;
  /** Sorted names of the tools this caller can see. */
  readonly toolNames: readonly string[];
  /** Names for the operator's eyes never come in here; this is what the audit record will show. */
  readonly subject: string;
  /** Largest complete result, in bytes of its JSON (content and structuredContent together). */
  readonly maxResultBytes: number;
}

/** What a tool returns: its output, and counts for the audit. */
export interface ToolResult<Output> {
  readonly output: Output;
  /**
   * Asked when the complete result has more than `maxResultBytes`; absent: it always fits.
   * @param bytes Of the complete result.
   * @returns an output that fits. @throws {ToolError} When there is none.
   */
  shrink?(bytes: number): Output;
  /** Findings by severity before any degradation; absent: none. */
  readonly severity_counts?: SeverityCounts;
  /** The same output as it goes out, checked and fitting already; reading `output` then costs a parse. */
  readonly prepared?: PreparedOutput;
}

/** A tool: its contract and the code behind it. */
export interface Tool<Contract extends ToolContract = ToolContract> {
  readonly contract: Contract;
  /** Policies submitted, read from arguments that may not fit the schema; for the audit record. */
  policyCount(args: unknown): number;
  /** @throws {ToolError} for what the calling model can mend. */
  run(
    input: z.output<Contract["input"]>,
    context: ToolContext,
  ): Promise<ToolResult<z.input<Contract["output"]>>>;
  /**
   * Runs a call whose arguments are still in the request's body, unparsed and unchecked, because the
   * body is large. Absent: the tool's arguments are never that large.
   */
  runDeferred?(
    body: Uint8Array,
    context: ToolContext,
  ): Promise<ToolResult<z.input<Contract["output"]>>>;
  /** The body was over `max_request_bytes` and was not looked at: the error to answer with. */
  readonly boundsRequest: boolean;
}

export function implement<Contract extends ToolContract>(
  contract: Contract,
  run: Tool<Contract>["run"],
  extra: Partial<Pick<Tool<Contract>, "policyCount" | "boundsRequest" | "runDeferred">> = {},
): Tool<Contract> {
  return { contract, run, policyCount: () => 0, boundsRequest: false, ...extra };
}
