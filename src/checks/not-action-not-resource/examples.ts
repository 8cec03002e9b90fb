import type { CheckExample } from "../../engine/check.ts";

function policyOf(statement: object): unknown {
  return { Version: "2012-10-17", Statement: [statement] };
}

export const badPolicies: readonly CheckExample[] = [
  {
    title: "A power user who may do all but identity management.",
    policy: policyOf({
      Sid: "PowerUser",
      Effect: "Allow",
      NotAction: ["iam:*", "organizations:*"],
      Resource: "*",
    }),
  },
  {
    title: "A guard rail that was meant to protect a trail and exempts everything.",
    policy: policyOf({
      Sid: "ProtectTheTrail",
      Effect: "Deny",
      Action: ["cloudtrail:StopLogging", "cloudtrail:DeleteTrail"],
      NotResource: "*",
    }),
  },
];

export const goodPolicies: readonly CheckExample[] = [
  {
    title: "A developer, with what is granted written down.",
    policy: policyOf({
      Sid: "Developer",
      Effect: "Allow",
      Action: ["lambda:UpdateFunctionCode", "logs:GetLogEvents"],
      Resource: [
        "arn:aws:lambda:eu-central-1:111122223333:function:shop-*",
        "arn:aws:logs:eu-central-1:111122223333:log-group:/aws/lambda/shop-*:*",
      ],
    }),
  },
  {
    title: "A guard rail with explicit lists.",
    policy: policyOf({
      Sid: "ProtectTheTrail",
      Effect: "Deny",
      Action: ["cloudtrail:StopLogging", "cloudtrail:DeleteTrail"],
      Resource: "arn:aws:cloudtrail:*:111122223333:trail/audit",
    }),
  },
];
