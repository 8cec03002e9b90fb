import type { Outcome } from "../../spec/audit.ts";
import type { ToolErrorKind } from "../../spec/errors.ts";
import type { Settings } from "../../spec/settings.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type { Exceeded } from "../admission/budget.ts";
import { type CallPass, onlyCaller } from "../admission/call-pass.ts";
import type { Caller } from "../auth/caller.ts";
import { Stopped, withDeadline } from "../deadline.ts";
import { logDefect } from "../defect.ts";
import { ToolError } from "../errors.ts";
import { limitOf, type Observer } from "../metrics/observer.ts";
import { type CallSpan, type TraceSource, traceCall } from "../metrics/tracing.ts";
import { invalidArguments } from "../protocol/invalid-arguments.ts";
import { type PreparedOutput, parsedOutput, writeFitting } from "../results/prepared-output.ts";
import type { Runtime } from "../runtime.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import type { Audit } from "./audit.ts";

/** Dependencies shared by all calls of a process. */
export interface CallHost {
  readonly runtime: Runtime;
  readonly audit: Audit;
  readonly observer: Observer;
  /** Largest complete result, in bytes of its JSON. */
  readonly maxResultBytes: number;
}

/** Arguments that are still unparsed in the body of a large request. */
export interface DeferredArguments {
  readonly body: Uint8Array;
  /** Entries of `policies`, for the audit record. */
  readonly policyCount: number;
}

/** One call. */
export interface Call {
  readonly tool: Tool;
  readonly args: unknown;
  readonly caller: Caller;
  /** Sorted names of the tools this caller can see. */
  readonly toolNames: readonly string[];
  /** Fires when the caller disconnects or the server stops waiting. */
  readonly signal: AbortSignal;
  /** Size of a request over `max_request_bytes`; its `args` are used only to count policies. */
  readonly oversizeBytes?: number | undefined;
  /** Deferred arguments, used instead of `args`. */
  readonly deferred?: DeferredArguments | undefined;
  /** Time until the platform's timeout. Absent: no such limit. */
  readonly remainingMs?: number | undefined;
  readonly trace: TraceSource;
  /** Absent: there is one caller only. */
  readonly pass?: CallPass | undefined;
}

/** Result of a call: an output, or the text of a tool error. */
export type CallAnswer = CallOutput | { readonly error: string };

interface CallOutput {
  readonly prepared: PreparedOutput;
  /** Parses the output. */
  readonly structured: () => Record<string, unknown>;
}

/**
 * Runs every tool call: limits, input, run, output, audit record.
 * @returns An answer in every case. Exactly one audit record is written before it.
 */
export function callTool(host: CallHost, call: Call): Promise<CallAnswer> {
  return traceCall(call.tool.contract.name, call.trace, (span) => settle(host, call, span));
}

async function settle(host: CallHost, call: Call, span: CallSpan): Promise<CallAnswer> {
  const { tool, caller } = call;
  const { name } = tool.contract;
  const started = performance.now();
  let outcome: Outcome = "internal_error";
  let counts: SeverityCounts = {};
  let kind: ToolErrorKind | undefined;
  let outputBytes: number | null = null;
  try {
    const ran = await run(host, call);
    counts = ran.severity_counts ?? {};
    const prepared = ran.prepared ?? writeFitting(tool.contract.output, ran, host.maxResultBytes);
    outcome = "success";
    outputBytes = Buffer.byteLength(prepared.json);
    if (prepared.truncated) host.observer.limit("max_response_bytes");
    return { prepared, structured: () => parsedOutput(prepared) };
  } catch (error) {
    const failure = asFailure(host, call, error);
    ({ outcome, kind } = failure);
    const limit = call.pass?.exceeded ? "calls_per_caller" : kind && limitOf(kind);
    if (limit) host.observer.limit(limit);
    if (kind === "overloaded") call.pass?.refused();
    return { error: failure.text };
  } finally {
    const durationSeconds = (performance.now() - started) / 1000;
    span.settle(outcome, kind);
    host.observer.call({ tool: name, outcome, durationSeconds, outputBytes });
    host.audit(() => ({
      tool: name,
      subject: caller.subject,
      scopes: [...caller.scopes],
      config_digest: host.runtime.digest,
      policy_count: call.deferred?.policyCount ?? tool.policyCount(call.args),
      duration_s: durationSeconds,
      outcome,
      severity_counts: counts,
    }));
  }
}

