import type { CheckExample } from "../../engine/check.ts";

/**
 * Default of `allowed_wildcards`: reading and listing that is often granted on everything. None of them
 * covers an action that takes resources and hands out credentials or reads customers' data.
 */
export const allowedWildcards: readonly string[] = [
  "autoscaling:Describe*",
  "cloudwatch:Describe*",
  "cloudwatch:Get*",
  "cloudwatch:List*",
  "dynamodb:Describe*",
  "dynamodb:List*",
  "ec2:Describe*",
  "ec2:List*",
  "elasticloadbalancing:Describe*",
  "iam:Get*",
  "iam:List*",
  "kms:Describe*",
  "lambda:List*",
  "logs:Describe*",
  "rds:Describe*",
  "route53:Get*",
  "route53:List*",
  "s3:Describe*",
  "s3:GetBucket*",
  "s3:GetM*",
  "s3:List*",
  "sqs:Get*",
  "sqs:List*",
  "apigateway:GET",
];

export const badPolicy: CheckExample = {
  title: "An application that may use every key of the account, and of other accounts that let it.",
  policy: {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "ReadEncryptedReports",
        Effect: "Allow",
        Action: ["kms:Decrypt", "kms:GenerateDataKey"],
        Resource: "*",
      },
    ],
  },
};

export const goodPolicy: CheckExample = {
  title: "One key by ARN; listing, which takes no resource, in a separate statement.",
  policy: {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "ReadEncryptedReports",
        Effect: "Allow",
        Action: ["kms:Decrypt", "kms:GenerateDataKey"],
        Resource: "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
      },
      { Sid: "FindBuckets", Effect: "Allow", Action: "s3:ListAllMyBuckets", Resource: "*" },
    ],
  },
};
