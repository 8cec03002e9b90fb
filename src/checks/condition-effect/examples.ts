import type { Check } from "../../engine/check.ts";

export const examples: Check["examples"] = {
  bad: [
    {
      title:
        "The value must be a service principal: with `ecs-tasks` the statement grants nothing.",
      policy: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: "iam:PassRole",
            Resource: "arn:aws:iam::111122223333:role/orders-task",
            Condition: { StringEquals: { "iam:PassedToService": "ecs-tasks" } },
          },
        ],
      },
    },
    {
      title: "The Deny stops encrypted requests and lets unencrypted ones through.",
      policy_type: "RESOURCE_POLICY",
      policy: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Deny",
            Principal: "*",
            Action: "s3:*",
            Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
            Condition: { Bool: { "aws:SecureTransport": "true" } },
          },
        ],
      },
    },
    {
      title: "The two ranges together are every IPv4 address.",
      policy: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: "s3:GetObject",
            Resource: "arn:aws:s3:::reports/*",
            Condition: { IpAddress: { "aws:SourceIp": ["0.0.0.0/1", "128.0.0.0/1"] } },
          },
        ],
      },
    },
  ],
  good: [
    {
      title: "A service principal, the network of the office and a period of time.",
      policy: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: "iam:PassRole",
            Resource: "arn:aws:iam::111122223333:role/orders-task",
            Condition: { StringEquals: { "iam:PassedToService": "ecs-tasks.amazonaws.com" } },
          },
          {
            Effect: "Allow",
            Action: "s3:GetObject",
            Resource: "arn:aws:s3:::reports/*",
            Condition: {
              IpAddress: { "aws:SourceIp": "203.0.113.0/24" },
              DateLessThan: { "aws:CurrentTime": "2040-01-01T00:00:00Z" },
            },
          },
        ],
      },
    },
  ],
};
