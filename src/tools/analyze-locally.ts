import type { z } from "zod";
import { type PolicyType, policyTypeOf, policyTypeWords } from "../../spec/policy.ts";
import {
  type AnalyzerResourceType,
  analyzePolicy as contract,
} from "../../spec/tools/analyze-policy.ts";
import { jsonOf } from "../analyze/document.ts";
import type { RateLimiter } from "../analyze/rate-limiter.ts";
import { quoted } from "../analyze/regions.ts";
import { writeAnalysis } from "../analyze/write-analysis.ts";
import { ToolError } from "../errors.ts";
import { type PreparedOutput, parsedOutput } from "../results/prepared-output.ts";
import { Yielder } from "../yielder.ts";
import { isCostlyText } from "./costly-calls.ts";
import type { ToolContext, ToolResult } from "./tool.ts";

type Input = z.output<typeof contract.input>;

/** `analyze_policy` with engine `local`: no credentials, no Region, no quota of AWS. */
export async function analyzeLocally(
  input: Input,
  { runtime, signal, maxResultBytes, turnKey, leaveMainThread }: ToolContext,
  limiter: RateLimiter,
): Promise<ToolResult<z.input<typeof contract.output>>> {
  const { settings, services, pool } = runtime;
  const subject = subjectOf(input);
  if (!limiter.take()) {
    throw overRate(settings.analyze_local_rate_limit, "analyze_policy with engine local");
  }
  const { policy } = input;
  // Reading an object of 10,000 members took 5 ms of this turn; writing it takes as long.
  if (typeof policy === "object") await new Yielder(signal).yieldNow();
  const text = typeof policy === "string" ? policy : jsonOf(policy);
  const { max_policy_bytes, max_request_bytes } = settings;
  const limits = { max_policy_bytes, max_request_bytes };
  const task = { ...subject, text, limits, maxResultBytes };
  const isCostly = isCostlyText(text);
  if (isCostly) leaveMainThread();
  const prepared = isCostly
    ? await pool.analyze(task, { caller: turnKey, signal, bytes: Buffer.byteLength(text) })
    : await writeAnalysis(task, services, signal);
  return answerOf(prepared);
}

/** The result of a call whose answer is written. */
export function answerOf(prepared: PreparedOutput): ToolResult<z.input<typeof contract.output>> {
  return {
    get output(): z.input<typeof contract.output> {
      return contract.output.parse(parsedOutput(prepared));
    },
    prepared,
  };
}

/**
 * The policy type of a call, and the resource type where one was given.
 * @throws {ToolError} for an unknown type, or a resource type beside a type that is not a resource policy.
 */
export function subjectOf({ policy_type, resource_type }: Input): {
  type: PolicyType;
  resourceType: AnalyzerResourceType | null;
} {
  const type = policyTypeOf(policy_type);
  if (!type) {
    throw new ToolError(
      "unknown_policy_type",
      `Invalid policy_type ${quoted(policy_type)}; use one of ${policyTypeWords.join(", ")}.`,
    );
  }
  const resourceType = resource_type ?? null;
  if (resourceType !== null && type !== "RESOURCE_POLICY") {
    throw new ToolError(
      "invalid_arguments",
      "resource_type goes with policy_type RESOURCE_POLICY only.",
    );
  }
  return { type, resourceType };
}

/** @param what The calls that the limit counts. */
export function overRate(limit: number, what: string): ToolError {
  return new ToolError(
    "rate_limited",
    `Over the rate limit of ${what}: ${limit} per minute, counted per process of this server. Wait a minute, then try again.`,
  );
}
