import type { Check } from "../../engine/check.ts";

export const examples: Check["examples"] = {
  bad: [
    {
      title: "A letter is missing: AWS does not replace the variable.",
      policy: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: "s3:GetObject",
            Resource: "arn:aws:s3:::homes/${aws:usrname}/*",
          },
        ],
      },
    },
    {
      title: "Without a `Version` the variable is plain text.",
      policy: {
        Statement: [
          {
            Effect: "Allow",
            Action: "s3:GetObject",
            Resource: "arn:aws:s3:::homes/${aws:username}/*",
          },
        ],
      },
    },
  ],
  good: [
    {
      title: "A variable in a resource, one with a default, and an escape.",
      policy: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: "s3:GetObject",
            Resource: "arn:aws:s3:::homes/${aws:username}/*",
          },
          {
            Effect: "Allow",
            Action: "s3:ListBucket",
            Resource: "arn:aws:s3:::homes",
            Condition: {
              StringLike: { "s3:prefix": ["${aws:PrincipalTag/team, 'common'}/*", "price-${$}"] },
            },
          },
        ],
      },
    },
  ],
};
