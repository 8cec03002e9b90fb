import { analyzePolicy as contract } from "../../spec/tools/analyze-policy.ts";
import { fitAnalyzeResult } from "../results/fit.ts";
import { type WrittenOutput, writeOutput } from "../results/prepared-output.ts";
import type { ServiceData } from "../services/model.ts";
import { type AnalysisTask, analyzeForAnswer } from "./local-answer.ts";

/** A local analysis whose answer must fit. Plain data. */
export interface WriteAnalysisTask extends AnalysisTask {
  /** Maximum bytes of the complete result. */
  readonly maxResultBytes: number;
}

/**
 * Analyses one policy and writes the answer, shortened to fit.
 * @throws {ToolError} when the policy is too large.
 * @throws the signal's reason when it fires.
 */
export async function writeAnalysis(
  { maxResultBytes, ...task }: WriteAnalysisTask,
  services: ServiceData,
  signal?: AbortSignal,
): Promise<WrittenOutput> {
  const findings = await analyzeForAnswer(task, services, signal);
  const output = fitAnalyzeResult({ findings, finding_count: findings.length }, maxResultBytes);
  return writeOutput(contract.output.parse(output));
}
