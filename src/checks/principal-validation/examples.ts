import type { CheckExample } from "../../engine/check.ts";

function policyOf(statement: object): unknown {
  return { Version: "2012-10-17", Statement: [statement] };
}

export const badPolicies: readonly CheckExample[] = [
  {
    title: "A topic that anybody on the internet can publish to.",
    policy: policyOf({
      Sid: "Publish",
      Effect: "Allow",
      Principal: "*",
      Action: "sns:Publish",
      Resource: "arn:aws:sns:eu-central-1:111122223333:orders",
    }),
  },
  {
    title: "A guard rail whose exemption fits every caller.",
    policy: policyOf({
      Sid: "OnlyTheAdministrators",
      Effect: "Deny",
      Principal: "*",
      Action: "s3:DeleteBucket",
      Resource: "arn:aws:s3:::example-ledger",
      Condition: {
        ArnNotLike: { "aws:PrincipalArn": ["arn:aws:iam::111122223333:role/admin", "*"] },
      },
    }),
  },
];

export const goodPolicies: readonly CheckExample[] = [
  {
    title: "A topic that everybody of the organisation can publish to.",
    policy: policyOf({
      Sid: "Publish",
      Effect: "Allow",
      Principal: "*",
      Action: "sns:Publish",
      Resource: "arn:aws:sns:eu-central-1:111122223333:orders",
      Condition: { StringEquals: { "aws:PrincipalOrgID": "o-exampleorgid" } },
    }),
  },
  {
    title: "A guard rail that exempts one role.",
    policy: policyOf({
      Sid: "OnlyTheAdministrators",
      Effect: "Deny",
      Principal: "*",
      Action: "s3:DeleteBucket",
      Resource: "arn:aws:s3:::example-ledger",
      Condition: { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/admin" } },
    }),
  },
];
