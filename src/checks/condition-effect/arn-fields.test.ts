import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const deliver = {
  Effect: "Allow",
  Principal: { Service: "sns.amazonaws.com" },
  Action: "sqs:SendMessage",
  Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
};
const launch = { Effect: "Allow", Action: "ec2:RunInstances", Resource: "*" };
const topic = (region: string, account: string) => `arn:aws:sns:${region}:${account}:orders`;
const template = (account: string) => `arn:aws:ec2:us-east-1:${account}:launch-template/*`;
const never = "condition_never_true";

checkCases(conditionEffect, [
  {
    name: "an ARN with an account of 11 digits, under ARN and String operators",
    type: "RESOURCE_POLICY",
    statement: [
      {
        ...deliver,
        Condition: { ArnLike: { "aws:SourceArn": topic("eu-west-1", "11112222333") } },
      },
      {
        ...deliver,
        Condition: { StringEquals: { "aws:SourceArn": topic("eu-west-1", "11112222333") } },
      },
    ],
    findings: [0, 1].map((at) => ({
      at,
      issue_type: never,
      severity: "error" as const,
      message:
        /`aws:SourceArn` never has the value .*: its values are ARNs, and this one has the account `11112222333`, which is not an account id of 12 digits\./,
    })),
  },
  {
    name: "an ARN with a misspelt Region, with the one that is meant",
    type: "RESOURCE_POLICY",
    statement: {
      ...deliver,
      Condition: { ArnEquals: { "aws:SourceArn": topic("eu-wset-1", "111122223333") } },
    },
    findings: [
      {
        issue_type: never,
        message: /this one has the Region `eu-wset-1`, which is not an AWS Region known on /,
        suggestion: "Write `arn:aws:sns:eu-west-1:111122223333:orders`.",
      },
    ],
  },
  {
    name: "an account with hyphens in the ARN of a key of a service",
    statement: {
      ...launch,
      Condition: { ArnLike: { "ec2:LaunchTemplate": template("1111-2222-3333") } },
    },
    findings: [{ issue_type: never, suggestion: `Write \`${template("111122223333")}\`.` }],
  },
  {
    name: "one wrong account among several ARNs",
    type: "RESOURCE_POLICY",
    statement: {
      ...deliver,
      Condition: {
        ArnLike: {
          "aws:SourceArn": [topic("eu-west-1", "111122223333"), topic("eu-west-1", "44445555666")],
        },
      },
    },
    findings: [{ issue_type: "value_never_matches", message: /`44445555666`/ }],
  },
  ...[
    topic("eu-west-1", "111122223333"),
    topic("*", "*"),
    topic("eu-*", "1111????3333"),
    topic("eu-west-1", "${aws:PrincipalAccount}"),
    topic("eu-west-1", "<account-id>"),
    // May be newer than the list of Regions.
    topic("zz-nowhere-9", "111122223333"),
  ].map((arn) => ({
    name: `accepts ${arn}`,
    type: "RESOURCE_POLICY" as const,
    statement: { ...deliver, Condition: { ArnLike: { "aws:SourceArn": arn } } },
    findings: [],
  })),
  {
    name: "accepts a tag that has the text of an ARN",
    statement: {
      ...launch,
      Condition: { StringEquals: { "aws:RequestTag/source": topic("eu-west-1", "1234") } },
    },
    findings: [],
  },
]);
