import { beforeAll, expect, test } from "vitest";
import { createValidator, type Validator } from "../../src/library/index.ts";

let validator: Validator;
beforeAll(async () => {
  validator = await createValidator();
});

const bytes = 300_000;
const many = (unit: string) => unit.repeat(bytes / unit.length);
const allow = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" };
const withCondition = (operator: string, key: string, value: string) => ({
  Statement: { ...allow, Condition: { [operator]: { [key]: value } } },
});

/** Time that grows with the square of the length would be minutes for these. */
const policies: readonly (readonly [string, object])[] = [
  ["open variables in a Sid", { Statement: { ...allow, Sid: many("${:") } }],
  ["open variables in a resource", { Statement: { ...allow, Resource: many("${a:") } }],
  ["open variables in a value", withCondition("StringLike", "s3:prefix", many("${"))],
  ["open variables in a subject", withCondition("StringLike", "sts:sub", many("${aws:"))],
  ["a condition key", withCondition("StringLike", `aws:PrincipalTag/${many("0")}`, "a")],
  ["wildcards in an ARN", withCondition("ArnLike", "aws:SourceArn", `${many("*")}x`)],
  ["wildcards in a path", withCondition("StringLike", "aws:PrincipalOrgPaths", `${many("*?")}x`)],
  ["an action pattern", { Statement: { ...allow, Action: `s3:${many("*a")}` } }],
  [
    "Fn::Sub",
    {
      AWSTemplateFormatVersion: "2010-09-09",
      Resources: {
        P: {
          Type: "AWS::IAM::ManagedPolicy",
          Properties: {
            PolicyDocument: { Statement: { ...allow, Resource: { "Fn::Sub": many("${") } } },
          },
        },
      },
    },
  ],
  [
    "Fn::Join",
    {
      Resources: {
        P: {
          Type: "AWS::IAM::ManagedPolicy",
          Properties: {
            PolicyDocument: {
              Statement: { ...allow, Resource: { "Fn::Join": ["", [many("a"), { Ref: "B" }]] } },
            },
          },
        },
      },
    },
  ],
];

test.each(policies)("a text of 300 KB is read once: %s", async (_, policy) => {
  const { results } = await validator.validate(policy, { detail: "full" });
  expect(results).toHaveLength(1);
});

test.each([many("*a"), many("*?"), many("${*"), many("*/")])(
  "what a long action grants that its baseline does not is decided or undecided in time",
  async (pattern) => {
    const statement = { ...allow, Action: `s3:${pattern}` };
    const baseline = { Statement: { ...statement, Action: `s3:${pattern}y` } };
    const [result] = (await validator.validate({ Statement: statement }, { baseline })).results;
    expect(result?.answers).toHaveLength(1);
  },
);

test("a principal of 300 KB ends no check", async () => {
  const AWS = `arn:aws:sts::111122223333:assumed-role/${many("a")}/session`;
  const policy = { Version: "2012-10-17", Statement: { ...allow, Principal: { AWS } } };
  const baseline = { ...policy, Statement: { ...policy.Statement, Action: "s3:PutObject" } };
  const { issues } = await validator.validate(policy, { policy_type: "RESOURCE_POLICY", baseline });
  expect(issues.map(({ issue_type }) => issue_type)).not.toContain("check_execution_error");
});

test("a text of 300 KB in a template is read", async () => {
  const template = `
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  P:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Statement: { Effect: Allow, Action: "s3:GetObject", Resource: !Sub "${many("a")}" }
`;
  expect((await validator.validate(template)).results).toHaveLength(1);
});
