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
import type { PreparedOutput } from "../results/prepared-output.ts";
import { writeFitting } from "../results/prepared-output.ts";
import type { Runtime } from "../runtime.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import type { Audit } from "./audit.ts";

const decoder = new TextDecoder();

/** What every call of a process shares. */
export interface CallHost {
  readonly runtime: Runtime;
  readonly audit: Audit;
  readonly observer: Observer;
  /** Largest complete result, in bytes of its JSON. */
  readonly maxResultBytes: number;
}

/** Arguments that are still in the body of a large request. */
export interface DeferredArguments {
  readonly body: Uint8Array;
  /** Entries of `policies`, for the audit record. */
  readonly policyCount: number;
}

/** What belongs to one call alone. */
export interface Call {
  readonly tool: Tool;
  readonly args: unknown;
  readonly caller: Caller;
  /** Sorted names of the tools this caller can see. */
  readonly toolNames: readonly string[];
  /** Fires when the caller goes away or the server stops waiting. */
  readonly signal: AbortSignal;
  /** Set: the request has this many bytes, more than `max_request_bytes`; `args` are for counting only. */
  readonly oversizeBytes?: number | undefined;
  /** Set: `args` says nothing, the arguments are in here. */
  readonly deferred?: DeferredArguments | undefined;
  /** Time the platform leaves for this call; absent: no such limit. */
  readonly remainingMs?: number | undefined;
  readonly trace: TraceSource;
  /** Absent: there is one caller only. */
  readonly pass?: CallPass | undefined;
}

/** What came of a call: an output, or the text of a tool error. */
export type CallAnswer = CallOutput | { readonly error: string };

export interface CallOutput {
  readonly prepared: PreparedOutput;
  /** The output itself, which costs a parse. */
  readonly structured: () => Record<string, unknown>;
}

/**
 * The one way through which every tool call passes: bounds, input, run, output, audit record.
 * @returns an answer in every case; exactly one audit record is written before it.
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
    return { prepared, structured: () => structuredOf(prepared) };
  } catch (error) {
    const failure = asFailure(host, call, error);
    ({ outcome, kind } = failure);
    const limit = call.pass?.exceeded ? "calls_per_caller" : kind && limitOf(kind);
    if (limit) host.observer.limit(limit);
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

/** Every output is an object by its schema, which start-up has made sure of. */
function structuredOf({ json }: PreparedOutput): Record<string, unknown> {
  return JSON.parse(typeof json === "string" ? json : decoder.decode(json));
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
  const runLimitMs = tool.hasRequestTimeout ? limitMs : remainingMs;
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
      : "The server is busy with other calls. Try again in a little while.",
  );
}

/** @throws {ToolError} When the arguments do not fit; those still in the body are checked where they are read. */
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
      "The AWS reference data is still loading (GET /ready tells). Try again in a little while.",
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
        ? `the platform's own limit came before request_timeout_s (${seconds} s)`
        : `the limit is ${seconds} s (request_timeout_s)`;
    return {
      outcome: "tool_error",
      kind: "request_timeout",
      text: `${name} ran out of time: ${limit}. Send fewer policies per call.`,
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
