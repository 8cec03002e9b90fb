import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const never = { issue_type: "condition_never_true", severity: "error" as const };
const account = ":eu-west-1:111122223333:";

/** A statement for one service that may act for the source. */
const of = (service: string, Action: string, source: string | readonly string[]) => ({
  Effect: "Allow",
  Principal: { Service: `${service}.amazonaws.com` },
  Action,
  Resource: "*",
  Condition: { ArnLike: { "aws:SourceArn": source } },
});
const trust = (service: string, source: string) => {
  const { Resource: _, ...statement } = of(service, "sts:AssumeRole", source);
  return statement;
};

const pods = (key: string) => ({
  Effect: "Allow",
  Principal: { Service: "pods.eks.amazonaws.com" },
  Action: ["sts:AssumeRole", "sts:TagSession"],
  Condition: { StringEquals: { [key]: "shop" } },
});

const invoke = "lambda:InvokeFunction";

checkCases(conditionEffect, [
  ...[
    of("cloudtrail", "s3:PutObject", `arn:aws:cloudtrail${account}main`),
    of(
      "sns",
      "sqs:SendMessage",
      `arn:aws:sns${account}orders:8a21d249-4329-4871-acc6-7be709c6ea7f`,
    ),
    of("cloudwatch", "sns:Publish", `arn:aws:cloudwatch${account}alarm/high-cpu`),
    of("cognito-idp", invoke, `arn:aws:cognito-idp${account}eu-west-1_AbCdEfGhI`),
    of("logs", invoke, `arn:aws:logs${account}/app/orders`),
    of("logs", invoke, `arn:aws:logs${account}log-group/app`),
    of("codebuild", "s3:GetObject", `arn:aws:codebuild${account}orders`),
  ].map((statement) => ({
    name: `an ARN without its type, or with another character behind it: ${statement.Condition.ArnLike["aws:SourceArn"]}`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [{ ...never, message: /its values are, for `[a-z-]+`, ARNs such as/ }],
  })),
  ...[
    of("events", invoke, `arn:aws:events${account}event-bus/default`),
    of(
      "elasticloadbalancing",
      invoke,
      `arn:aws:elasticloadbalancing${account}loadbalancer/app/a/1`,
    ),
    of(
      "cloudfront",
      "s3:GetObject",
      "arn:aws:cloudfront::111122223333:origin-access-identity/E127EXAMPLE51Z",
    ),
  ].map((statement) => ({
    name: `a resource for which ${statement.Principal.Service} makes no such calls`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [{ ...never, message: /makes such calls on behalf of [a-z ]+, and/ }],
  })),
  ...[
    trust("scheduler", `arn:aws:scheduler${account}schedule/default/nightly`),
    trust("rolesanywhere", `arn:aws:rolesanywhere${account}profile/0a1b2c3d`),
  ].map((statement) => ({
    name: `a role for a resource of ${statement.Principal.Service} that assumes none`,
    type: "TRUST_POLICY" as const,
    statement,
    findings: [{ ...never, message: /makes such calls on behalf of [a-z ]+, and/ }],
  })),
  {
    name: "the ARN that manages an API, where a function is called",
    type: "RESOURCE_POLICY",
    statement: of("apigateway", invoke, "arn:aws:apigateway:eu-west-1::/restapis/a1b2c3d4e5/*"),
    findings: [{ ...never, message: /on behalf of resources of `execute-api`/ }],
  },
  ...[
    of("cloudtrail", "s3:PutObject", `arn:aws:cloudtrail${account}trail/*`),
    of("cloudwatch", "sns:Publish", `arn:aws:cloudwatch${account}alarm:high-cpu`),
    of("cloudwatch", "sns:Publish", `arn:aws:cloudwatch${account}*`),
    of("cognito-idp", invoke, `arn:aws:cognito-idp${account}userpool/eu-west-1_AbCdEfGhI`),
    of("logs", invoke, `arn:aws:logs${account}log-group:/app/orders:*`),
    of("logs", "kms:Decrypt", `arn:aws:logs${account}*`),
    of("events", "sqs:SendMessage", `arn:aws:events${account}event-bus/orders`),
    of("events", "kms:Decrypt", `arn:aws:events${account}event-bus/orders`),
    of("events", invoke, [
      `arn:aws:events${account}rule/nightly`,
      `arn:aws:events${account}event-bus/orders`,
    ]),
    of("events", invoke, `arn:aws:events${account}rule/orders/*`),
    of("elasticloadbalancing", invoke, `arn:aws:elasticloadbalancing${account}targetgroup/a/1`),
    of(
      "elasticloadbalancing",
      "s3:PutObject",
      `arn:aws:elasticloadbalancing${account}loadbalancer/*`,
    ),
    of("iot", invoke, `arn:aws:iot${account}rule/orders`),
    of("iot", invoke, `arn:aws:iot${account}authorizer/tokens`),
    of("iot", "sns:Publish", "arn:aws:iot:*:111122223333::*"),
    of("cloudfront", "s3:GetObject", "arn:aws:cloudfront::111122223333:distribution/*"),
    of("apigateway", invoke, `arn:aws:execute-api${account}a1b2c3d4e5/*/GET/orders`),
    of("apigateway", "kms:Decrypt", "arn:aws:apigateway:eu-west-1::/restapis/a1b2c3d4e5"),
  ].map((statement) => ({
    name: `sources that call: ${statement.Action} for ${statement.Condition.ArnLike["aws:SourceArn"]}`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [],
  })),
  ...[
    trust("scheduler", `arn:aws:scheduler${account}schedule-group/default`),
    trust("scheduler", `arn:aws:scheduler${account}*`),
    trust("rolesanywhere", `arn:aws:rolesanywhere${account}trust-anchor/0a1b2c3d`),
  ].map((statement) => ({
    name: `roles for what assumes them: ${statement.Condition.ArnLike["aws:SourceArn"]}`,
    type: "TRUST_POLICY" as const,
    statement,
    findings: [],
  })),
  {
    name: "a misspelt tag of the sessions of pods",
    type: "TRUST_POLICY",
    statement: pods("aws:RequestTag/kubernetes-namespaces"),
    findings: [{ ...never, message: /no tag `kubernetes-namespaces`/ }],
  },
  ...["aws:RequestTag/kubernetes-namespace", "aws:RequestTag/eks-cluster-name"].map((key) => ({
    name: `a tag of the sessions of pods: ${key}`,
    type: "TRUST_POLICY" as const,
    statement: pods(key),
    findings: [],
  })),
  ...[`arn:aws:rds${account}cluster:orders`, `arn:aws:dynamodb${account}table/orders`].map(
    (source) => ({
      name: `Redshift takes data in for ${source}`,
      type: "RESOURCE_POLICY" as const,
      statement: of("redshift", "redshift:AuthorizeInboundIntegration", source),
      findings: [],
    }),
  ),
  {
    name: "Redshift writes its logs for its clusters only",
    type: "RESOURCE_POLICY",
    statement: of("redshift", "s3:PutObject", `arn:aws:rds${account}cluster:orders`),
    findings: [never],
  },
]);
