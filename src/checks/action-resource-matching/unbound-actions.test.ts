import { expect } from "vitest";
import type { Finding } from "../../../spec/finding.ts";
import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const account = "111122223333";
const at = (service: string) => `arn:aws:${service}:eu-west-1:${account}:`;
const grant = (Action: unknown, Resource: unknown, elements: object = {}) => ({
  Effect: "Allow",
  Principal: { AWS: `arn:aws:iam::${account}:role/app` },
  Action,
  Resource,
  ...elements,
});
const type = "RESOURCE_POLICY" as const;
const never = {
  issue_type: "statement_never_applies",
  severity: "error",
  field_name: "action",
} as const;

checkCases(
  actionResourceMatching,
  [
    ...[
      ["an action", "kms:ListKeys", "it", "`kms:ListKeys`"],
      [
        "an action of a public registry",
        "ecr-public:GetAuthorizationToken",
        "it",
        "`ecr-public:GetAuthorizationToken`",
      ],
      ["actions", ["kms:ListKeys", "kms:CreateKey"], "them", "`kms:ListKeys` and `kms:CreateKey`"],
    ].map(([name, Action, what, names]) => ({
      name: `reports ${name} that the policy of one resource cannot grant`,
      type,
      statement: grant(Action, "*"),
      findings: [
        {
          ...never,
          action: [Action].flat().join(", "),
          message: new RegExp(
            `^The reference lists no resource type for ${names}, so the policy of one resource cannot grant ${what} \\(reference data of [0-9-]+\\)\\. The statement as a whole grants nothing\\.$`,
          ),
          suggestion:
            "Grant such actions in a policy of the callers, or name the actions on the resource that are meant.",
        },
      ],
    })),
    {
      name: "reports an action beside others that the policy of a repository cannot grant, and removes it",
      type,
      statement: {
        Effect: "Allow",
        Principal: { AWS: "444455556666" },
        Action: ["ecr:BatchGetImage", "ecr:GetAuthorizationToken"],
      },
      findings: [
        {
          issue_type: "resource_mismatch",
          severity: "medium",
          path: "/Statement/0/Action/1",
          action: "ecr:GetAuthorizationToken",
          message:
            /^The reference lists no resource type for `ecr:GetAuthorizationToken`, so the policy of one resource cannot grant it \(reference data of [0-9-]+\)\. For its other actions the statement can still work\.$/,
          suggestion: /^Grant such actions in a policy of the callers/,
          fix: expect.objectContaining({
            patch: [
              expect.objectContaining({ op: "test" }),
              { op: "remove", path: "/Statement/0/Action/1" },
            ],
          }) as Finding["fix"],
        },
      ],
    },
    ...[
      ["a pattern", ["ecr:BatchGetImage", "ecr:Get*"], {}],
      ["a Deny", ["ecr:BatchGetImage", "ecr:GetAuthorizationToken"], { Effect: "Deny" }],
      ["one with a resource", ["ecr:BatchGetImage", "ecr:DescribeRegistry"], { Resource: "*" }],
      ["actions on repositories", ["ecr:BatchGetImage", "ecr:CreateRepository"], {}],
    ].map(([name, Action, elements]) => ({
      name: `says nothing of the statement of a repository with ${name}`,
      type,
      statement: {
        Effect: "Allow",
        Principal: { AWS: "444455556666" },
        Action,
        ...(elements as object),
      },
      findings: [],
    })),
    ...[
      ["a Deny of them", { Effect: "Deny" }, "kms:ListKeys"],
      ["a pattern", {}, "kms:ListKey*"],
      ["what GetSecretValue allows", {}, "secretsmanager:BatchGetSecretValue"],
      ["one beside an action on the key", {}, ["kms:ListKeys", "kms:Decrypt"]],
      ["those of a policy for the whole account", {}, "organizations:DescribeOrganization"],
    ].map(([name, elements, Action]) => ({
      name: `takes ${name}`,
      type,
      statement: grant(Action, "*", elements as object),
      findings: [],
    })),
    {
      name: "reports actions of other services in the policy of a key",
      type,
      statement: [
        grant("kms:*", "*"),
        grant(["s3:GetObject", "sqs:SendMessage", "s3:PutObject"], "*"),
      ],
      findings: [
        {
          ...never,
          at: 1,
          action: "s3:GetObject, sqs:SendMessage, s3:PutObject",
          message:
            "The policy is that of a key, which grants actions of `kms` only, and the statement has actions of `s3` and `sqs`. The statement as a whole grants nothing.",
        },
      ],
    },
    ...[
      ["lets everyone administer", grant("kms:*", "*", { Principal: "*" })],
      ["denies the administration", grant("kms:*", "*", { Effect: "Deny" })],
      ["grants use alone", grant("kms:Decrypt", "*")],
      ["names a key", grant("kms:*", `${at("kms")}key/a`)],
      [
        "lets a service administer",
        grant("kms:*", "*", { Principal: { Service: "s3.amazonaws.com" } }),
      ],
    ].map(([name, statement]) => ({
      name: `does not take a policy for that of a key that ${name}`,
      type,
      statement: [statement as object, grant("s3:GetObject", "*")],
      findings: [],
    })),
    ...["kms:Put*", "KMS:PutKeyPolicy"].map((Action) => ({
      name: `takes a policy for that of a key by ${Action}`,
      type,
      statement: [grant(["kms:Decrypt", Action], "*"), grant("s3:GetObject", "*")],
      findings: [{ ...never, at: 1 }],
    })),
  ],
  embeddedServices(),
);
