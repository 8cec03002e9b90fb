import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Flags } from "../../src/settings.ts";
import {
  type Answer,
  accessAnalyzer,
  awsFinding,
  found,
  noAnswer,
  refusedByAws,
  stubAwsEnvironment,
} from "../support/access-analyzer.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call, type Era, eras, readOnly, toolError } from "../support/rpc.ts";
import { auditRecords } from "../support/target.ts";

const canary = "CanaryAnalyzeText";
const policy = { ...readOnly, Id: canary };
const bytes = Buffer.byteLength(JSON.stringify(policy));

const aws = accessAnalyzer();
beforeAll(() => aws.server.listen({ onUnhandledFrame: "error" }));
afterAll(() => aws.server.close());
beforeEach(stubAwsEnvironment);
afterEach(() => {
  aws.reset();
  vi.unstubAllEnvs();
});

/** Runs a test against a separate server: its rate limit starts afresh. */
async function withServer(flags: Flags, use: (target: InProcess) => Promise<void>) {
  const target = await startInProcess({ flags: { log_level: "debug", ...flags } });
  try {
    await use(target);
    for (const lines of [target.audit, target.log]) expect(lines.text).not.toContain(canary);
  } finally {
    await target.stop();
  }
}

/** One call, and the audit record it left. */
async function analyze(target: InProcess, args: object, era: Era = "2025") {
  target.audit.all.length = 0;
  const { status, body } = await call(target, "analyze_policy", args, { era });
  expect(status).toBe(200);
  const records = auditRecords(target.audit.all);
  expect(records).toMatchObject([{ tool: "analyze_policy", policy_count: 1, severity_counts: {} }]);
  const { result = {} } = body;
  return { result, outcome: records[0]?.outcome };
}

interface Refusal {
  readonly flags?: Flags;
  readonly args?: object;
  readonly answer?: Answer;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly text: RegExp;
}

const noCredentials = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };

const refusals: Record<string, Refusal> = {
  "one policy too large": {
    flags: { max_policy_bytes: String(bytes - 1) },
    text: /max_policy_bytes/,
  },
  "the body over the limit, its arguments never looked at": {
    flags: { max_request_bytes: String(bytes - 1) },
    text: /max_request_bytes/,
  },
  "the operator's time ran out": {
    flags: { request_timeout_s: "1" },
    answer: noAnswer,
    text: /request_timeout_s/,
  },
  "unknown partition": { args: { partition: "azure" }, text: /Unsupported partition.*aws-cn/ },
  "region not allowed": { args: { region: "us-east-1" }, text: /us-east-1.*eu-west-1/ },
  "unknown policy type": { args: { policy_type: "role" }, text: /Invalid policy_type.*rcp/ },
  "no credentials": { environment: noCredentials, text: /no AWS credentials/ },
  "AWS refused": {
    answer: refusedByAws(403, "AccessDeniedException", "Not authorized"),
    text: /AccessDeniedException: Not authorized/,
  },
  "no connection": {
    environment: { AWS_ENDPOINT_URL_ACCESSANALYZER: "http://127.0.0.1:1" },
    text: /could not be reached \(ECONNREFUSED\)/,
  },
  "the caller's time ran out": {
    args: { timeout_seconds: 0.05 },
    answer: noAnswer,
    text: /timed out.*0\.05 seconds/,
  },
  "no such argument": { args: { profile: "admin" }, text: /profile/ },
  "no time at all": { args: { timeout_seconds: 0 }, text: /timeout_seconds/ },
  "text that is not a policy": { args: { policy: "[" }, text: /not a policy document/ },
};

describe.each(eras)("a tool error and one record (%s)", (era) => {
  test.each(Object.entries(refusals))("%s", async (_, row) => {
    const { flags = {}, args = {}, answer = found(), environment = {}, text } = row;
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    aws.answer(answer);
    await withServer(flags, async (target) => {
      const { result, outcome } = await analyze(target, { policy, ...args }, era);
      expect(result).toMatchObject(toolError(expect.stringMatching(text)));
      expect(result).not.toHaveProperty("structuredContent");
      expect(outcome).toBe("tool_error");
    });
  });

  test("one call more than the rate limit", async () => {
    aws.answer(found());
    await withServer({ analyze_rate_limit: "1" }, async (target) => {
      expect(await analyze(target, { policy }, era)).toMatchObject({ outcome: "success" });
      const { result, outcome } = await analyze(target, { policy }, era);
      expect(result).toMatchObject(toolError(expect.stringMatching(/rate limit.*1 per minute/)));
      expect(outcome).toBe("tool_error");
      expect(aws.sent).toHaveLength(1);
    });
  });
});

describe.each(eras)("findings (%s)", (era) => {
  test("come as structured content and as the same JSON in text", async () => {
    aws.answer(found(awsFinding("PASS_ROLE_WITH_STAR_IN_RESOURCE", canary)));
    await withServer({}, async (target) => {
      const { result, outcome } = await analyze(target, { policy, policy_type: "scp" }, era);
      expect(outcome).toBe("success");
      const [content] = result.content as { type: string; text: string }[];
      expect(content?.type).toBe("text");
      expect(JSON.parse(content?.text ?? "")).toEqual(result.structuredContent);
      expect(result).toMatchObject({
        isError: false,
        structuredContent: {
          findings: [{ issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE", message: canary }],
          finding_count: 1,
        },
      });
      expect(result.structuredContent).not.toHaveProperty("truncated");
    });
  });

  test("a policy of exactly max_policy_bytes is analysed", async () => {
    aws.answer(found());
    await withServer({ max_policy_bytes: String(bytes) }, async (target) => {
      expect(await analyze(target, { policy }, era)).toMatchObject({ outcome: "success" });
    });
  });

  test("past max_response_bytes locations go, then findings; it is still a success", async () => {
    aws.answer(found(...Array.from({ length: 50 }, (_, index) => awsFinding(`CODE_${index}`))));
    await withServer({ max_response_bytes: "5000" }, async (target) => {
      const { result, outcome } = await analyze(target, { policy }, era);
      expect(outcome).toBe("success");
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(5_300);
      const { findings, truncated, truncated_count } = result.structuredContent as {
        findings: object[];
        truncated: boolean;
        truncated_count: number;
      };
      expect(truncated).toBe(true);
      expect(findings.length + truncated_count).toBe(50);
      for (const finding of findings) expect(finding).not.toHaveProperty("locations");
    });
  });
});

test("a caller who goes away ends the call at AWS and is audited as cancelled", async () => {
  const caller = new AbortController();
  await withServer({}, async (target) => {
    aws.answer(() => {
      caller.abort();
      return noAnswer();
    });
    const { signal } = caller;
    await expect(call(target, "analyze_policy", { policy }, { signal })).rejects.toThrow();
    await expect
      .poll(() => auditRecords(target.audit.all))
      .toMatchObject([{ outcome: "cancelled", policy_count: 1 }]);
  });
});
