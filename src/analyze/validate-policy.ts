import type { PolicyType } from "../../spec/policy.ts";
import type { AnalyzerResourceType } from "../../spec/tools/analyze-policy.ts";
import { untilAborted } from "../deadline.ts";
import { ToolError } from "../errors.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import type { AnswerPage, ReadPageTask } from "./aws-answer.ts";
import type { Clients } from "./client.ts";
import { analyzerError } from "./errors.ts";
import { takeBody } from "./take-body.ts";

/** Maximum number of pages, far more than AWS sends; ends an endless list. */
const maxPages = 100;
/** Most bytes of all pages together: they are in memory until the answer is written. */
const maxBytes = 16 * 1_048_576;

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
 * @param read Reads one page; large ones in another thread.
 * @returns the findings of each page as JSON, UTF-8.
 * @throws {ToolError} If AWS cannot be called, refuses the call, or returns an unexpected response. The signal's reason when it fires.
 */
export async function validatePolicy(
  clients: Clients,
  { document, type, region, resourceType }: ValidateRequest,
  { read, signal }: { read(task: ReadPageTask): Promise<AnswerPage>; signal: AbortSignal },
): Promise<AnswerPage["findings"][]> {
  const { sdk, client } = await clients.get(region);
  const pages: AnswerPage["findings"][] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let token: string | null = null;
  do {
    const command: InstanceType<typeof sdk.ValidatePolicyCommand> = new sdk.ValidatePolicyCommand({
      policyDocument: document,
      ...policyTypeFacts[type].accessAnalyzer,
      ...(resourceType === null ? {} : { validatePolicyResourceType: resourceType }),
      ...(token === null ? {} : { nextToken: token }),
    });
    const body = takeBody(command.middlewareStack, region);
    await answered(client.send(command, { abortSignal: signal }), region, signal);
    const page: AnswerPage = await read({ body: body(), region });
    pages.push(page.findings);
    bytes += page.findings.length;
    token = page.nextToken;
    if (bytes > maxBytes) {
      throw tooMuch(region, `${maxBytes / 1_048_576} MiB of findings`);
    }
    if (token !== null && (seen.has(token) || seen.size >= maxPages - 1)) {
      throw tooMuch(region, `${seen.size} pages of findings`);
    }
    if (token !== null) seen.add(token);
  } while (token !== null);
  return pages;
}

function tooMuch(region: string, what: string): ToolError {
  return new ToolError(
    "cloud_api_error",
    `Access Analyzer in ${region} returned more than ${what}.`,
  );
}

async function answered(call: Promise<object>, region: string, signal: AbortSignal): Promise<void> {
  try {
    // The SDK ignores the signal while it fetches credentials.
    await untilAborted(call, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ToolError ? error : analyzerError(error, region);
  }
}
