import { describe } from "vitest";
import { fixCases } from "../../test/support/fix-cases.ts";

const action = (Action: unknown, Resource = "*") => ({ Effect: "Allow", Action, Resource });

const table = "arn:aws:dynamodb:eu-west-1:111122223333:table/orders";

function corrected(from: string, to: string | null, resource = "*") {
  return {
    name: to === null ? `leaves ${from}` : `writes ${to} for ${from}`,
    of: "action_validation/invalid_action",
    before: action(from, resource),
    ...(to === null ? {} : { after: action(to, resource), effect: "repairs" as const }),
  };
}

describe("a misspelt pattern", () => {
  fixCases([
    corrected("ec2:Decribe*", "ec2:Describe*"),
    corrected("lambda:Lsit*", "lambda:List*"),
    corrected("iam:Lst*", "iam:List*"),
    corrected("dynamodb:BatchGte*", "dynamodb:BatchGet*"),
    corrected("ec2:*Secrity*", "ec2:*Security*"),
    corrected("ec2:Describe*Intsances", "ec2:Describe*Instances"),
    corrected("s3:*Objct", "s3:*Object"),
    corrected("s3:Get.*", "s3:Get*"),
    {
      name: "is corrected in a Deny and under NotAction, too",
      of: "action_validation/invalid_action",
      before: { Effect: "Deny", NotAction: ["s3:Delte*", "s3:Get*"], Resource: "*" },
      after: { Effect: "Deny", NotAction: ["s3:Delete*", "s3:Get*"], Resource: "*" },
      effect: "repairs",
    },
    {
      name: "is left where several words are as near",
      of: "action_validation/invalid_action",
      before: { Effect: "Deny", Action: "s3:Pet*", Resource: "*" },
    },
  ]);
});

describe("an action of an unknown service", () => {
  fixCases([
    corrected("stepfunctions:StartExecution", "states:StartExecution"),
    corrected("elbv2:DescribeLoadBalancers", "elasticloadbalancing:DescribeLoadBalancers"),
    corrected("cloudwatchlogs:PutLogEvents", "logs:PutLogEvents"),
    corrected("cloud-watch:GetMetricData", "cloudwatch:GetMetricData"),
    corrected("ses-v2:SendEmail", null),
  ]);
});

describe("a call of the API that another action permits", () => {
  fixCases([
    corrected("s3:HeadObject", "s3:GetObject", "arn:aws:s3:::reports/*"),
    corrected("s3:ListObjectsV2", "s3:ListBucket", "arn:aws:s3:::reports"),
    corrected("lambda:Invoke", "lambda:InvokeFunction"),
    corrected(
      "sqs:DeleteMessageBatch",
      "sqs:DeleteMessage",
      "arn:aws:sqs:eu-west-1:111122223333:jobs",
    ),
    corrected("sns:PublishBatch", "sns:Publish", "arn:aws:sns:eu-west-1:111122223333:jobs"),
    corrected("kms:ReEncrypt", "kms:ReEncrypt*"),
    // Removing it would not give what the call needs.
    corrected("s3:CopyObject", null, "arn:aws:s3:::reports/*"),
  ]);
});

describe("actions that AWS does not have, and that are like no other", () => {
  fixCases([
    {
      name: "go at once, from an Allow that has others",
      of: "action_validation/invalid_action",
      before: action(["s3:Frobnicate", "s3:GetObject", "s3:Xyzzyq"], "arn:aws:s3:::reports/*"),
      after: action(["s3:GetObject"], "arn:aws:s3:::reports/*"),
      effect: "narrows",
    },
    {
      name: "go with their statement, where another one stays",
      of: "action_validation/invalid_action",
      before: [
        action(["s3:Frobnicate", "s3:Xyzzyq"]),
        action("s3:GetObject", "arn:aws:s3:::reports/*"),
      ],
      after: [action("s3:GetObject", "arn:aws:s3:::reports/*")],
      effect: "narrows",
    },
    {
      name: "stay in a Deny, and where nothing else is left",
      of: "action_validation/invalid_action",
      before: [{ Effect: "Deny", Action: ["s3:Frobnicate", "s3:GetObject"], Resource: "*" }],
    },
  ]);
});

describe("an action of the wrong form", () => {
  fixCases([
    corrected("s3：GetObject", "s3:GetObject"),
    corrected("“s3:GetObject”", "s3:GetObject"),
    // The first O is Cyrillic.
    corrected("s3:GetОbject", "s3:GetObject"),
    corrected("s3.GetObjct", "s3:GetObject"),
    corrected("dynamodb:Qurey", "dynamodb:Query"),
    corrected("GetObject", "s3:GetObject", "arn:aws:s3:::reports/*"),
    corrected("GetObject", null),
    corrected("TagResource", "dynamodb:TagResource", table),
    corrected("TagResource", null, "arn:aws:iam::111122223333:role/app"),
    {
      name: "has no certain prefix where the resources are of several services",
      of: "action_validation/invalid_action",
      before: {
        ...action("TagResource"),
        Resource: [table, "arn:aws:sqs:eu-west-1:111122223333:q"],
      },
    },
    {
      name: "is written as a list where it joins several, also a misspelt one",
      of: "action_validation/invalid_action",
      before: action("s3:GetObject,s3:PutObjct"),
      after: action(["s3:GetObject", "s3:PutObjct"]),
      effect: "repairs",
    },
  ]);
});
