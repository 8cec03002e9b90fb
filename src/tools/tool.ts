import type { z } from "zod";
import type { ToolContract } from "../../spec/contract.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type { PreparedOutput } from "../results/prepared-output.ts";
import type { Runtime } from "../runtime.ts";

/** Context of one tool call. */
export interface ToolContext {
  readonly runtime: Runtime;
  /** Fires when the caller disconnects, the server drains or the deadline passes. */
  readonly signal: AbortSignal;
  /** Sorted names of the tools this caller can see. */
  readonly toolNames: readonly string[];
  /** Calls with different keys take turns when they wait, so one caller's flood delays another by a single turn. */
  readonly turnKey: string;
  /** Gives the turn on the main thread to another call, because this one waits for something else. */
  readonly leaveMainThread: () => void;
  /** Largest complete result, in bytes of its JSON (content and structuredContent together). */
  readonly maxResultBytes: number;
}

/** The output of a tool, and counts for the audit record. */
export interface ToolResult<Output> {
  readonly output: Output;
  /**
   * Called if the complete result has more than `maxResultBytes`. Absent: the output always fits.
   * @param bytes Size of the complete result.
   * @returns An output that fits. @throws {ToolError} If there is none.
   */
  shrink?(bytes: number): Output;
  /** Findings by severity, counted before the output was shortened. Absent: none. */
  readonly severity_counts?: SeverityCounts;
  /** The same output, already checked, shortened and serialised. Reading `output` then parses it. */
  readonly prepared?: PreparedOutput;
}

/** A tool: its contract and its implementation. */
export interface Tool<Contract extends ToolContract = ToolContract> {
  readonly contract: Contract;
  /** Number of policies submitted, for the audit record. The arguments may not match the schema. */
  policyCount(args: unknown): number;
  /** @throws {ToolError} For errors that the calling model can correct. */
  run(
    input: z.output<Contract["input"]>,
    context: ToolContext,
  ): Promise<ToolResult<z.input<Contract["output"]>>>;
  /**
   * Runs a call whose arguments are still unparsed in the large body of the request. Absent: the
   * arguments of this tool are never that large.
   */
  runDeferred?(
    body: Uint8Array,
    context: ToolContext,
  ): Promise<ToolResult<z.input<Contract["output"]>>>;
  /** Whether the arguments hold policies, so that a call may have as many values as policies need. */
  readonly takesPolicies: boolean;
  /** Calls wait until the AWS reference data is loaded, or answer `not_ready`. */
  readonly needsReferenceData: boolean;
}

/**
 * A tool from its contract and its code, whose types come from the contract. Without `extra` it takes no
 * policies and has no time limit.
 */
export function implement<Contract extends ToolContract>(
  contract: Contract,
  run: Tool<Contract>["run"],
  extra: Partial<Pick<Tool<Contract>, "policyCount" | "needsReferenceData" | "runDeferred">> = {},
): Tool<Contract> {
  return {
    contract,
    run,
    policyCount: () => 0,
    takesPolicies: extra.policyCount !== undefined,
    needsReferenceData: false,
    ...extra,
  };
}
