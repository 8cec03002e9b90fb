import { z } from "zod";
import type { PolicyType } from "../../spec/policy.ts";
import { AnalyzerFinding, type AnalyzerResourceType } from "../../spec/tools/analyze-policy.ts";
import { untilAborted } from "../deadline.ts";
import { ToolError } from "../errors.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import type { Clients } from "./client.ts";
import { analyzerError, unreadableAnswer } from "./errors.ts";

/** Maximum number of pages, far more than AWS sends; ends an endless list. */
const maxPages = 100;

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
  nextToken: z.string().nullish(),
});

export interface ValidateRequest {
  /** JSON text of the policy. */
  readonly document: string;
  readonly type: PolicyType;
  readonly region: string;
  /** Of a resource policy; null: not given. */
  readonly resourceType: AnalyzerResourceType | null;
}

/**
 * Gets all findings of Access Analyzer for one policy.
 * @throws {ToolError} If AWS cannot be called, refuses the call, or returns an unexpected response. The signal's reason when it fires.
 */
export async function validatePolicy(
  clients: Clients,
  { document, type, region, resourceType }: ValidateRequest,
  signal: AbortSignal,
): Promise<AnalyzerFinding[]> {
  const { sdk, client } = await clients.get(region);
  const findings: AnalyzerFinding[] = [];
  const seen = new Set<string>();
  let nextToken: string | undefined;
  do {
    const command = new sdk.ValidatePolicyCommand({
      policyDocument: document,
      ...policyTypeFacts[type].accessAnalyzer,
      ...(resourceType === null ? {} : { validatePolicyResourceType: resourceType }),
      ...(nextToken === undefined ? {} : { nextToken }),
    });
    const page = await answered(client.send(command, { abortSignal: signal }), region, signal);
    for (const finding of page.findings) findings.push(findingOf(finding));
    nextToken = page.nextToken ?? undefined;
    if (nextToken !== undefined && (seen.has(nextToken) || seen.size >= maxPages - 1)) {
      throw new ToolError(
        "cloud_api_error",
        `Access Analyzer in ${region} returned more than ${seen.size} pages of findings.`,
      );
    }
    if (nextToken !== undefined) seen.add(nextToken);
  } while (nextToken !== undefined);
  return findings;
}

async function answered(call: Promise<object>, region: string, signal: AbortSignal) {
  let output: object;
  try {
    // The SDK ignores the signal while it fetches credentials.
    output = await untilAborted(call, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw analyzerError(error, region);
  }
  const answer = Answer.safeParse(output);
  if (!answer.success) throw unreadableAnswer(region);
  return answer.data;
}

function findingOf(finding: z.infer<typeof Answer>["findings"][number]): AnalyzerFinding {
  return {
    finding_type: finding.findingType,
    issue_code: finding.issueCode,
    message: finding.findingDetails,
    learn_more_link: finding.learnMoreLink,
    locations: finding.locations,
  };
}
