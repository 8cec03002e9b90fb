import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const on = (Action: unknown, Condition: object, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  Condition,
  ...more,
});
const equals = (key: string) => ({ StringEquals: { [key]: "x" } });
/** Reading actions of more services than are asked one by one. */
const many = [
  "sqs:GetQueueUrl",
  "sns:GetTopicAttributes",
  "kms:DescribeKey",
  "ecr:DescribeImages",
  "glue:GetTable",
  "logs:GetLogEvents",
  "rds:DescribeDBClusters",
  "ssm:GetParameter",
  "athena:GetNamedQuery",
];
const invalid = { issue_type: "invalid_condition_key" };

checkCases(
  conditionKeyValidation,
  [
    {
      name: "the first action in document order that lacks the key is named",
      type: "IDENTITY_POLICY",
      statement: on(
        ["sqs:SendMessage", "s3:GetObject", "sqs:ReceiveMessage", "s3:PutObject"],
        equals("s3:x-amz-acl"),
      ),
      findings: [
        { ...invalid, severity: "error", action: "sqs:SendMessage" },
        { severity: "info" },
      ],
    },
    {
      name: "of services that take turns, the first without the key is named",
      type: "IDENTITY_POLICY",
      statement: on(["s3:PutObject", "sqs:SendMessage", "s3:ListBucket"], equals("s3:x-amz-acl")),
      findings: [
        { ...invalid, severity: "error", action: "sqs:SendMessage" },
        { severity: "info" },
      ],
    },
    {
      name: "a tag that an action takes, whatever its name is",
      type: "IDENTITY_POLICY",
      statement: [
        on("ec2:CreateVolume", equals("aws:RequestTag/team")),
        on("ec2:CreateVolume", equals("AWS:requesttag/Cost Center")),
        on("ec2:StartInstances", equals("aws:ResourceTag/team")),
      ],
      findings: [],
    },
    {
      name: "a tag that no request can set, for its name is too long",
      type: "IDENTITY_POLICY",
      statement: on("ec2:CreateVolume", equals(`aws:RequestTag/${"a".repeat(129)}`)),
      findings: [invalid],
    },
    ...[
      ["iot:Publish", "iot:Connection.Thing.ThingName"],
      ["iot:Connect", "iot:ClientId"],
      ["iot:Connect", "iot:Connection.Thing.Attributes[site]"],
      ["iot:Connect", "iot:Certificate.Subject.CommonName"],
      ["glue:GetTable", "glue:EvaluatedByLakeFormationTags"],
      ["apigateway:POST", "apigateway:CognitoUserPoolProviderArn"],
      ["sagemaker:InvokeEndpoint", "sagemaker:TargetContainerHostname"],
    ].map(([action, key]) => ({
      name: `a key that the guide of a service has and its reference lacks: ${key}`,
      type: "IDENTITY_POLICY" as const,
      statement: on(action, equals(`${key}`)),
      findings: [],
    })),
    ...[
      ["s3:GetObject", "iot:ClientId"],
      ["s3:GetObject", "glue:EvaluatedByLakeFormationTags"],
      ["iot:Publish", "iot:Connection.Thing"],
      ["iot:Publish", "iot:CertificateX.Subject"],
    ].map(([action, key]) => ({
      name: `${action} has no ${key}`,
      type: "IDENTITY_POLICY" as const,
      statement: on(action, equals(`${key}`)),
      findings: [invalid],
    })),
    {
      name: "a test that also holds without the key, which one of many services has",
      type: "IDENTITY_POLICY",
      statement: on([...many, "s3:ListBucket"], { StringEqualsIfExists: { "s3:prefix": "x" } }),
      findings: [],
    },
    {
      name: "a test that also holds without the key, which none of many services has",
      type: "IDENTITY_POLICY",
      statement: on(many, { StringEqualsIfExists: { "s3:prefix": "x" } }),
      findings: [{ ...invalid, action: "sqs:GetQueueUrl" }],
    },
    {
      name: "a tag under IfExists, which one of many services has",
      type: "IDENTITY_POLICY",
      statement: on([...many, "ec2:CreateVolume"], {
        StringEqualsIfExists: { "aws:RequestTag/team": "x" },
      }),
      findings: [],
    },
    {
      name: "a claim under IfExists beside the action that takes it and one that does not",
      type: "TRUST_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111122223333:role/app" },
        Action: ["sts:AssumeRoleWithWebIdentity", "sts:AssumeRole"],
        Condition: { StringEqualsIfExists: { "id.example.com:sub": "x" } },
      },
      findings: [],
    },
    {
      name: "a claim under IfExists beside an action that never has it",
      type: "TRUST_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111122223333:role/app" },
        Action: "sts:AssumeRole",
        Condition: { StringEqualsIfExists: { "id.example.com:sub": "x" } },
      },
      findings: [{ ...invalid, action: "sts:AssumeRole" }],
    },
    {
      name: "a claim under IfExists beside actions of another service",
      type: "TRUST_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111122223333:role/app" },
        Action: "s3:GetObject",
        Condition: { StringEqualsIfExists: { "id.example.com:sub": "x" } },
      },
      findings: [{ ...invalid, action: "s3:GetObject" }],
    },
  ],
  embeddedServices(),
);
