import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const account = { StringEquals: { "aws:SourceAccount": "111122223333" } };
const allow = (service: string, Action: unknown, Effect = "Allow") => ({
  type: "RESOURCE_POLICY" as const,
  statement: {
    Effect,
    Principal: { Service: service },
    Action,
    Resource: "*",
    Condition: account,
  },
});
const other: readonly (readonly [service: string, action: string, caller: string])[] = [
  ["vpc-flow-logs.amazonaws.com", "s3:PutObject", "delivery.logs.amazonaws.com"],
  [
    "elasticloadbalancing.amazonaws.com",
    "s3:PutObject",
    "logdelivery.elasticloadbalancing.amazonaws.com",
  ],
  ["monitoring.amazonaws.com", "SNS:Publish", "cloudwatch.amazonaws.com"],
  ["rds.amazonaws.com", "sns:Publish", "events.rds.amazonaws.com"],
  ["codepipeline.amazonaws.com", "sns:Publish", "codestar-notifications.amazonaws.com"],
];
const byRole: readonly (readonly [service: string, action: string])[] = [
  ["sqs.amazonaws.com", "lambda:InvokeFunction"],
  ["scheduler.amazonaws.com", "sqs:SendMessage"],
  ["apigateway.amazonaws.com", "sqs:SendMessage"],
  ["lambda.amazonaws.com", "sns:Publish"],
];
const issue_type = "service_never_calls";

checkCases(trustPolicyValidation, [
  ...other.map(([service, action, caller]) => ({
    name: `${service} in place of ${caller}`,
    ...allow(service, ["s3:GetObject", action]),
    findings: [
      { issue_type, severity: "high" as const, action, suggestion: `Write \`${caller}\`.` },
    ],
  })),
  ...byRole.map(([service, action]) => ({
    name: `${service} for what a role does`,
    ...allow(service, action),
    findings: [{ issue_type, suggestion: /^Remove the principal/, fix: null }],
  })),
  {
    name: "names the service that calls, at the principal, and a fix writes it",
    type: "RESOURCE_POLICY",
    statement: {
      ...allow("", ["s3:GetObject", "s3:PutObject"]).statement,
      Principal: {
        AWS: "arn:aws:iam::111122223333:role/a",
        Service: ["*", "s3.amazonaws.com", "vpc-flow-logs.amazonaws.com"],
      },
    },
    findings: [
      {
        issue_type,
        field_name: "principal",
        path: "/Statement/0/Principal/Service/2",
        message:
          "`vpc-flow-logs.amazonaws.com` does not call `s3:PutObject` under its own name, so letting it in has no effect. Flow logs are delivered to buckets by `delivery.logs.amazonaws.com`.",
        fix: expect.objectContaining({
          effect: "changes",
          patch: expect.arrayContaining([
            expect.objectContaining({ op: "replace", value: "delivery.logs.amazonaws.com" }),
          ]),
        }),
      },
    ],
  },
  ...[
    allow("codecommit.amazonaws.com", "sns:Publish"),
    allow("s3.amazonaws.com", "lambda:InvokeFunction"),
    allow("apigateway.amazonaws.com", "lambda:InvokeFunction"),
    allow("delivery.logs.amazonaws.com", "s3:PutObject"),
    allow("vpc-flow-logs.amazonaws.com", "s3:PutObject", "Deny"),
  ].map((one) => ({
    name: `a call that the service makes: ${JSON.stringify(one.statement)}`,
    ...one,
    findings: [],
  })),
]);
