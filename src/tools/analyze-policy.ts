import type { z } from "zod";
import type { Settings } from "../../spec/settings.ts";
import { analyzePolicy as contract } from "../../spec/tools/analyze-policy.ts";
import { ambientRegion } from "../analyze/ambient-region.ts";
import { type ReadPageTask, readPage, writePages } from "../analyze/aws-answer.ts";
import { type Clients, createClients } from "../analyze/client.ts";
import { type DocumentLimits, documentToSend } from "../analyze/document.ts";
import { createRateLimiter, type RateLimiter } from "../analyze/rate-limiter.ts";
import { chooseRegion, partitionOf } from "../analyze/regions.ts";
import { validatePolicy } from "../analyze/validate-policy.ts";
import { Stopped, withDeadline } from "../deadline.ts";
import { ToolError } from "../errors.ts";
import { memo } from "../memo.ts";
import type { Runtime } from "../runtime.ts";
import { Yielder } from "../yielder.ts";
import { analyzeLocally, answerOf, overRate, subjectOf } from "./analyze-locally.ts";
import { isCostlyText } from "./costly-calls.ts";
import { implement, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** Longer responses of AWS, in bytes, are read and written in a worker: 200 KB held the event loop for up to 58 ms. */
const inlineAnswer = 16 * 1024;

export interface AnalyzeDependencies {
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  readonly createClients: typeof createClients;
}

/** State of the process: the rate limiter, the AWS clients, and its region. */
export interface Analyzer {
  readonly limiter: RateLimiter;
  readonly clients: Clients;
  /** Regions allowed if `allowed_regions` is not set. Absent: only the ambient region. Empty: every region. */
  readonly allowedByDefault?: readonly string[];
  ambient(): Promise<string | undefined>;
}

interface HostedAnalyzer extends Analyzer {
  /** Of calls with engine local. */
  readonly localLimiter: RateLimiter;
}

function createHostedAnalyzer(runtime: Runtime, dependencies: AnalyzeDependencies): HostedAnalyzer {
  const { analyze_local_rate_limit } = runtime.settings;
  return {
    ...createAnalyzer(runtime, dependencies),
    localLimiter: createRateLimiter(analyze_local_rate_limit, dependencies.now),
  };
}

/** Creates the tool with the given clock and clients. */
export function createAnalyzePolicy(dependencies: AnalyzeDependencies): Tool<typeof contract> {
  const analyzerOf = memo((runtime: Runtime) => createHostedAnalyzer(runtime, dependencies));
  return implement(
    contract,
    (input, context) => {
      const analyzer = analyzerOf(context.runtime);
      if (input.engine === "local") return analyzeLocally(input, context, analyzer.localLimiter);
      return analyze(input, context, analyzer);
    },
    { policyCount: () => 1 },
  );
}

/** Calls Access Analyzer with the clients, region and rate limit of `analyzer`. */
export async function analyze(
  input: z.output<typeof contract.input>,
  { runtime, signal, maxResultBytes, turnKey, leaveMainThread }: ToolContext,
  analyzer: Analyzer,
): Promise<ToolResult<z.input<typeof contract.output>>> {
  const { settings } = runtime;
  const partition = input.partition === undefined ? undefined : partitionOf(input.partition);
  const { type, resourceType } = subjectOf(input);
  // All that is left is waiting, for a thread and for AWS, and writing the document.
  leaveMainThread();
  if (typeof input.policy === "object") await new Yielder(signal).yieldNow();
  const document =
    typeof input.policy === "string" && isCostlyText(input.policy)
      ? await runtime.pool.readDocument(
          { text: input.policy, limits: boundsOf(settings) },
          { caller: turnKey, signal, bytes: Buffer.byteLength(input.policy) },
        )
      : await documentToSend(input.policy, settings);
  const region = chooseRegion({
    partition,
    region: input.region ?? null,
    allowed: settings.allowed_regions ?? analyzer.allowedByDefault,
    ambient: await analyzer.ambient(),
  });
  if (!analyzer.limiter.take()) throw overRate(settings.analyze_rate_limit, "analyze_policy");
  const { pool } = runtime;
  const pages = await withTimeoutSeconds(
    { asked: input.timeout_seconds, cap: settings.request_timeout_s },
    signal,
    (bounded) => {
      const work = { caller: turnKey, signal: bounded };
      const read = async (task: ReadPageTask) =>
        task.body.length > inlineAnswer ? pool.readAnswerPage(task, work) : readPage(task);
      const request = { document, type, region, resourceType };
      return validatePolicy(analyzer.clients, request, { read, signal: bounded });
    },
  );
  const bytes = pages.reduce((sum, page) => sum + page.length, 0);
  const task = { pages, maxResultBytes };
  const inWorker = () => pool.writeAnswerPages(task, { caller: turnKey, signal });
  return answerOf(bytes > inlineAnswer ? await inWorker() : writePages(task));
}

export const analyzePolicy = createAnalyzePolicy({ now: () => performance.now(), createClients });

function createAnalyzer(
  { settings, version, log }: Runtime,
  { now, createClients }: AnalyzeDependencies,
): Analyzer {
  const { allowed_regions, analyze_rate_limit } = settings;
  const find = async () => {
    const region = await ambientRegion();
    if (region === undefined && allowed_regions === undefined) {
      log.warn(
        "analyze_policy: allowed_regions is not set and this server's own region is unknown; only the default region of each partition is allowed",
      );
    }
    return region;
  };
  let ambient: Promise<string | undefined> | undefined;
  return {
    limiter: createRateLimiter(analyze_rate_limit, now),
    clients: createClients({
      version,
      maxConnections: settings.http_max_connections,
      maxIdleConnections: settings.http_max_keepalive_connections,
    }),
    ambient() {
      ambient ??= find();
      return ambient;
    },
  };
}

function boundsOf({ max_policy_bytes, max_request_bytes }: Settings): DocumentLimits {
  return { max_policy_bytes, max_request_bytes };
}

/**
 * Ends the work after the seconds that the caller gave. If these are more than the operator's limit
 * (`cap`), the deadline of the call, on which `signal` fires, ends it first.
 * @throws {ToolError} After that time.
 */
async function withTimeoutSeconds<Result>(
  { asked, cap }: { readonly asked: number; readonly cap: number },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (asked > cap) return work(signal);
  try {
    return await withDeadline(work, signal, asked * 1_000);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Stopped) || error.reason !== "deadline") throw error;
    throw new ToolError(
      "cloud_timeout",
      `Access Analyzer timed out: no answer within ${asked} seconds (timeout_seconds).`,
    );
  }
}
