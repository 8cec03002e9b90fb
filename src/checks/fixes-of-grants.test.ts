import { describe } from "vitest";
import { fixCases } from "../../test/support/fix-cases.ts";

const bucket = { Resource: "arn:aws:s3:::reports/*", Action: "s3:GetObject" };
const assume = { Effect: "Allow", Action: "sts:AssumeRoleWithWebIdentity" };
const gitHub = "token.actions.githubusercontent.com";
const federated = {
  Federated: `arn:aws:iam::111122223333:oidc-provider/${gitHub}`,
};
const terraform = { Federated: "arn:aws:iam::111122223333:oidc-provider/app.terraform.io" };
const workloads = { "app.terraform.io:aud": "aws.workload.identity" };
/** A trust in GitHub with this subject. */
const trustOf = (subject: string, more: Readonly<Record<string, string>> = {}) => ({
  ...assume,
  Principal: federated,
  Condition: {
    StringEquals: { [`${gitHub}:aud`]: "sts.amazonaws.com", ...more },
    StringLike: { [`${gitHub}:sub`]: subject },
  },
});

/** A trust in a run of HCP Terraform with this end of the subject. */
const ofTerraform = (rest: string) => ({
  ...assume,
  Principal: terraform,
  Condition: {
    StringEquals: workloads,
    StringLike: { "app.terraform.io:sub": `organization:acme:${rest}` },
  },
});

