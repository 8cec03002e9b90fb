import type { CheckExample } from "../../engine/check.ts";

export const badPolicies: readonly CheckExample[] = [
  {
    title: "A help desk that may make access keys for anybody, from anywhere.",
    policy: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "HelpDesk",
          Effect: "Allow",
          Action: "iam:CreateAccessKey",
          Resource: "arn:aws:iam::111122223333:user/*",
        },
      ],
    },
  },
  {
    title: "A deployer that may start instances with any role of the account.",
    policy: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "StartInstances",
          Effect: "Allow",
          Action: "ec2:RunInstances",
          Resource: "*",
        },
        {
          Sid: "HandTheRoleOver",
          Effect: "Allow",
          Action: "iam:PassRole",
          Resource: "arn:aws:iam::111122223333:role/*",
        },
      ],
    },
  },
];

export const goodPolicies: readonly CheckExample[] = [
  {
    title: "The help desk needs MFA and works from the office.",
    policy: {
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "HelpDesk",
          Effect: "Allow",
          Action: "iam:CreateAccessKey",
          Resource: "arn:aws:iam::111122223333:user/*",
          Condition: {
            Bool: { "aws:MultiFactorAuthPresent": "true" },
            IpAddress: { "aws:SourceIp": "203.0.113.0/24" },
          },
        },
      ],
    },
  },
];
