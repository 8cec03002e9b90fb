import { expect, test } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";
import { otherKey } from "./meant-values.ts";

/** The value that a policy has, and the one that is meant; null where that is not certain. */
const rows: readonly (readonly [key: string, value: string, meant: string | null])[] = [
  ["iam:PassedToService", "ecs-tasks", "ecs-tasks.amazonaws.com"],
  ["aws:CalledViaFirst", "athena", "athena.amazonaws.com"],
  ["aws:ResourceAccount", "1111-2222-3333", "111122223333"],
  ["aws:ResourceAccount", "1111 2222 3333", "111122223333"],
  ["aws:ResourceAccount", " 111122223333", "111122223333"],
  ["aws:ResourceAccount", "1111-2222-33334", null],
  ["aws:ResourceAccount", "x1111-2222-3333", null],
  ["aws:PrincipalOrgID", "a1b2c3d4e5", "o-a1b2c3d4e5"],
  ["aws:PrincipalOrgID", "r-ab12", null],
  ["aws:PrincipalOrgID", "a1b2c3d4e", null],
  [
    "aws:PrincipalOrgPaths",
    "o-a1b2c3d4e5/r-ab12/ou-ab12-11111111",
    "o-a1b2c3d4e5/r-ab12/ou-ab12-11111111/",
  ],
  ["rds:DatabaseClass", "r6g.large", "db.r6g.large"],
  ["elasticache:CacheNodeType", "t3.micro", "cache.t3.micro"],
  ["sagemaker:InstanceTypes", "m5.large", "ml.m5.large"],
  ["rds:DatabaseClass", "large", null],
  ["ec2:CreateAction", "ec2:RunInstances", "RunInstances"],
  ["SAML:aud", "urn:amazon:webservices", "https://signin.aws.amazon.com/saml"],
  ["SAML:aud", "https://signin.aws.amazon.com", "https://signin.aws.amazon.com/saml"],
  ["SAML:aud", "https://signin.aws.amazon.com/saml/", "https://signin.aws.amazon.com/saml"],
  ["SAML:aud", "http://signin.aws.amazon.com/SAML", "https://signin.aws.amazon.com/saml"],
  ["SAML:aud", "signin.aws.amazon.com", "https://signin.aws.amazon.com/saml"],
  ["s3:x-amz-storage-class", "glacier-ir", "GLACIER_IR"],
  ["s3:x-amz-server-side-encryption", "AES-256", "AES256"],
];

checkCases(
  conditionEffect,
  rows.map(([key, value, meant]) => ({
    name: `${value} of ${key} means ${meant ?? "nothing that is certain"}`,
    type: "IDENTITY_POLICY" as const,
    statement: {
      Effect: "Allow",
      Action: "s3:GetObject",
      Resource: "*",
      Condition: {
        [key === "aws:PrincipalOrgPaths" ? "ForAnyValue:StringEquals" : "StringEquals"]: {
          [key]: value,
        },
      },
    },
    findings: [
      {
        issue_type: "condition_never_true",
        suggestion: meant === null ? /^(?!Write `)/ : `Write \`${meant}\`.`,
      },
    ],
  })),
);

const github = "token.actions.githubusercontent.com";
const eks = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";

checkCases(
  conditionEffect,
  (
    [
      [github, "acme/api:ref:refs/heads/main", "repo:acme/api:ref:refs/heads/main"],
      [github, "repo:acme/api:refs/heads/main", "repo:acme/api:ref:refs/heads/main"],
      [eks, "shop:orders", "system:serviceaccount:shop:orders"],
      [eks, "shop/orders", "system:serviceaccount:shop:orders"],
      [eks, "system:serviceaccounts:shop:orders", "system:serviceaccount:shop:orders"],
    ] as const
  ).map(([issuer, value, meant]) => ({
    name: `the subject ${value} means ${meant}`,
    type: "TRUST_POLICY" as const,
    statement: {
      Effect: "Allow",
      Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: {
        StringEquals: { [`${issuer}:aud`]: "sts.amazonaws.com", [`${issuer}:sub`]: value },
      },
    },
    findings: [{ issue_type: "condition_never_true", suggestion: `Write \`${meant}\`.` }],
  })),
);

test("the key of VPCs and that of endpoints are taken for each other", () => {
  expect(otherKey("aws:SourceVpc", ["vpce-0a1b2c3d4e5f60718"])).toBe("aws:SourceVpce");
  expect(otherKey("AWS:sourcevpce", ["vpc-0a1b2c3d4e5f60718"])).toBe("aws:SourceVpc");
  expect(otherKey("aws:SourceVpc", ["vpce-0a1b2c3d4e5f60718", "x"])).toBeNull();
  expect(otherKey("aws:SourceIp", ["vpce-0a1b2c3d4e5f60718"])).toBeNull();
});
