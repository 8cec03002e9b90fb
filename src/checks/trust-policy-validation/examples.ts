import type { CheckExample } from "../../engine/check.ts";

const gitHub = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com";

function policyOf(statement: object): unknown {
  return { Version: "2012-10-17", Statement: [statement] };
}

export const badPolicies: readonly CheckExample[] = [
  {
    title: "A role for GitHub Actions that any repository of GitHub can assume.",
    policy: policyOf({
      Sid: "GitHubActions",
      Effect: "Allow",
      Principal: { Federated: gitHub },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: {
        StringEquals: { "token.actions.githubusercontent.com:aud": "sts.amazonaws.com" },
      },
    }),
  },
  {
    title: "A role that a service can use for any customer who asks.",
    policy: policyOf({
      Sid: "CloudTrail",
      Effect: "Allow",
      Principal: { Service: "cloudtrail.amazonaws.com" },
      Action: "sts:AssumeRole",
    }),
  },
];

export const goodPolicies: readonly CheckExample[] = [
  {
    title: "A role for one branch of one repository.",
    policy: policyOf({
      Sid: "GitHubActions",
      Effect: "Allow",
      Principal: { Federated: gitHub },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: {
        StringEquals: {
          "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
          "token.actions.githubusercontent.com:sub": "repo:example/shop:ref:refs/heads/main",
        },
      },
    }),
  },
  {
    title: "A role that the service can use for one trail only.",
    policy: policyOf({
      Sid: "CloudTrail",
      Effect: "Allow",
      Principal: { Service: "cloudtrail.amazonaws.com" },
      Action: "sts:AssumeRole",
      Condition: {
        StringEquals: {
          "aws:SourceArn": "arn:aws:cloudtrail:eu-central-1:111122223333:trail/audit",
        },
      },
    }),
  },
];
