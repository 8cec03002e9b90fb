import type { z } from "zod";
import {
  type Finding,
  type FixFinding,
  fixFinding,
  type LeanFinding,
  leanFinding,
} from "../../spec/finding.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type {
  validatePolicies as contract,
  Detail,
  ValidationResult,
} from "../../spec/tools/validate-policies.ts";
import {
  type Batch,
  type BatchEntry,
  type BatchLimits,
  type BatchResult,
  type BatchWork,
  validateBatch,
} from "../engine/batch.ts";
import { inPlaceOrder } from "../engine/place-order.ts";
import { validatePolicy, validatePolicyLean } from "../engine/run.ts";
import { ToolError } from "../errors.ts";
import { renderReport } from "../reports/formats.ts";
import type { ReportInput, ReportPolicy } from "../reports/types.ts";
import { fitValidateResult, withoutFindings } from "../results/fit.ts";
import { shownSuppressed } from "../results/suppressed.ts";
import type { Runtime } from "../runtime.ts";
import { describeRegistry } from "./check-description.ts";
import { IssueBudget } from "./issue-budget.ts";
import { splitEntry } from "./policy-entry.ts";
import type { ToolResult } from "./tool.ts";

type Input = z.output<typeof contract.input>;
type Output = z.input<typeof contract.output>;

/** @returns what the wire shows of a validated policy. */
export function resultOf(result: BatchResult, detail: Detail): ValidationResult {
  const { findings } = result;
  switch (detail) {
    case "full":
      return wireResult(result, detail, [...findings]);
    case "fix":
      return wireResult(result, detail, findings.map(fixFinding));
    default:
      return wireResult(result, detail, findings.map(leanFinding));
  }
}

type Issues = Finding[] | FixFinding[] | LeanFinding[];

