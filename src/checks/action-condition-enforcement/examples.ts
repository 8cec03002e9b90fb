import type { CheckExample } from "../../engine/check.ts";

export const badPolicies: readonly CheckExample[] = [
  {
    title: "A deployer that may hand its roles to any service.",
    policy: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "HandTheRoleOver",
          Effect: "Allow",
          Action: "iam:PassRole",
          Resource: "arn:aws:iam::111122223333:role/shop-*",
        },
      ],
    },
  },
  {
    title: "A reader that may fetch objects over plain HTTP.",
    policy: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "ReadReports",
          Effect: "Allow",
          Action: "s3:GetObject",
          Resource: "arn:aws:s3:::example-reports/*",
          Condition: {
            Bool: { "aws:SecureTransport": "false" },
            StringEquals: { "aws:ResourceAccount": "111122223333" },
          },
        },
      ],
    },
  },
];

export const goodPolicies: readonly CheckExample[] = [
  {
    title: "The roles can be handed to Lambda only, and objects stay in one account.",
    policy: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "HandTheRoleOver",
          Effect: "Allow",
          Action: "iam:PassRole",
          Resource: "arn:aws:iam::111122223333:role/shop-*",
          Condition: { StringEquals: { "iam:PassedToService": "lambda.amazonaws.com" } },
        },
        {
          Sid: "ReadReports",
          Effect: "Allow",
          Action: "s3:GetObject",
          Resource: "arn:aws:s3:::example-reports/*",
          Condition: { StringEquals: { "aws:ResourceAccount": "111122223333" } },
        },
      ],
    },
  },
];