async function run(host: CallHost, call: Call): Promise<ToolResult<unknown>> {
  const { tool, args, deferred, signal, oversizeBytes, remainingMs, pass = onlyCaller } = call;
  const { settings } = host.runtime;
  if (pass.exceeded) throw overShare(pass.exceeded, settings);
  if (oversizeBytes !== undefined) {
    throw new ToolError(
      "request_too_large",
      `The request has ${oversizeBytes} bytes; the limit is ${settings.max_request_bytes} ` +
        "(max_request_bytes). Send fewer policies per call.",
    );
  }
  const work = workOf(tool, args, deferred);

  const started = performance.now();
  const limitMs = Math.min(settings.request_timeout_s * 1000, remainingMs ?? Infinity);
  const waits = tool.needsReferenceData && !host.runtime.isWarm();
  if (waits) {
    pass.leaveMainThread();
    await referenceData(host, signal, limitMs);
  }

  const context = {
    runtime: host.runtime,
    toolNames: call.toolNames,
    turnKey: pass.turnKey,
    leaveMainThread: pass.leaveMainThread,
    maxResultBytes: host.maxResultBytes,
  };
  const hasTimeLimit = tool.contract.errors.includes("request_timeout");
  const runLimitMs = hasTimeLimit ? limitMs : remainingMs;
  return withDeadline(
    (stop) => work({ ...context, signal: stop }),
    signal,
    runLimitMs && Math.max(1, runLimitMs - (performance.now() - started)),
  );
}

function overShare(exceeded: Exceeded, { max_calls_per_caller: limit }: Settings): ToolError {
  return new ToolError(
    "overloaded",
    exceeded === "caller"
      ? `You have ${limit} calls in progress, as many as one caller may have (max_calls_per_caller). Wait for answers before you send more.`
      : "The server is busy with other calls. Retry in a few seconds.",
  );
}

/** @throws {ToolError} If the arguments do not match the schema. Deferred arguments are checked where they are parsed. */
function workOf(tool: Tool, args: unknown, deferred: DeferredArguments | undefined) {
  const { runDeferred } = tool;
  if (deferred && runDeferred) {
    return (context: ToolContext) => runDeferred(deferred.body, context);
  }
  const input = tool.contract.input.safeParse(args ?? {});
  if (!input.success) throw invalidArguments(input.error);
  return (context: ToolContext) => tool.run(input.data, context);
}

async function referenceData({ runtime }: CallHost, signal: AbortSignal, limitMs: number) {
  try {
    await withDeadline(() => runtime.warm, signal, limitMs);
  } catch (error) {
    if (error instanceof Stopped && error.reason === "cancelled") throw error;
    throw new ToolError(
      "not_ready",
      "The AWS reference data is still loading (see GET /ready). Try again later.",
    );
  }
}

function asFailure(
  { runtime }: CallHost,
  { tool, signal, remainingMs }: Call,
  error: unknown,
): { outcome: Outcome; text: string; kind?: ToolErrorKind } {
  const { name } = tool.contract;
  if (error instanceof Stopped && error.reason === "deadline") {
    const { request_timeout_s: seconds } = runtime.settings;
    const limit =
      (remainingMs ?? Infinity) < seconds * 1000
        ? `the platform's timeout came before request_timeout_s (${seconds} s)`
        : `the limit is ${seconds} s (request_timeout_s)`;
    return {
      outcome: "tool_error",
      kind: "request_timeout",
      text: `${name} ran out of time: ${limit}. Send less per call.`,
    };
  }
  if (error instanceof ToolError) {
    return { outcome: "tool_error", kind: error.kind, text: error.message };
  }
  if (signal.aborted) return { outcome: "cancelled", text: `${name} was cancelled.` };
  const id = logDefect(runtime.log, error, { tool: name });
  return {
    outcome: "internal_error",
    text: `${name} failed because of a fault in this server. Its operator can look for ${id} in the log.`,
  };
}
