import type { CheckExample } from "../../engine/check.ts";

const gitHub = "token.actions.githubusercontent.com";

function trust(provider: string, Condition: object): unknown {
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${provider}` },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition,
      },
    ],
  };
}

export const badPolicies: readonly CheckExample[] = [
  {
    title: "Every repository whose owner begins with the name can deploy.",
    policy_type: "TRUST_POLICY",
    policy: trust(gitHub, {
      StringEquals: { [`${gitHub}:aud`]: "sts.amazonaws.com" },
      StringLike: { [`${gitHub}:sub`]: "repo:example-org*" },
    }),
  },
];

export const goodPolicies: readonly CheckExample[] = [
  {
    title: "One branch of one repository.",
    policy_type: "TRUST_POLICY",
    policy: trust(gitHub, {
      StringEquals: {
        [`${gitHub}:aud`]: "sts.amazonaws.com",
        [`${gitHub}:sub`]: "repo:example-org/orders:ref:refs/heads/main",
      },
    }),
  },
  {
    title: "One environment and the release tags of one repository.",
    policy_type: "TRUST_POLICY",
    policy: trust(gitHub, {
      StringEquals: { [`${gitHub}:aud`]: "sts.amazonaws.com" },
      StringLike: {
        [`${gitHub}:sub`]: [
          "repo:example-org/orders:environment:prod",
          "repo:example-org/orders:ref:refs/tags/v*",
        ],
      },
    }),
  },
];
