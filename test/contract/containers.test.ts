import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { callOf, findingsOf, validated } from "../support/validate.ts";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess({ flags: { max_policies: "3" } });
});
afterAll(async () => {
  await target.stop();
  await target.runtime.pool.close();
});

const template = `Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
          - {Effect: Allow, Principal: {Service: lambda.amazonaws.com}, Action: sts:AssumeRole}
      Policies:
        - PolicyName: read
          PolicyDocument:
            Version: "2012-10-17"
            Statement:
              - Effect: Allow
                Action: s3:GetObjct
                Resource: !Sub "arn:\${AWS::Partition}:s3:::\${Bucket}/*"
        - PolicyName: given
          PolicyDocument: !Ref Given
`;

test("each policy of a template has a result with its place, in the positions of the text", async () => {
  const { output } = await validated(target, { policies: [template] });
  expect(
    output.results.map(({ policy_type, policy_type_source, unwrapped }) => [
      policy_type,
      policy_type_source,
      unwrapped?.address,
      unwrapped?.state,
      unwrapped?.unresolved,
    ]),
  ).toEqual([
    ["TRUST_POLICY", "container", "Resources.Role.Properties.AssumeRolePolicyDocument", "read", 0],
    [
      "IDENTITY_POLICY",
      "container",
      "Resources.Role.Properties.Policies[0].PolicyDocument",
      "read",
      1,
    ],
    [
      "IDENTITY_POLICY",
      "container",
      "Resources.Role.Properties.Policies[1].PolicyDocument",
      "not_read",
      0,
    ],
  ]);
  const [trust, read, given] = output.results;
  expect(trust?.is_valid).toBe(true);
  const [finding] = read ? findingsOf(read) : [];
  expect(finding).toMatchObject({
    issue_type: "invalid_action",
    location: { start: { line: 15 } },
  });
  expect(read?.unwrapped).toMatchObject({
    kind: "cloudformation",
    pointer: "/Resources/Role/Properties/Policies/0/PolicyDocument",
    first_line: 12,
    last_line: 16,
    resource_type: "AWS::IAM::Role",
    entry: 0,
  });
  expect(given && findingsOf(given)).toMatchObject([
    { severity: "warning", issue_type: "policy_not_read", location: { start: { line: 18 } } },
  ]);
  expect(given?.unwrapped?.reason).toContain("`Given`");
});

test("a template given as an object has results without positions", async () => {
  const policy = {
    Resources: {
      Shared: {
        Type: "AWS::IAM::ManagedPolicy",
        Properties: {
          PolicyDocument: {
            Version: "2012-10-17",
            Statement: {
              Effect: "Allow",
              Action: "s3:GetObjct",
              Resource: { "Fn::GetAtt": ["B", "Arn"] },
            },
          },
        },
      },
    },
  };
  const { output } = await validated(target, { policies: [{ policy, name: "app" }] });
  const [result] = output.results;
  expect(result).toMatchObject({ name: "app", unwrapped: { first_line: null } });
  expect(result && findingsOf(result)).toMatchObject([
    { issue_type: "invalid_action", location: null },
  ]);
});

test("the policies of templates count towards max_policies", async () => {
  const { error } = await callOf(target, "validate_policies", { policies: [template, "{}"] });
  expect(error).toContain("max_policies");
});

test("a template without policies has one result that says so", async () => {
  const text = "Resources: {Topic: {Type: AWS::SNS::Topic}}";
  const { output } = await validated(target, { policies: [text] });
  expect(output.results).toMatchObject([
    { is_valid: true, issues: [], unwrapped: { reason: "It holds no policy." } },
  ]);
});

test("no text of a report shows a sample in place of an unknown value", async () => {
  const { output } = await validated(target, {
    policies: [template],
    format: "markdown",
    detail: "full",
  });
  expect(JSON.stringify(output)).not.toMatch(/unknown-[0-9a-f]{8}|other-[0-9a-f]{8}/);
  expect(output.report).toContain("Resources.Role.Properties.Policies[0].PolicyDocument");
});
