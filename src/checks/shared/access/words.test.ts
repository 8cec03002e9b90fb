import { describe, expect, test } from "vitest";
import { runCheck } from "../../../../test/support/run-check.ts";
import { embeddedServices } from "../../../services/embedded.ts";
import { noPublicAccess } from "../../no-public-access.ts";
import { exampleOf } from "./words.ts";

const services = embeddedServices();

test("an example leaves out a resource of the account of its caller", async () => {
  const statement = {
    Effect: "Allow",
    Principal: { AWS: "*" },
    Action: "sts:AssumeRole",
    Condition: { StringLike: { "aws:PrincipalAccount": "1111*" } },
  };
  const [finding] = await runCheck(noPublicAccess, { statement, type: "TRUST_POLICY" }, services);
  expect(finding?.message).toMatch(
    /`arn:aws:iam::1111\d{8}:role\/.*may call `sts:AssumeRole` with/,
  );
});

test("the keys of an example are those of its caller", async () => {
  const statement = {
    Effect: "Allow",
    Principal: { AWS: "*" },
    Action: "events:PutRule",
    Resource: "*",
    Condition: { StringEqualsIfExists: { "events:creatorAccount": "${aws:PrincipalAccount}" } },
  };
  const [finding] = await runCheck(
    noPublicAccess,
    { statement, type: "RESOURCE_POLICY" },
    services,
  );
  expect(finding?.message).not.toContain("anonymous");
});

describe("the caller of an example for everyone", () => {
  test.each<[string, object | undefined, string]>([
    ["s3:GetObject", undefined, "anyone without signing in"],
    ["sqs:SendMessage", undefined, "anyone without signing in"],
    ["kms:Decrypt", undefined, "anyone with an AWS account"],
    ["secretsmanager:GetSecretValue", undefined, "anyone with an AWS account"],
    ["lambda:InvokeFunction", undefined, "anyone with an AWS account"],
    ["lambda:InvokeFunctionUrl", undefined, "anyone without signing in"],
    [
      "lambda:InvokeFunctionUrl",
      { StringEquals: { "lambda:FunctionUrlAuthType": "AWS_IAM" } },
      "anyone with an AWS account",
    ],
    [
      "kms:Decrypt",
      { Null: { "aws:PrincipalAccount": "false" } },
      "a role session of `arn:aws:iam::999999999999:role/example-role`",
    ],
    [
      "secretsmanager:GetSecretValue",
      { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      "a role session of `arn:aws:iam::999999999999:role/example-role`",
    ],
    [
      "kms:Decrypt",
      { StringEquals: { "aws:PrincipalType": "Anonymous" } },
      "anyone without signing in",
    ],
    [
      "s3:GetObject",
      { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      "anyone without signing in",
    ],
  ])("of %s under %j is %s", async (action, condition, caller) => {
    const statement = {
      Effect: "Allow",
      Principal: "*",
      Action: action,
      Resource: "*",
      ...(condition ? { Condition: condition } : {}),
    };
    const [finding] = await runCheck(
      noPublicAccess,
      { statement, type: "RESOURCE_POLICY" },
      services,
    );
    expect(finding?.message).toContain(`For example, ${caller} may call \`${action}\``);
  });
});

describe("an example names", () => {
  const account = "arn:aws:iam::111122223333";
  const request = { action: "s3:GetObject", resource: "*", context: {} };

  test.each([
    [{ type: "AWS", arn: `${account}:root` }, `the root user \`${account}:root\``],
    [{ type: "AWS", arn: `${account}:user/a` }, `the user \`${account}:user/a\``],
    [
      { type: "AWS", arn: `${account}:role/a`, session: "s" },
      `a role session of \`${account}:role/a\``,
    ],
    [{ type: "CanonicalUser", name: "79a5" }, "the canonical user `79a5`"],
    [{ type: "Service", name: "sns.amazonaws.com" }, "the service `sns.amazonaws.com`"],
  ] as const)("the caller %j", (principal, caller) => {
    expect(exampleOf({ ...request, principal }, undefined)).toBe(
      `For example, ${caller} may call \`s3:GetObject\`.`,
    );
  });

  test("at most eight keys of the context", () => {
    const keys = Array.from({ length: 9 }, (_, at) => [`aws:k${at}`, ["x"]]);
    const principal = { type: "Service", name: "sns.amazonaws.com" } as const;
    const text = exampleOf({ ...request, principal, context: Object.fromEntries(keys) }, undefined);
    expect(text).toMatch(/ with `aws:k0` = `x`, .*, `aws:k6` = `x` and `aws:k7` = `x`\.$/);
  });
});
