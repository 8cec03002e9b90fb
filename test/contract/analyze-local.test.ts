import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzePolicy } from "../../spec/tools/analyze-policy.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { callOf } from "../support/validate.ts";

let target: InProcess;
let limited: InProcess;
beforeAll(async () => {
  target = await startInProcess();
  limited = await startInProcess({ flags: { analyze_local_rate_limit: "1" } });
});
afterAll(async () => {
  await target.stop();
  await limited.stop();
});

const passRole = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: ["iam:PassRole", "iam:PasRole"], Resource: "*" }],
};

async function analysed(args: object, server = target) {
  const call = await callOf(server, "analyze_policy", { engine: "local", ...args });
  if (call.error) return { error: call.error, record: call.record, codes: [] as string[] };
  const output = analyzePolicy.output.parse(call.result.structuredContent);
  return {
    error: "",
    record: call.record,
    output,
    codes: output.findings.map((one) => one.issue_code),
  };
}

describe("analyze_policy with engine local", () => {
  test("needs no credentials and answers in AWS's shape and order", async () => {
    const { output, record } = await analysed({ policy: JSON.stringify(passRole) });
    expect(output).toEqual({
      finding_count: 2,
      findings: [
        {
          finding_type: "SECURITY_WARNING",
          issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE",
          message: expect.stringContaining("`iam:PassRole`"),
          learn_more_link: expect.stringMatching(
            /#.*security-warning-pass-role-with-star-in-resource$/,
          ),
          locations: [
            {
              path: [{ value: "Statement" }, { index: 0 }, { value: "Action" }, { index: 0 }],
              span: {
                start: { line: 1, column: 65, offset: 65 },
                end: { line: 1, column: 79, offset: 79 },
              },
            },
            {
              path: [{ value: "Statement" }, { index: 0 }, { value: "Resource" }],
              span: expect.any(Object),
            },
          ],
        },
        expect.objectContaining({ finding_type: "ERROR", issue_code: "INVALID_ACTION" }),
      ],
    });
    expect(record).toMatchObject({ tool: "analyze_policy", outcome: "success", policy_count: 1 });
  });

  test.each([
    ["identity", "MISSING_PRINCIPAL", false],
    ["boundary", "MISSING_PRINCIPAL", false],
    ["session", "MISSING_PRINCIPAL", false],
    ["resource", "MISSING_PRINCIPAL", true],
    ["endpoint", "MISSING_PRINCIPAL", true],
    ["trust", "ROLE_TRUST_POLICY_SYNTAX_ERROR_RESOURCE", true],
    ["scp", "PASS_ROLE_WITH_STAR_IN_RESOURCE", false],
    ["rcp", "RCP_SYNTAX_ERROR_ACTION", true],
  ])("as %s, %s is reported: %s", async (policy_type, code, expected) => {
    const { codes } = await analysed({ policy: passRole, policy_type });
    expect(codes.includes(code)).toBe(expected);
  });

  test("takes the resource type of a resource policy, and of no other", async () => {
    const policy = {
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: "*", Action: "kms:Decrypt", Resource: "*" }],
    };
    const resource_type = "AWS::S3::Bucket";
    const { codes } = await analysed({ policy, policy_type: "resource", resource_type });
    expect(codes).toEqual(["UNSUPPORTED_ACTION_IN_POLICY", "UNSUPPORTED_RESOURCE_ARN_IN_POLICY"]);
    const { error } = await analysed({ policy, policy_type: "identity", resource_type });
    expect(error).toMatch(/resource_type goes with policy_type RESOURCE_POLICY/);
  });

  test("a text that is not JSON has one finding", async () => {
    const { output } = await analysed({ policy: '{"Version":' });
    expect(output?.findings.map((one) => one.issue_code)).toEqual(["JSON_SYNTAX_ERROR"]);
    expect(output?.findings[0]?.locations).toEqual([{ path: [], span: expect.any(Object) }]);
  });

  test("is the same for a document that goes to a worker", async () => {
    const many = Array.from({ length: 200 }, (_, index) => `arn:aws:s3:::bucket-${index}`);
    const policy = {
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Action: "s3:ListBucket", Resource: [...many, "arn:aws:s3:::*"] },
      ],
    };
    const { output } = await analysed({ policy });
    expect(output?.findings[0]?.issue_code).toBe("REDUNDANT_RESOURCE");
    expect(output?.findings[0]?.locations).toHaveLength(201);
  });

  test("has its own rate limit, off by default", async () => {
    expect((await analysed({ policy: passRole }, limited)).error).toBe("");
    const { error, record } = await analysed({ policy: passRole }, limited);
    expect(error).toMatch(/rate limit of analyze_policy with engine local: 1 per minute/);
    expect(record?.outcome).toBe("tool_error");
  });
});