/** @param issues In the detail asked for. */
function wireResult(
  result: BatchResult<LeanFinding>,
  detail: Detail,
  issues: Issues,
): ValidationResult {
  return {
    name: result.name,
    is_valid: result.is_valid,
    fails_policy: !result.is_valid,
    severity_counts: result.severity_counts,
    policy_type: result.policy_type,
    policy_type_source: result.policy_type_source,
    issues: detail === "summary" ? null : issues,
    ...(result.suppressed.length > 0 && {
      suppressed: shownSuppressed(result.suppressed, detail === "full"),
    }),
    answers: [...result.answers],
    ...(result.fixed && {
      fixed_policy: result.fixed.policy,
      fixes_applied: result.fixed.counts,
    }),
    ...(result.unwrapped && { unwrapped: result.unwrapped }),
    summary: detail === "findings" || detail === "fix" ? null : result.summary,
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
  results: readonly (BatchResult & { readonly entry: number })[],
  entries: readonly BatchEntry[],
): ReportPolicy[] {
  // Of a template, the first result has the whole text.
  const fixed = new Map(
    results.flatMap((one) => (one.fixed?.policy ? [[one.entry, one.fixed.policy] as const] : [])),
  );
  return results.map((result) => {
    // The places of the findings are those of the fixed policy.
    const policy = fixed.get(result.entry) ?? entries[result.entry]?.policy;
    return {
      file: result.label,
      place: result.unwrapped?.label ?? null,
      result: {
        ...result,
        findings: inPlaceOrder(result.findings, policy),
        fails_policy: !result.is_valid,
      },
      text: typeof policy === "string" ? policy : null,
    };
  });
}

/** What validation needs of a runtime. */
export interface ValidationRuntime
  extends Pick<Runtime, "version" | "config" | "digest" | "registry" | "engine" | "services"> {
  readonly settings: BatchLimits;
}

/** @returns all that a report of these policies is made of. */
export function reportInput(
  policies: readonly ReportPolicy[],
  runtime: ValidationRuntime,
): ReportInput {
  return {
    policies,
    rules: describeRegistry(runtime.registry, runtime.config),
    version: runtime.version,
    config_digest: runtime.digest,
    dataDate: runtime.services.date,
    generatedAt: new Date(),
  };
}

interface ValidationContext {
  readonly runtime: ValidationRuntime;
  readonly maxResultBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs `validate_policies` with checked arguments, on the main thread or in a worker.
 * @returns The output, which `shrink` can reduce to `maxResultBytes`, and the counts before that.
 * @throws {ToolError} For no policies or too many, an invalid entry, a size over its limit, an unknown type.
 */
export async function runValidation(
  input: Input,
  context: ValidationContext,
): Promise<ToolResult<Output>> {
  const { runtime, maxResultBytes } = context;
  const { settings, digest } = runtime;
  if (input.policies.length > settings.max_policies) {
    throw new ToolError(
      "too_many_policies",
      `The call has ${input.policies.length} policies; the limit is ${settings.max_policies} (max_policies). Send them in several calls.`,
    );
  }
  const entries = input.policies.map(splitEntry);
  if (entries.length === 0) throw new ToolError("no_policies", "at least one policy is required.");
  const batch = {
    entries,
    typeWord: input.policy_type,
    fix: input.fix ?? [],
    showsFixes: input.detail !== "summary" || input.format !== "json",
  };
  const validated =
    input.format === "json"
      ? await validateForJson(batch, input.detail, context)
      : await validateForReport(batch, input.detail, input.format, context);
  const { results, truncated, report } = validated;
  const output = {
    results,
    config_digest: digest,
    truncated,
    truncated_count: 0,
    ...(report === undefined ? {} : { report }),
  };
  return {
    output,
    shrink: () => fitValidateResult(output, maxResultBytes),
    severity_counts: sum(results.map(({ severity_counts }) => severity_counts)),
  };
}

interface Validated {
  readonly results: ValidationResult[];
  readonly truncated: boolean;
  readonly report?: string;
}

async function validateForJson(
  batch: Batch,
  detail: Detail,
  { runtime, maxResultBytes, signal }: ValidationContext,
): Promise<Validated> {
  const { settings, engine } = runtime;
  const budget = new IssueBudget(maxResultBytes);
  let fits = true;
  const run = <Shown extends LeanFinding>(
    validate: BatchWork<Shown, ValidationResult>["validate"],
    issuesOf: (findings: readonly Shown[]) => Issues,
  ) =>
    validateBatch(batch, settings, engine, {
      validate,
      keep(result) {
        fits &&= detail === "summary" || budget.spend(result.findings);
        return wireResult(result, detail, fits ? issuesOf(result.findings) : []);
      },
      signal,
    });
  const validate = () => {
    if (detail === "full") return run(validatePolicy, (findings) => [...findings]);
    if (detail === "fix") return run(validatePolicy, (findings) => findings.map(fixFinding));
    return engine.exceptions.isActive
      ? run(validatePolicy, (findings) => findings.map(leanFinding))
      : run(validatePolicyLean, (findings) => [...findings]);
  };
  const results = await validate();
  if (fits) return { results, truncated: false };
  // The findings cannot fit, so return what shortening would leave.
  return { results: results.map(withoutFindings), truncated: true };
}

/** The result with the index of its entry: a template has several results. */
const numbered = (result: BatchResult, entry: number) => ({ ...result, entry });

async function validateForReport(
  batch: Batch,
  detail: Detail,
  format: Exclude<Input["format"], "json">,
  { runtime, signal }: ValidationContext,
): Promise<Validated> {
  const work = { validate: validatePolicy, keep: numbered, signal };
  const validated = await validateBatch(batch, runtime.settings, runtime.engine, work);
  const policies = reportPolicies(validated, batch.entries);
  return {
    results: validated.map((result) => resultOf(result, detail)),
    truncated: false,
    report: await renderReport(format, reportInput(policies, runtime)),
  };
}
