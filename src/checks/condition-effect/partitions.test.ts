import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const queue = "arn:aws-cn:sqs:cn-north-1:111122223333:orders";
const deliver = {
  Effect: "Allow",
  Principal: { Service: "sns.amazonaws.com" },
  Action: "sqs:SendMessage",
  Resource: queue,
};
const everyone = { Effect: "Deny", Principal: "*", Action: "sqs:SendMessage", Resource: queue };
const from = (...sources: string[]) => ({ ArnLike: { "aws:SourceArn": sources } });
const signIn = (partition: string, ...urls: string[]) => ({
  Effect: "Allow",
  Principal: { Federated: `arn:${partition}:iam::111122223333:saml-provider/okta` },
  Action: "sts:AssumeRoleWithSAML",
  Condition: { StringEquals: { "SAML:aud": urls } },
});
const type = "RESOURCE_POLICY" as const;
const never = "condition_never_true";

checkCases(conditionEffect, [
  {
    name: "a source of another partition than the resource",
    type,
    statement: { ...deliver, Condition: from("arn:aws:sns:*:111122223333:alerts") },
    findings: [
      {
        issue_type: never,
        message:
          /^The resources of the policy are in the partition `aws-cn`, and `aws:SourceArn` is compared with an ARN of `aws`\. Sources are in the same partition\./,
        suggestion: "Write `arn:aws-cn:…` where that is meant.",
      },
    ],
  },
  {
    name: "an exemption for a role of another partition",
    type,
    statement: {
      ...everyone,
      Condition: {
        ArnNotEquals: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/app" },
      },
    },
    findings: [{ issue_type: "condition_always_true" }],
  },
  {
    name: "a Region in another partition than the ARN",
    type,
    statement: {
      ...deliver,
      Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
      Condition: from("arn:aws:sns:cn-north-1:111122223333:alerts"),
    },
    findings: [
      {
        issue_type: never,
        message:
          /has the partition `aws`, but the Region `cn-north-1` is in the partition `aws-cn`\./,
        suggestion: "Write `arn:aws-cn:sns:cn-north-1:111122223333:alerts`.",
      },
    ],
  },
  {
    name: "a sign-in endpoint of another partition than the provider",
    type: "TRUST_POLICY",
    statement: signIn("aws", "https://signin.amazonaws.cn/saml"),
    findings: [{ issue_type: never, suggestion: "Write `https://signin.aws.amazon.com/saml`." }],
  },
  ...[
    signIn(
      "aws",
      "https://signin.aws.amazon.com/saml",
      "https://eu-west-1.signin.aws.amazon.com/saml",
    ),
    signIn("aws-cn", "https://signin.amazonaws.cn/saml"),
    signIn("aws-us-gov", "https://signin.amazonaws-us-gov.com/saml"),
    signIn("aws", "https://signin.aws.amazon.com/saml", "https://signin.amazonaws.cn/saml"),
  ].map((statement) => ({
    name: `accepts ${JSON.stringify(statement.Condition)}`,
    type: "TRUST_POLICY" as const,
    statement,
    findings: [],
  })),
  ...[
    [queue, "arn:aws-cn:sns:cn-north-1:111122223333:alerts"],
    [queue, "arn:*:sns:*:111122223333:alerts"],
    // The same text for the accounts of two partitions.
    [
      queue,
      "arn:aws:sns:eu-west-1:111122223333:alerts",
      "arn:aws-cn:sns:cn-north-1:111122223333:alerts",
    ],
    ["*", "arn:aws:sns:eu-west-1:111122223333:alerts"],
  ].map(([Resource, ...sources]) => ({
    name: `accepts ${sources.join(" and ")} for ${Resource}`,
    type,
    statement: { ...deliver, Resource, Condition: from(...sources) },
    findings: [],
  })),
  {
    name: "a role of another partition among the callers",
    type,
    statement: {
      ...deliver,
      Principal: "*",
      Condition: { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/app" } },
    },
    findings: [{ issue_type: never, message: /Callers are in the same partition\./ }],
  },
  ...[
    { ArnLikeIfExists: { "aws:SourceArn": "arn:aws:sns:*:111122223333:alerts" } },
    { ArnLikeX: { "aws:SourceArn": "arn:aws:sns:*:111122223333:alerts" } },
    { ArnLike: { "aws:SourceArn": [] } },
    { Null: { "aws:SourceArn": "false" } },
    { ArnLike: { "aws:SourceArn": ["arn:aws:sns:*:111122223333:alerts", "*"] } },
  ].map((Condition) => ({
    name: `sources of the partition of the resource, or of any: ${JSON.stringify(Condition)}`,
    type,
    statement: { ...deliver, Condition },
    findings: [],
  })),
  {
    name: "a sign-in endpoint of another partition, in full",
    type: "TRUST_POLICY",
    statement: signIn("aws-cn", "https://signin.aws.amazon.com/saml"),
    findings: [
      {
        message:
          "The identity provider is in the partition `aws-cn`, whose sign-in endpoint is `signin.amazonaws.cn`, and `SAML:aud` is compared with an address of `signin.aws.amazon.com`. The condition never holds, so this Allow grants nothing.",
      },
    ],
  },
  {
    name: "providers of two partitions, of which either may be meant",
    type: "TRUST_POLICY",
    statement: {
      ...signIn("aws", "https://signin.amazonaws.cn/saml"),
      Principal: {
        Federated: [
          "arn:aws:iam::111122223333:saml-provider/okta",
          "arn:aws-cn:iam::111122223333:saml-provider/okta",
        ],
      },
    },
    findings: [],
  },
]);
