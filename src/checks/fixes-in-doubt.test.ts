import { describe } from "vitest";
import { fixCases } from "../../test/support/fix-cases.ts";

const repairs = "repairs" as const;

describe("an action", () => {
  const of = "action_validation/invalid_action";
  const list = (Resource: string, Action = "s3:ListBuckets") => ({
    Effect: "Allow",
    Action,
    Resource,
  });
  const send = (Action: string) => ({
    Effect: "Allow",
    Action,
    Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
  });
  fixCases([
    {
      name: "may be the call that lists all buckets",
      of,
      before: list("*"),
    },
    {
      name: "is not that call for one bucket",
      of,
      before: list("arn:aws:s3:::reports"),
      after: list("arn:aws:s3:::reports", "s3:ListBucket"),
      effect: repairs,
    },
    {
      name: "is left where two services that have it are as near, among many that have not",
      of,
      before: send("sq:SendMessage"),
    },
  ]);
});

describe("an ARN", () => {
  const of = "action_resource_matching/statement_never_applies";
  const invoke = (resource: string) => ({
    Effect: "Allow",
    Action: "lambda:InvokeFunction",
    Resource: `arn:aws:lambda:eu-west-1:111122223333:${resource}`,
  });
  fixCases([
    {
      name: "loses a slash before its type, which it has already",
      of,
      before: invoke("/function:resize"),
      after: invoke("function:resize"),
      effect: repairs,
    },
  ]);
});

describe("a value", () => {
  const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
  const classes = (text: string) => ({
    Effect: "Allow",
    Action: "rds:CreateDBInstance",
    Resource: "arn:aws:rds:eu-west-1:111122223333:db:*",
    Condition: { StringLike: { "rds:DatabaseClass": text } },
  });
  fixCases([
    {
      name: "that is no family of instances gets no beginning",
      of: "condition_effect/condition_never_true",
      before: classes("dbi.t3.*"),
    },
    {
      name: "of a date under a String operator can mean before or after",
      of: "condition_type_mismatch/type_mismatch",
      before: {
        ...read,
        Condition: { StringEquals: { "aws:CurrentTime": "2027-01-01T00:00:00Z" } },
      },
    },
  ]);
});

describe("a principal", () => {
  const of = "policy_type_validation/invalid_principal_value";
  const type = "TRUST_POLICY" as const;
  const cognito = "cognito-identity.amazonaws.com";
  const saml = "arn:aws:iam::111122223333:saml-provider/corp";
  const web = "sts:AssumeRoleWithWebIdentity";
  const trust = (Principal: unknown, Action: string) => ({ Effect: "Allow", Principal, Action });
  fixCases(
    (
      [
        ["Cognito for web identities", cognito, { Federated: cognito }, web],
        ["Cognito under AWS", { AWS: cognito }, { Federated: cognito }, web],
        ["Cognito under Service", { Service: cognito }, { Federated: cognito }, web],
        ["Cognito as a service", cognito, { Service: cognito }, "sts:AssumeRole"],
        ["a provider without a type", saml, { Federated: saml }, "sts:AssumeRoleWithSAML"],
      ] as const
    ).map(([name, from, to, action]) => ({
      name,
      of,
      type,
      before: trust(from, action),
      after: trust(to, action),
      effect: repairs,
    })),
  );
});
