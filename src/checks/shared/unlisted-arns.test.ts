import { describe, expect, test } from "vitest";
import { policyArn } from "../../services/arn-overlap.ts";
import { coversTypeWideArn, mayBeUnlisted } from "./unlisted-arns.ts";

function held(rule: typeof mayBeUnlisted, action: string, text: string): boolean {
  const arn = policyArn(text);
  return arn !== null && rule(action, arn);
}

describe("ARNs that AWS compares and the reference does not list", () => {
  test.each([
    ["states:SendTaskSuccess", "arn:aws:states:us-east-1:123456789012:stateMachine:orders"],
    ["states:SendTaskHeartbeat", "arn:aws:states:us-east-1:123456789012:activity:pack"],
    ["states:InvokeHTTPEndpoint", "arn:aws:states:us-east-1:123456789012:stateMachine:orders"],
    ["execute-api:Invoke", "arn:aws:execute-api:us-east-1:123456789012:a1b2c3d4e5/prod/$connect"],
    ["quicksight:CreateUser", "arn:aws:quicksight::123456789012:user/${aws:userid}"],
    ["kafka:GetBootstrapBrokers", "arn:aws:kafka:us-east-1:123456789012:cluster/main/0a1b-2"],
    ["bedrock:CreateGuardrail", "arn:aws:bedrock:us-east-1:123456789012:guardrail/*"],
    ["greengrass:GetConnectivityInfo", "arn:aws:iot:us-east-1:123456789012:thing/core"],
    ["iot:DescribeJobExecution", "arn:aws:iot:us-east-1:123456789012:topic/$aws/things/a"],
    ["States:sendTaskFailure", "arn:aws:states:*:*:*"],
    ["applicationinsights:Link", "arn:aws:applicationinsights:*:*:application/*"],
    [
      "codedeploy:PutLifecycleEventHookExecutionStatus",
      "arn:aws:codedeploy:us-east-1:123456789012:deploymentgroup:${app}/*",
    ],
    ["internetmonitor:Link", "arn:aws:internetmonitor:*:*:monitor/*"],
    ["ssm:PutInventory", "arn:aws:ec2:us-east-1:123456789012:instance/i-0a"],
    ["iam:ListRoles", "arn:aws:iam::123456789012:role/aws-service-role/ssm.amazonaws.com/"],
    ["iam:ListInstanceProfiles", "arn:aws:iam::123456789012:instance-profile/karpenter/*"],
    ["arc-zonal-shift:GetManagedResource", "arn:aws:eks:us-east-1:123456789012:cluster/${cluster}"],
  ])("%s works on %s", (action, text) => {
    expect(held(mayBeUnlisted, action, text)).toBe(true);
  });

  test.each([
    ["states:SendTaskSuccess", "arn:aws:states:us-east-1:123456789012:execution:orders:x"],
    ["states:StartExecution", "arn:aws:states:us-east-1:123456789012:stateMachine:orders"],
    ["execute-api:Invoke", "arn:aws:execute-api:us-east-1:123456789012:a1b2c3d4e5/prod"],
    ["quicksight:CreateUser", "arn:aws:quicksight::123456789012:group/a"],
    ["iot:DescribeJobExecution", "arn:aws:iot:us-east-1:123456789012:topic/orders"],
    ["ssm:PutInventory", "arn:aws:ec2:us-east-1:123456789012:volume/vol-0a"],
    ["iam:ListRoles", "arn:aws:iam::123456789012:role/ci"],
    ["iam:ListUsers", "arn:aws:iam::123456789012:role/ops/"],
    ["cloudwatch:Link", "arn:aws:cloudwatch:*:*:dashboard/*"],
  ])("%s has no row for %s", (action, text) => {
    expect(held(mayBeUnlisted, action, text)).toBe(false);
  });

  test.each([
    ["eks:ListClusters", "arn:aws:eks:*:123456789012:cluster/*", true],
    ["eks:ListClusters", "arn:aws:eks:*:123456789012:cluster/main", false],
    ["cloudformation:ListStacks", "arn:aws:cloudformation:*:*:stack/*", true],
    ["cloudformation:ListStacks", "arn:aws:cloudformation:*:*:stack/app/*", false],
    ["dynamodb:DescribeReservedCapacity", "arn:aws:dynamodb:us-east-1:123456789012:*", true],
    ["dynamodb:DescribeReservedCapacity", "arn:aws:dynamodb:us-east-1:123456789012:table/*", false],
    ["sns:ListSubscriptions", "arn:aws:sns:us-east-1:123456789012:*", true],
    ["iam:ListVirtualMFADevices", "arn:aws:iam::123456789012:mfa/*", true],
    ["iam:ListOpenIDConnectProviders", "arn:aws:iam::123456789012:oidc-provider/*", true],
    ["kafka:ListClusters", "arn:aws:kafka:us-east-1:123456789012:cluster/*", false],
  ])("%s on %s covers the whole type: %s", (action, text, isCovered) => {
    expect(held(coversTypeWideArn, action, text)).toBe(isCovered);
  });

  test("a whole type is covered by a pattern for all of it, not by one name", () => {
    const inAccount = (resource: string) => `arn:aws:ssm:us-east-1:123456789012:${resource}`;
    expect(held(coversTypeWideArn, "ssm:GetCommandInvocation", inAccount("*"))).toBe(true);
    expect(held(coversTypeWideArn, "ssm:GetCommandInvocation", inAccount("${any}"))).toBe(true);
    expect(held(coversTypeWideArn, "ssm:GetCommandInvocation", inAccount("document/x"))).toBe(
      false,
    );
    expect(held(coversTypeWideArn, "ssm:ListCommands", inAccount("*"))).toBe(false);
  });
});
