/**
 * What Access Analyzer answers, from bytes to the answer of `analyze_policy`. Plain data in, plain data
 * out: answers of more than a few KB are read and written in a worker, since both hold their thread.
 */
import { z } from "zod";
import { AnalyzerFinding, analyzePolicy as contract } from "../../spec/tools/analyze-policy.ts";
import { parseJson, tryParseJson } from "../json/parse.ts";
import { measureJson } from "../json/text.ts";
import { fitAnalyzeResult } from "../results/fit.ts";
import { type WrittenOutput, writeOutput } from "../results/prepared-output.ts";
import { unreadableAnswer } from "./errors.ts";

/** @see https://docs.aws.amazon.com/access-analyzer/latest/APIReference/API_ValidatePolicy.html */
const Answer = z.looseObject({
  findings: z.array(
    z.looseObject({
      findingType: AnalyzerFinding.shape.finding_type,
      issueCode: z.string(),
      findingDetails: z.string(),
      learnMoreLink: z.string(),
      locations: z.array(z.looseObject({})),
    }),
  ),
  // It becomes part of the address of the next request.
  nextToken: z.string().max(8_192).nullish(),
});

export interface ReadPageTask {
  /** The body of a response. */
  readonly body: Uint8Array;
  /** For the error. */
  readonly region: string;
}

export interface AnswerPage {
  /** JSON of a list of `AnalyzerFinding`, UTF-8. */
  readonly findings: Uint8Array<ArrayBuffer>;
  /** Null: there are no further pages. */
  readonly nextToken: string | null;
}

/** @throws {ToolError} If it is not a response of the API. */
export function readPage({ body, region }: ReadPageTask): AnswerPage {
  const text = new TextDecoder().decode(body);
  // Deeper ones could be read and not written again.
  const answer = Answer.safeParse(
    measureJson(text).tooDeepAt === -1 ? tryParseJson(text) : undefined,
  );
  if (!answer.success) throw unreadableAnswer(region);
  const findings = answer.data.findings.map(
    (finding): AnalyzerFinding => ({
      finding_type: finding.findingType,
      issue_code: finding.issueCode,
      message: finding.findingDetails,
      learn_more_link: finding.learnMoreLink,
      locations: finding.locations,
    }),
  );
  return {
    findings: new TextEncoder().encode(JSON.stringify(findings)),
    nextToken: answer.data.nextToken ?? null,
  };
}

export interface WritePagesTask {
  /** `findings` of the pages. */
  readonly pages: readonly Uint8Array[];
  /** Maximum bytes of the complete result. */
  readonly maxResultBytes: number;
}

/** Joins the pages and writes the answer, shortened to fit. */
export function writePages({ pages, maxResultBytes }: WritePagesTask): WrittenOutput {
  const findings = pages.flatMap(
    (page) => parseJson(new TextDecoder().decode(page)) as AnalyzerFinding[],
  );
  const output = fitAnalyzeResult({ findings, finding_count: findings.length }, maxResultBytes);
  return writeOutput(contract.output.parse(output));
}
