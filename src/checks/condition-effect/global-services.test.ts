import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const scp = "SERVICE_CONTROL_POLICY" as const;
const ireland = { StringNotEquals: { "aws:RequestedRegion": "eu-west-1" } };
const deny = (members: object, Condition: object = ireland) => ({
  Effect: "Deny",
  Action: "*",
  Resource: "*",
  Condition,
  ...members,
});
const exempted =
  "`cloudfront:*`, `globalaccelerator:*`, `iam:*`, `organizations:*`, `route53:*` and `support:*`";
const notAction = (...names: string[]) => ({ Action: undefined, NotAction: names });

checkCases(conditionEffect, [
  {
    name: "a Deny of everything in other Regions names the services to exempt",
    type: scp,
    statement: deny({}),
    findings: [
      {
        issue_type: "global_services_denied",
        severity: "medium",
        message:
          "IAM, Organizations, Route 53, CloudFront and other services have one endpoint for all Regions, and their requests have the Region `us-east-1`, which is not among `eu-west-1`. This Deny stops these services for everyone whom it does not except.",
        suggestion: `Exempt them with \`NotAction\`: ${exempted}, as far as the organization uses them.`,
        example: /"NotAction": \[\s+"cloudfront:\*"/,
      },
    ],
  },
  {
    name: "a list of exempt services without IAM is to be longer",
    type: scp,
    statement: deny(notAction("sts:*", "s3:*")),
    findings: [
      {
        suggestion: `Add ${exempted} to \`NotAction\`, as far as the organization uses them.`,
        example: null,
      },
    ],
  },
  {
    name: "a Deny of IAM among other services is not turned into its opposite",
    type: scp,
    statement: deny({ Action: ["ec2:*", "iam:*"] }),
    findings: [{ issue_type: "global_services_denied", example: null }],
  },
  ...["IAM:*", "*:*"].map((Action) => ({
    name: `a Deny of ${Action} in other Regions stops IAM`,
    type: scp,
    statement: deny({ Action }),
    findings: [{ issue_type: "global_services_denied" }],
  })),
  {
    name: "a Deny of the global services alone is meant to exempt them",
    type: scp,
    statement: deny({ Action: ["iam:*", "Route53:*", "sts:*"] }),
    findings: [
      {
        issue_type: "condition_inverted",
        message:
          "Requests for `iam:*`, `Route53:*` and `sts:*` have the Region `us-east-1`, which is not among `eu-west-1`, so this Deny stops these services everywhere and no others.",
        suggestion: "Write `NotAction` in place of `Action`, so that these services are exempt.",
      },
    ],
  },
  {
    name: "a Deny with exemptions for callers stops these services for the others",
    type: scp,
    statement: deny(
      {},
      {
        ...ireland,
        ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/admin" },
        Bool: { "aws:ViaAWSService": "false" },
      },
    ),
    findings: [{ issue_type: "global_services_denied" }],
  },
  ...[
    { name: "no Region", statement: deny({}, { StringNotEquals: { "aws:RequestedRegion": [] } }) },
    {
      name: "a pattern that has us-east-1",
      statement: deny({}, { StringNotLike: { "aws:RequestedRegion": ["eu-*", "us-*"] } }),
    },
    {
      name: "Regions of which one is not known",
      statement: deny(
        {},
        { StringNotEquals: { "aws:RequestedRegion": ["eu-west-1", "${region}"] } },
      ),
    },
    {
      name: "Regions of which one is of another partition",
      statement: deny(
        {},
        { StringNotEquals: { "aws:RequestedRegion": ["eu-west-1", "cn-north-1"] } },
      ),
    },
    { name: "one resource", statement: deny({ Resource: "arn:aws:s3:::b" }) },
    { name: "every action but a part of IAM", statement: deny(notAction("iam:Get*", "sts:*")) },
    { name: "every action but those that begin with i", statement: deny(notAction("i*")) },
    { name: "every action but all", statement: deny(notAction("*")) },
    { name: "actions of IAM by name", statement: deny({ Action: "iam:CreateUser" }) },
    {
      name: "requests with a tag",
      statement: deny({}, { ...ireland, StringEquals: { "aws:RequestTag/team": "a" } }),
    },
    {
      name: "a test of an unknown operator",
      statement: deny({}, { ...ireland, StringIs: { "aws:RequestTag/team": "a" } }),
    },
    { name: "an Allow", statement: { ...deny({}), Effect: "Allow" } },
  ].map(({ name, statement }) => ({
    name: `no finding about services without a Region: ${name}`,
    type: scp,
    statement,
    findings: [],
  })),
  {
    name: "one global service alone may be denied on purpose",
    type: scp,
    statement: deny({ Action: ["iam:*", "sts:*"] }),
    findings: [{ issue_type: "global_services_denied" }],
  },
]);

const chosen = (operator: string, regions: unknown, ...exempt: string[]) =>
  deny(notAction(...exempt), { [operator]: { "aws:RequestedRegion": regions } });

checkCases(conditionEffect, [
  {
    name: "a Deny of the Regions that are to stay, beside the services that have none",
    type: scp,
    statement: chosen("StringLike", ["eu-*", "EU-WEST-1"], "iam:*", "route53:*", "s3:*"),
    findings: [
      {
        issue_type: "condition_inverted",
        message:
          "`StringLike` on `aws:RequestedRegion` makes this Deny stop the requests in `eu-*` and `eu-west-1` and not those in all other Regions, and requests for `iam:*` and `route53:*` do not have these Regions.",
        suggestion: "Write `StringNotLike`, so that it stops the requests in other Regions.",
      },
    ],
  },
  ...[
    chosen("StringEquals", "eu-west-1", "iam:*", "s3:*"),
    chosen("StringEquals", ["eu-west-1", "us-east-1"], "iam:*", "route53:*"),
    chosen("StringLike", "us-*", "iam:*", "route53:*"),
    chosen("StringEquals", ["eu-west-1", "${region}"], "iam:*", "route53:*"),
    chosen("StringEquals", "cn-north-1", "iam:*", "route53:*"),
    chosen("Null", "false", "iam:*", "route53:*"),
  ].map((statement) => ({
    name: `a Deny of some Regions on purpose: ${JSON.stringify(statement.Condition)} but for ${JSON.stringify(statement)}`,
    type: scp,
    statement,
    findings: "Null" in statement.Condition ? [{ issue_type: "condition_always_true" }] : [],
  })),
]);
