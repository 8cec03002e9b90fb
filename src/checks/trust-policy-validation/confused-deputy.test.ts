import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { trust } from "../../../test/support/trust-statement.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const deputy = {
  issue_type: "confused_deputy_risk",
  severity: "high",
  field_name: "principal",
} as const;
const topic = "arn:aws:sns:eu-west-1:111122223333:t";
/** A statement of the policy of a topic. */
const publish = (Principal: unknown, Condition?: object, more: object = {}) => ({
  ...trust(Principal, "sns:Publish", Condition),
  Resource: topic,
  ...more,
});
const s3 = { Service: "s3.amazonaws.com" };
const bucketOnly = { ArnLike: { "aws:SourceArn": "arn:aws:s3:::uploads" } };
/** A fix that adds this condition, and asks for these placeholders. */
const adds = (value: object, ...placeholders: string[]) =>
  expect.objectContaining({
    effect: "narrows",
    needs_input: placeholders.map((placeholder) => expect.objectContaining({ placeholder })),
    patch: expect.arrayContaining([expect.objectContaining({ value })]),
  });

checkCases(trustPolicyValidation, [
  {
    name: "a service needs a source, in trust and in resource policies, per principal",
    statement: [
      trust({ Service: ["sns.amazonaws.com", "s3.amazonaws.com"] }, "sts:AssumeRole"),
      {
        ...trust({ Service: "s3.amazonaws.com" }, "sns:Publish"),
        Resource: "arn:aws:sns:us-east-1:111122223333:t",
      },
    ],
    findings: [
      {
        ...deputy,
        at: 0,
        action: null,
        path: "/Statement/0/Principal/Service/0",
        message: /`sns\.amazonaws\.com` may use this resource/,
        example: /"aws:SourceAccount": "\$\{aws:ResourceAccount\}"/,
      },
      { ...deputy, at: 0, path: "/Statement/0/Principal/Service/1" },
      { ...deputy, at: 1, aws_issue_code: "RESTRICT_ACCESS_TO_SERVICE_PRINCIPAL" },
    ],
  },
  ...(
    [
      [
        "every hosted zone",
        { ArnLike: { "aws:SourceArn": "arn:aws:route53:::hostedzone/*" } },
        [deputy],
      ],
      [
        "one hosted zone",
        { ArnLike: { "aws:SourceArn": "arn:aws:route53:::hostedzone/Z11111112222222333333" } },
        [],
      ],
      [
        "every hosted zone of an account",
        {
          ArnLike: { "aws:SourceArn": "arn:aws:route53:::hostedzone/*" },
          StringEquals: { "aws:SourceAccount": "111122223333" },
        },
        [],
      ],
    ] as const
  ).map(([source, Condition, findings]) => ({
    // https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/query-logs.html
    name: `the log group of queries for ${source}`,
    type: "RESOURCE_POLICY" as const,
    statement: {
      ...trust(
        { Service: "route53.amazonaws.com" },
        ["logs:CreateLogStream", "logs:PutLogEvents"],
        Condition,
      ),
      Resource: "arn:aws:logs:us-east-1:111122223333:log-group:/aws/route53/*",
    },
    findings,
  })),
  {
    // https://docs.aws.amazon.com/opensearch-service/latest/developerguide/configure-client-msk.html
    name: "the policy of a cluster that the guide of OpenSearch Ingestion prints",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "osis-pipelines.amazonaws.com" }, [
        "kafka:CreateVpcConnection",
        "kafka:GetBootstrapBrokers",
        "kafka:DescribeClusterV2",
      ]),
      Resource: "arn:aws:kafka:us-east-1:111122223333:cluster/orders/0f3a2c1e-7",
    },
    findings: [{ ...deputy, severity: "medium" }],
  },
  {
    name: "each of the four source keys protects a service, if it limits",
    statement: [
      ...["aws:SourceArn", "aws:sourceaccount", "aws:SourceOrgID", "aws:SourceOrgPaths"].map(
        (key) =>
          trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
            StringEquals: { [key]: "x" },
          }),
      ),
      trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
        Null: { "aws:SourceArn": "false" },
      }),
      trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
        ArnLikeIfExists: { "aws:SourceArn": "x" },
      }),
      trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
        ArnLike: { "aws:SourceArn": "*" },
      }),
    ],
    findings: [4, 5, 6].map((at) => ({ ...deputy, severity: "low" as const, at })),
  },
  {
    name: "EC2 and Lambda are exempt in any partition and letter case, and `*` is left to another check",
    statement: trust(
      {
        Service: ["*", "EC2.amazonaws.com.cn", "lambda.amazonaws.com", "edgelambda.amazonaws.com"],
      },
      "sts:AssumeRole",
    ),
    findings: [],
  },
  {
    name: "in a trust policy a service without a source is low",
    type: "TRUST_POLICY",
    statement: trust({ Service: "states.amazonaws.com" }, "sts:AssumeRole"),
    findings: [
      {
        ...deputy,
        severity: "low",
        suggestion: /arn:aws:states:REGION:ACCOUNT:stateMachine:NAME/,
        aws_issue_code: null,
      },
    ],
  },
  ...[
    [{ StringEquals: { "kms:ViaService": "s3.eu-west-1.amazonaws.com" } }, "medium"],
    [{ StringEquals: { "kms:CallerAccount": "111122223333" } }, "medium"],
  ].map(([condition, severity]) => ({
    name: `in a key policy ${JSON.stringify(condition)} is not a source of a service`,
    type: "RESOURCE_POLICY" as const,
    statement: {
      ...trust({ Service: "sns.amazonaws.com" }, "kms:Decrypt", condition as object),
      Resource: "*",
    },
    findings: [{ ...deputy, severity: severity as "medium" }],
  })),
  {
    name: "an encryption context with an account says whose data it is",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "logs.eu-west-1.amazonaws.com" }, ["kms:Encrypt*", "kms:Decrypt*"], {
        ArnLike: {
          "kms:EncryptionContext:aws:logs:arn": "arn:aws:logs:eu-west-1:111122223333:log-group:*",
        },
      }),
      Resource: "*",
    },
    findings: [],
  },
  {
    name: "the account in the path says whose load balancer logs they are",
    type: "RESOURCE_POLICY",
    statement: ["111122223333/*", "*"].map((path) => ({
      ...trust({ Service: "logdelivery.elasticloadbalancing.amazonaws.com" }, "s3:PutObject"),
      Resource: `arn:aws:s3:::logs/AWSLogs/${path}`,
    })),
    findings: [{ ...deputy, at: 1 }],
  },
  {
    name: "the ARN of a bucket needs the account beside it",
    type: "RESOURCE_POLICY",
    statement: [{}, { StringEquals: { "aws:SourceAccount": "111122223333" } }].map((more) => ({
      ...trust({ Service: "s3.amazonaws.com" }, "lambda:InvokeFunction", {
        ArnLike: { "aws:SourceArn": "arn:aws:s3:::uploads" },
        ...more,
      }),
      Resource: "arn:aws:lambda:eu-west-1:111122223333:function:f",
    })),
    findings: [
      {
        ...deputy,
        at: 0,
        message: /someone else can own the name later/,
        example: /"aws:SourceAccount": "111122223333"/,
      },
    ],
  },
  {
    name: "stars for the Region and account of a bucket are as good as none",
    type: "RESOURCE_POLICY",
    statement: ["arn:aws:s3:*:*:uploads", "arn:aws:s3:*:*:*"].map((source) => ({
      ...trust({ Service: "s3.amazonaws.com" }, "sns:Publish", {
        ArnLike: { "aws:SourceArn": source },
      }),
      Resource: "arn:aws:sns:eu-west-1:111122223333:t",
    })),
    findings: [
      { ...deputy, at: 0, message: /for the bucket in `aws:SourceArn`, in any account/ },
      { ...deputy, at: 1, message: /does not limit the source/ },
    ],
  },
  {
    name: "the id of a skill says which Alexa skill calls",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "alexa-appkit.amazon.com" }, "lambda:InvokeFunction", {
        StringEquals: { "lambda:EventSourceToken": "amzn1.ask.skill.11111111" },
      }),
      Resource: "arn:aws:lambda:eu-west-1:111122223333:function:f",
    },
    findings: [],
  },
  {
    name: "Alexa sends the id of the skill and no account",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "alexa-appkit.amazon.com" }, "lambda:InvokeFunction"),
      Resource: "arn:aws:lambda:eu-west-1:111122223333:function:f",
    },
    findings: [{ ...deputy, suggestion: /`lambda:EventSourceToken`/, example: null }],
  },
  {
    name: "a statement that AWS's guides print without a source is medium",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "events.amazonaws.com" }, "sns:Publish"),
      Resource: "arn:aws:sns:eu-west-1:111122223333:t",
    },
    findings: [{ ...deputy, severity: "medium" }],
  },
  {
    name: "does not say that a service assumes the role by a statement that only lets it tag the session",
    type: "TRUST_POLICY",
    statement: [
      {
        ...trust({ Service: "states.amazonaws.com" }, "sts:AssumeRole"),
        Condition: { StringEquals: { "aws:SourceAccount": "111122223333" } },
      },
      trust({ Service: "states.amazonaws.com" }, ["sts:TagSession", "STS:setSourceIdentity"]),
      trust({ Service: "states.amazonaws.com" }, ["sts:Tag*", "sts:Set*"]),
    ],
    findings: [],
  },
  {
    name: "says on whose behalf a service may act, and what it sends",
    type: "RESOURCE_POLICY",
    statement: [
      publish(s3),
      publish({ Service: "sns.amazonaws.com" }),
      publish({ Service: "unknown.amazonaws.com" }),
      publish(s3, { ArnLikeIfExists: { "aws:SourceArn": "arn:aws:s3:eu-west-1:111122223333:x" } }),
      publish(s3, { ...bucketOnly, StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
    ],
    findings: [
      {
        ...deputy,
        message:
          "`s3.amazonaws.com` may use this resource on behalf of any resource of any AWS account: no condition names the source.",
        suggestion:
          "Add `aws:SourceAccount` with your account id, and `aws:SourceArn` with the bucket (`arn:aws:s3:::BUCKET`).",
      },
      {
        ...deputy,
        suggestion:
          /^Add `aws:SourceArn` in the form `arn:aws:sns:[^`]+`, or `aws:SourceAccount` with/,
      },
      {
        ...deputy,
        suggestion:
          "Add `aws:SourceAccount` with your account id, or `aws:SourceArn` with the ARN of the resource it acts for.",
      },
      {
        ...deputy,
        message:
          /: the test of `aws:SourceArn` under `ArnLikeIfExists` does not limit the source\.$/,
        aws_issue_code: null,
      },
    ],
  },
  {
    name: "says in a trust policy for which resources",
    type: "TRUST_POLICY",
    statement: [
      trust({ Service: "states.amazonaws.com" }, ["sts:AssumeRole", "sts:TagSession"]),
      trust(s3, "sts:AssumeRole", bucketOnly),
    ],
    findings: [
      {
        ...deputy,
        severity: "low",
        message:
          "`states.amazonaws.com` may assume this role for any resource of this account that has the role: no condition names the source.",
      },
      {
        ...deputy,
        severity: "low",
        message:
          /^`s3\.amazonaws\.com` may assume this role for the bucket in `aws:SourceArn`, in any account: /,
      },
    ],
  },
  {
    name: "takes the configured severity as it is",
    type: "RESOURCE_POLICY",
    statement: publish({ Service: "events.amazonaws.com" }),
    options: { severity: "critical" },
    findings: [{ ...deputy, severity: "critical" }],
  },
  {
    name: "is high where an action is not among those that the guides print",
    type: "RESOURCE_POLICY",
    statement: [
      publish({ Service: "events.amazonaws.com" }, undefined, {
        Action: ["sns:Publish", "sns:Subscribe"],
      }),
      publish({ Service: "events.amazonaws.com" }, undefined, {
        Action: ["kms:Decrypt", "sns:Subscribe"],
      }),
    ],
    findings: [deputy, deputy],
  },
  {
    name: "a part of what names the source is not enough",
    type: "RESOURCE_POLICY",
    statement: [
      publish(s3, { ArnLike: { "aws:SourceArn": ["arn:aws:s3:::uploads", topic] } }),
      publish(s3, {
        StringEquals: { "kms:EncryptionContext:aws:s3:arn": ["arn:aws:s3:::b", topic] },
      }),
      publish(s3, { StringEquals: { "lambda:EventSourceToken": "x" } }),
      {
        ...publish({ Service: "logdelivery.elasticloadbalancing.amazonaws.com" }),
        Resource: ["arn:aws:s3:::logs/AWSLogs/111122223333/*", "arn:aws:s3:::logs/*"],
      },
      { ...publish(s3), Resource: "arn:aws:s3:::logs/AWSLogs/111122223333/*" },
    ],
    findings: [0, 1, 2, 3, 4].map((at) => ({ ...deputy, at })),
  },
  {
    name: "a variable in the path may be the account",
    type: "RESOURCE_POLICY",
    statement: {
      ...publish({ Service: "logdelivery.elasticloadbalancing.amazonaws.com" }),
      Resource: "arn:aws:s3:::logs/AWSLogs/${aws:SourceAccount}/*",
    },
    findings: [],
  },
  {
    name: "a fix names the account of the resource, and the source of the one service",
    type: "RESOURCE_POLICY",
    statement: [
      publish({ Service: "sns.amazonaws.com" }, undefined, { Resource: "*" }),
      publish({ Service: ["sns.amazonaws.com", "s3.amazonaws.com"] }),
      publish({ Service: "sns.amazonaws.com" }, { ArnLikeIfExists: { "aws:SourceArn": "*" } }),
      publish({ Service: "sns.amazonaws.com", AWS: "arn:aws:iam::111122223333:role/a" }),
      publish(s3, { StringEqualsIfExists: { "aws:SourceAccount": "111122223333" } }),
    ],
    findings: [
      {
        at: 0,
        fix: adds(
          {
            StringEquals: { "aws:SourceAccount": "<account-id>" },
            ArnLike: { "aws:SourceArn": "arn:aws:sns:<region>:<account-id>:<source-topic>" },
          },
          "<account-id>",
          "<region>",
          "<source-topic>",
        ),
      },
      { at: 1, fix: adds({ StringEquals: { "aws:SourceAccount": "111122223333" } }) },
      { at: 1 },
      { at: 2, fix: expect.objectContaining({ needs_input: [] }) },
      { at: 3, fix: null },
      { at: 4, fix: null, example: null },
    ],
  },
  {
    name: "shows the account that all resources are in, or else a variable, which Version 2008-10-17 has not",
    policy: {
      Version: "2008-10-17",
      Statement: [
        publish(s3, undefined, {
          Resource: [topic, "arn:aws:sns:eu-west-1:444455556666:t"],
        }),
        publish(s3),
      ],
    },
    type: "RESOURCE_POLICY",
    findings: [
      { at: 0, example: null },
      { at: 1, example: /"aws:SourceAccount": "111122223333"/ },
    ],
  },
  {
    name: "the fix for Alexa asks for the skill",
    type: "RESOURCE_POLICY",
    statement: publish({ Service: "alexa-appkit.amazon.com" }),
    findings: [
      {
        ...deputy,
        suggestion: "Add `lambda:EventSourceToken` with the id of the skill.",
        fix: adds({ StringEquals: { "lambda:EventSourceToken": "<skill-id>" } }, "<skill-id>"),
      },
    ],
  },
]);
