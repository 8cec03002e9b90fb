import type { PolicyType } from "../../spec/policy.ts";
import type { AnalyzerFinding, AnalyzerResourceType } from "../../spec/tools/analyze-policy.ts";
import { type AnalysisRequest, analyzeDocument } from "../access-analyzer/analyze.ts";
import { learnMoreLink } from "../access-analyzer/codes.ts";
import { isBracketed } from "../json/text.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import { isRecord } from "../record.ts";
import type { ServiceData } from "../services/model.ts";
import { checkSize, type DocumentLimits } from "./document.ts";

/** One call of `analyze_policy` with engine `local`. Plain data. */
export interface AnalysisTask {
  /** The document's JSON or YAML text. */
  readonly text: string;
  readonly type: PolicyType;
  readonly resourceType: AnalyzerResourceType | null;
  readonly limits: DocumentLimits;
}

/**
 * The answer that ValidatePolicy would give, in its shape and order. Spans are places in the text of the
 * policy; for YAML, in its compact JSON.
 * @throws {ToolError} when the policy is too large.
 * @throws the signal's reason when it fires.
 */
export async function analyzeForAnswer(
  { text, type, resourceType, limits }: AnalysisTask,
  services: ServiceData,
  signal?: AbortSignal,
): Promise<AnalyzerFinding[]> {
  checkSize(Buffer.byteLength(text), limits);
  const findings = await analyzeDocument(
    await asJson(text),
    requestOf(type, resourceType),
    services,
    signal,
  );
  return findings.map((finding) => ({
    finding_type: finding.type,
    issue_code: finding.code,
    message: finding.details,
    learn_more_link: learnMoreLink(finding.code),
    locations: finding.locations.map(({ path, span }) => ({ path: [...path], span })),
  }));
}

/**
 * YAML is analysed as the compact JSON that AWS would get; a text that is neither stays as it is, and one
 * in brackets, which is meant to be JSON.
 */
async function asJson(text: string): Promise<PolicyDocument> {
  const document = await parseDocument(text);
  if (document.isJsonText || !isRecord(document.raw) || isBracketed(text)) return document;
  return parseDocument(JSON.stringify(document.raw));
}

/** The types of ours that AWS does not tell apart go as the type that it knows. */
function requestOf(type: PolicyType, given: AnalyzerResourceType | null): AnalysisRequest {
  const { policyType, validatePolicyResourceType } = policyTypeFacts[type].accessAnalyzer;
  const resourceType = given ?? validatePolicyResourceType ?? null;
  switch (policyType) {
    case "SERVICE_CONTROL_POLICY":
      return { type: "scp" };
    case "RESOURCE_CONTROL_POLICY":
      return { type: "rcp" };
    case "RESOURCE_POLICY":
      return resourceType === "AWS::IAM::AssumeRolePolicyDocument"
        ? { type: "trust" }
        : { type: "resource", resourceType };
    case "IDENTITY_POLICY":
      return { type: "identity" };
  }
}
