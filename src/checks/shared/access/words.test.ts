import { describe, expect, test } from "vitest";
import { runCheck } from "../../../../test/support/run-check.ts";
import { embeddedServices } from "../../../services/embedded.ts";
import { noPublicAccess } from "../../no-public-access.ts";

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