describe("what is granted", () => {
  fixCases([
    {
      name: "asks for a tag of the caller where the resource does not exist yet",
      of: "sensitive_action/missing_condition",
      before: {
        Effect: "Allow",
        Action: "iam:CreatePolicy",
        Resource: "arn:aws:iam::111122223333:policy/app-*",
      },
      after: {
        Effect: "Allow",
        Action: "iam:CreatePolicy",
        Resource: "arn:aws:iam::111122223333:policy/app-*",
        Condition: { StringEquals: { "aws:PrincipalTag/<tag-key>": "<tag-value>" } },
      },
      asks: ["<tag-key>", "<tag-value>"],
      effect: "narrows",
    },
    {
      name: "asks for no tag that the same policy lets callers set",
      of: "sensitive_action/missing_condition",
      before: [
        { Effect: "Allow", Action: "ec2:TerminateInstances", Resource: "*" },
        { Effect: "Allow", Action: "ec2:CreateTags", Resource: "*" },
      ],
      after: [
        {
          Effect: "Allow",
          Action: "ec2:TerminateInstances",
          Resource: "*",
          Condition: { StringEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" } },
        },
        { Effect: "Allow", Action: "ec2:CreateTags", Resource: "*" },
      ],
      effect: "narrows",
    },
    {
      name: "asks for calls of services only where the Deny does not spare them",
      of: "rcp_best_practices/rcp_missing_service_condition_key_null_check",
      type: "RESOURCE_CONTROL_POLICY",
      before: {
        Effect: "Deny",
        Principal: "*",
        Action: "kms:Decrypt",
        Resource: "*",
        Condition: {
          StringNotEqualsIfExists: {
            "aws:PrincipalOrgID": "o-a1b2c3d4e5",
            "aws:SourceOrgID": "o-a1b2c3d4e5",
          },
          BoolIfExists: { "aws:PrincipalIsAWSService": "false" },
        },
      },
    },
    {
      name: "denies each listed tag, and only requests that set tags",
      of: "condition_effect/other_values_pass",
      before: {
        Effect: "Deny",
        Action: "ec2:CreateTags",
        Resource: "*",
        Condition: { "ForAllValues:StringEquals": { "aws:TagKeys": ["team", "cost-center"] } },
      },
      after: {
        Effect: "Deny",
        Action: "ec2:CreateTags",
        Resource: "*",
        Condition: {
          "ForAnyValue:StringEquals": { "aws:TagKeys": ["team", "cost-center"] },
          Null: { "aws:TagKeys": "false" },
        },
      },
      effect: "changes",
    },
    {
      name: "adds no second service to the one that the condition names",
      of: "service_linked_roles/unrestricted_creation",
      before: {
        Effect: "Allow",
        Action: "iam:CreateServiceLinkedRole",
        Resource: "*",
        Condition: { StringLike: { "iam:AWSServiceName": "*a4b.amazonaws.com" } },
      },
    },
    {
      name: "asks for the boundary that the statement names, without `IfExists`",
      of: "sensitive_action/missing_condition",
      before: {
        Effect: "Allow",
        Action: ["iam:PutRolePolicy", "iam:AttachRolePolicy"],
        Resource: "arn:aws:iam::111122223333:role/app/*",
        Condition: {
          StringEqualsIfExists: {
            "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/AppBoundary",
          },
        },
      },
      after: {
        Effect: "Allow",
        Action: ["iam:PutRolePolicy", "iam:AttachRolePolicy"],
        Resource: "arn:aws:iam::111122223333:role/app/*",
        Condition: {
          StringEquals: {
            "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/AppBoundary",
          },
        },
      },
      effect: "narrows",
    },
    {
      name: "names the service that the other actions of the policy pass roles to",
      of: "action_condition_enforcement/missing_required_condition",
      before: [
        { Effect: "Allow", Action: "lambda:CreateFunction", Resource: "*" },
        { Effect: "Allow", Action: "iam:PassRole", Resource: "arn:aws:iam::111122223333:role/app" },
      ],
      after: [
        { Effect: "Allow", Action: "lambda:CreateFunction", Resource: "*" },
        {
          Effect: "Allow",
          Action: "iam:PassRole",
          Resource: "arn:aws:iam::111122223333:role/app",
          Condition: { StringEquals: { "iam:PassedToService": "lambda.amazonaws.com" } },
        },
      ],
      effect: "narrows",
    },
    {
      name: "asks for the service where nothing says which",
      of: "action_condition_enforcement/missing_required_condition",
      before: {
        Effect: "Allow",
        Action: "iam:PassRole",
        Resource: "arn:aws:iam::111122223333:role/app",
      },
      after: {
        Effect: "Allow",
        Action: "iam:PassRole",
        Resource: "arn:aws:iam::111122223333:role/app",
        Condition: { StringEquals: { "iam:PassedToService": "<service>.amazonaws.com" } },
      },
      asks: ["<service>"],
      effect: "narrows",
    },
    {
      name: "does not replace all actions of a service",
      of: "service_wildcard/overly_permissive",
      before: { Effect: "Allow", Action: "sqs:*", Resource: "*" },
    },
  ]);
});

describe("who is let in", () => {
  fixCases([
    {
      name: "asks for the account and the resource that a service acts for",
      of: "trust_policy_validation/confused_deputy_risk",
      type: "RESOURCE_POLICY",
      before: { Effect: "Allow", Principal: { Service: "sns.amazonaws.com" }, ...bucket },
      after: {
        Effect: "Allow",
        Principal: { Service: "sns.amazonaws.com" },
        ...bucket,
        Condition: {
          StringEquals: { "aws:SourceAccount": "<account-id>" },
          ArnLike: { "aws:SourceArn": "arn:aws:sns:<region>:<account-id>:<source-topic>" },
        },
      },
      asks: ["<account-id>", "<region>", "<source-topic>"],
      effect: "narrows",
    },
    {
      name: "asks for repository and branch",
      of: "trust_policy_validation/missing_required_condition_for_assume_action",
      type: "TRUST_POLICY",
      before: { ...assume, Principal: federated },
      after: {
        ...assume,
        Principal: federated,
        Condition: {
          StringEquals: {
            [`${gitHub}:aud`]: "sts.amazonaws.com",
            [`${gitHub}:sub`]: "repo:<org>/<repo>:ref:refs/heads/<branch>",
          },
        },
      },
      asks: ["<org>", "<repo>", "<branch>"],
      effect: "narrows",
    },
    {
      name: "asks for the identity pool, and for its signed-in users",
      of: "trust_policy_validation/missing_required_condition_for_assume_action",
      type: "TRUST_POLICY",
      before: { ...assume, Principal: { Federated: "cognito-identity.amazonaws.com" } },
      after: {
        ...assume,
        Principal: { Federated: "cognito-identity.amazonaws.com" },
        Condition: {
          StringEquals: { "cognito-identity.amazonaws.com:aud": "<identity-pool-id>" },
          "ForAnyValue:StringLike": { "cognito-identity.amazonaws.com:amr": "authenticated" },
        },
      },
      asks: ["<identity-pool-id>"],
      effect: "narrows",
    },
    {
      name: "asks for the run of a workspace of HCP Terraform",
      of: "trust_policy_validation/missing_required_condition_for_assume_action",
      type: "TRUST_POLICY",
      before: { ...assume, Principal: terraform, Condition: { StringEquals: workloads } },
      after: {
        ...assume,
        Principal: terraform,
        Condition: {
          StringEquals: {
            ...workloads,
            "app.terraform.io:sub":
              "organization:<org>:project:<project>:workspace:<workspace>:run_phase:<run-phase>",
          },
        },
      },
      asks: ["<org>", "<project>", "<workspace>", "<run-phase>"],
      effect: "narrows",
    },
    {
      name: "keeps the organization that the subject names",
      of: "federated_subject/weak_federated_subject",
      type: "TRUST_POLICY",
      before: trustOf("repo:acme/*"),
      after: trustOf("repo:acme/<repo>:ref:refs/heads/<branch>"),
      asks: ["<repo>", "<branch>"],
      effect: "narrows",
    },
    {
      name: "keeps the environment that the subject names",
      of: "federated_subject/weak_federated_subject",
      type: "TRUST_POLICY",
      before: trustOf("repo:*:environment:production", { [`${gitHub}:repository_owner`]: "acme" }),
      after: trustOf("repo:<org>/<repo>:environment:production", {
        [`${gitHub}:repository_owner`]: "acme",
      }),
      asks: ["<org>", "<repo>"],
      effect: "narrows",
    },
    {
      name: "keeps the branch where only the repository is open",
      of: "federated_subject/weak_federated_subject",
      type: "TRUST_POLICY",
      before: trustOf("repo:acme/*:ref:refs/heads/main"),
      after: trustOf("repo:acme/<repo>:ref:refs/heads/main"),
      asks: ["<repo>"],
      effect: "narrows",
    },
    ...(
      [
        [
          "project:shop:workspace:*:run_phase:apply",
          "project:shop:workspace:<workspace>:run_phase:apply",
        ],
        [
          "project:*:workspace:db:run_phase:*",
          "project:<project>:workspace:db:run_phase:<run-phase>",
        ],
        ["project:shop:*", "project:shop:workspace:<workspace>:run_phase:<run-phase>"],
      ] as const
    ).map(([before, after]) => ({
      name: `keeps what a subject of HCP Terraform fixes: ${before}`,
      of: "federated_subject/weak_federated_subject",
      type: "TRUST_POLICY" as const,
      before: ofTerraform(before),
      after: ofTerraform(after),
      asks: [...after.matchAll(/<[^>]*>/g)].map(([placeholder]) => placeholder),
      effect: "narrows" as const,
    })),
    {
      name: "adds no principal in place of everyone",
      of: "no_public_access/public_access",
      type: "RESOURCE_POLICY",
      before: { Effect: "Allow", Principal: "*", ...bucket },
    },
  ]);
});
