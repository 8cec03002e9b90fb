import type { z } from "zod";
import { type Finding, leanFinding } from "../../spec/finding.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type {
  validatePolicies as contract,
  Detail,
  ValidationResult,
} from "../../spec/tools/validate-policies.ts";
import { type BatchEntry, type BatchResult, validateBatch } from "../engine/batch.ts";
import { ToolError } from "../errors.ts";
import { fitValidateResult } from "../mcp/fit.ts";
import { type ReportInput, type ReportPolicy, renderReport } from "../reports/report.ts";
import type { Runtime } from "../runtime.ts";
import { describeRegistry } from "./check-description.ts";
import { splitEntry } from "./policy-entry.ts";
import type { ToolResult } from "./tool.ts";

type Input = z.output<typeof contract.input>;
type Output = z.input<typeof contract.output>;

function issuesOf(findings: readonly Finding[], detail: Detail): ValidationResult["issues"] {
  if (detail === "summary") return null;
  return detail === "full" ? [...findings] : findings.map(leanFinding);
}

/** @returns what the wire shows of a judged policy. */
export function resultOf(result: BatchResult, detail: Detail): ValidationResult {
  return {
    name: result.name,
    is_valid: result.is_valid,
    fails_policy: !result.is_valid,
    severity_counts: result.severity_counts,
    policy_type: result.policy_type,
    policy_type_source: result.policy_type_source,
    issues: issuesOf(result.findings, detail),
    summary: detail === "findings" ? null : result.summary,
  };
}

/** @returns findings by severity over all policies of a call. */
export function sum(all: readonly SeverityCounts[]): SeverityCounts {
  const total: SeverityCounts = {};
  for (const counts of all) {
    for (const [severity, count] of Object.entries(counts) as [keyof SeverityCounts, number][]) {
      total[severity] = (total[severity] ?? 0) + count;
    }
  }
  return total;
}

function reportPolicies(
  results: readonly BatchResult[],
  entries: readonly BatchEntry[],
): ReportPolicy[] {
  return results.map((result, index) => {
    const policy = entries[index]?.policy;
    return {
      file: result.label,
      result: { ...result, fails_policy: !result.is_valid },
      text: typeof policy === "string" ? policy : null,
    };
  });
}

/** @returns all that a report of these policies is made of. */
export function reportInput(policies: readonly ReportPolicy[], runtime: Runtime): ReportInput {
  return {
    policies,
    rules: describeRegistry(runtime.registry, runtime.config),
    version: runtime.version,
    config_digest: runtime.digest,
    dataDate: runtime.services.date,
    generatedAt: new Date(),
  };
}

/**
 * All of `validate_policies` after its arguments have been checked; the same on the main thread and
 * in a worker.
 * @returns an output within `maxResultBytes`, and the counts before anything was cut.
 * @throws {ToolError} T3 to T5, T7, T9, T11.
 */
export async function judgePolicies(
  input: Input,
  {
    runtime,
    maxResultBytes,
    signal,
  }: { readonly runtime: Runtime; readonly maxResultBytes: number; readonly signal?: AbortSignal },
): Promise<ToolResult<Output>> {
  const { settings, digest, engine } = runtime;
  if (input.policies.length > settings.max_policies) {
    throw new ToolError(
      "too_many_policies",
      `The call has ${input.policies.length} policies; the limit is ${settings.max_policies} (max_policies). Send them in several calls.`,
    );
  }
  const entries = input.policies.map(splitEntry);
  if (entries.length === 0) throw new ToolError("no_policies", "at least one policy is required.");
  const batch = { entries, typeWord: input.policy_type };
  const results = await validateBatch(batch, settings, engine, signal);
  const output = {
    results: results.map((result) => resultOf(result, input.detail)),
    config_digest: digest,
    truncated: false,
    truncated_count: 0,
    ...(input.format === "json"
      ? {}
      : {
          report: await renderReport(
            input.format,
            reportInput(reportPolicies(results, entries), runtime),
          ),
        }),
  };
  return {
    output: fitValidateResult(output, maxResultBytes),
    severity_counts: sum(results.map(({ severity_counts }) => severity_counts)),
  };
}
