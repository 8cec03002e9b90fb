import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const never = "condition_never_true";

const gitHub = "token.actions.githubusercontent.com";
const terraform = "app.terraform.io";
const circle = "oidc.circleci.com/org/0a1b2c3d-1111-2222-3333-444455556666";
const bitbucket = "api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc";
const buildkite = "agent.buildkite.com";
const google = "accounts.google.com";
const eks = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";
const pool = "cognito-identity.amazonaws.com";

/** Cases of a role for one identity provider. */
const roleOf = (issuer: string, operator: string, claim: string, value: string) => ({
  type: "TRUST_POLICY" as const,
  statement: {
    Effect: "Allow",
    Principal: {
      Federated: [pool, google].includes(issuer)
        ? issuer
        : `arn:aws:iam::111122223333:oidc-provider/${issuer}`,
    },
    Action: "sts:AssumeRoleWithWebIdentity",
    Condition: { [operator]: { [`${issuer}:${claim}`]: value } },
  },
});

checkCases(conditionEffect, [
  ...[
    [gitHub, "StringEquals", "sub", "repo:acme/api:ref:main"],
    [gitHub, "StringEquals", "sub", "sts.amazonaws.com"],
    [gitHub, "StringLike", "sub", "repo:acme/api:ref:release/*"],
    ["gitlab.com", "StringEquals", "sub", "project_path:acme/infra:ref-type:branch:ref:main"],
    ["gitlab.com", "StringLike", "sub", "project_path:acme/infra:ref_type:branches:ref:*"],
    [terraform, "StringLike", "sub", "organization:acme:workspace:prod:project:infra:run_phase:*"],
    [terraform, "StringEquals", "sub", "organization:acme:project:infra:workspace:prod"],
    [terraform, "StringLike", "sub", "organization:acme:project:*:workspace:prod:phase:apply"],
    [terraform, "StringEquals", "sub", "organization:a:project:p:workspace:w:run_phase:deploy"],
    [gitHub, "StringEquals", "sub", "repo:acme/api:ref:refs/heads/main "],
    [terraform, "StringLike", "sub", "organization: acme:project:infra:workspace:*:run_phase:*"],
    [gitHub, "StringEquals", "sub", "repo:acme/api/refs/heads/main"],
    [gitHub, "StringLike", "sub", "repo:acme/api/*"],
    [gitHub, "StringEquals", "sub", "repo:acme/api@refs/heads/main"],
    [gitHub, "StringEquals", "sub", "repo:acme/api::environment:prod"],
    [gitHub, "StringEquals", "sub", "repo:acme"],
    [gitHub, "StringLike", "sub", "repo:acme:ref:refs/heads/*"],
    [gitHub, "StringEquals", "sub", "repo:acme/api.git:ref:refs/heads/main"],
    [circle, "StringLike", "sub", "org/99999999-1111-2222-3333-444455556666/project/p/user/*"],
    [gitHub, "StringLike", "sub", "repo:acme/api:ref:refs/tag/v*"],
    [gitHub, "StringEquals", "sub", "repo:acme/api:enviroment:prod"],
    ["gitlab.com", "StringEquals", "sub", "project_path:a/b:ref_type:branch:ref:refs/heads/main"],
    [eks, "StringEquals", "sub", "system:serviceaccount:Shop:orders"],
    [circle, "StringLike", "sub", "project/11112222-3333-4444-5555-666677778888/*"],
    [circle, "StringEquals", "sub", "org/0a1b2c3d-1111-2222-3333-444455556666"],
    [bitbucket, "StringLike", "sub", "repo:acme/app:*"],
    [buildkite, "StringEquals", "sub", "organization:acme:pipeline:deploy"],
    [buildkite, "StringEquals", "sub", "organization:acme:pipeline:deploy:ref:refs/heads/main"],
    [buildkite, "StringLike", "sub", "organization:acme:ref:refs/heads/main:*"],
    [buildkite, "StringLike", "sub", "pipeline:deploy:*"],
    [google, "StringEquals", "sub", "deployer@acme-prod.iam.gserviceaccount.com"],
    [google, "StringLike", "sub", "*@acme.com"],
    [pool, "StringEquals", "aud", "eu-west-1_AbCdEfGhI"],
    [pool, "ForAnyValue:StringLike", "amr", "authentcated"],
  ].map(([issuer = "", operator = "", claim = "", value = ""]) => ({
    name: `no token has the ${claim} ${value}`,
    ...roleOf(issuer, operator, claim, value),
    findings: [{ issue_type: never, severity: "error" as const }],
  })),
  ...[
    [gitHub, "StringEquals", "sub", "repo:acme/api:ref:refs/heads/main"],
    [gitHub, "StringLike", "sub", "repo:acme/api:ref:*"],
    [gitHub, "StringLike", "sub", "repo:acme/api:ref:refs/tags/v*"],
    [gitHub, "StringEquals", "sub", "repo:acme@12/api@34:pull_request"],
    ["gitlab.com", "StringLike", "sub", "project_path:acme/*:ref_type:branch:ref:main"],
    ["gitlab.com", "StringEquals", "sub", "project_path:acme/infra:ref:main"],
    ["gitlab.com", "StringLike", "sub", "project_path:acme/infra:*"],
    [terraform, "StringLike", "sub", "organization:acme:project:infra:workspace:*:run_phase:*"],
    [terraform, "StringLike", "sub", "organization:acme:*"],
    [
      terraform,
      "StringEquals",
      "sub",
      "organization:acme:project:p:stack:s:deployment:d:operation:plan",
    ],
    [terraform, "StringLike", "sub", "organization:acme:*:run_phase:apply"],
    [terraform, "StringLike", "sub", "organization:a:project:p:workspace:w:run_phase:pl*"],
    [circle, "StringLike", "sub", "org/0a1b2c3d-1111-2222-3333-444455556666/project/p/user/*"],
    [circle, "StringLike", "sub", "/org/0a1b2c3d-1111-2222-3333-444455556666/project/*/main"],
    [gitHub, "StringEquals", "sub", "repo:acme/api:environment:Production EU"],
    [gitHub, "StringLike", "sub", "repo:acme*:ref:refs/heads/main"],
    [gitHub, "StringEquals", "sub", "repo:acme/api.github.io:ref:refs/heads/main"],
    [circle, "StringLike", "sub", "org/0a1b2c3d*/project/p/user/*"],
    [gitHub, "StringEquals", "sub", "repo:acme/api:runner_environment:github-hosted"],
    [gitHub, "StringLike", "sub", "repo:acme/api:*:prod"],
    ["gitlab.com", "StringEquals", "sub", "project_path:a/b:ref_type:branch:ref:feature/refs"],
    [eks, "StringEqualsIgnoreCase", "sub", "system:serviceaccount:Shop:orders"],
    [circle, "StringLike", "sub", "*/project/11112222-3333-4444-5555-666677778888/*"],
    [bitbucket, "StringLike", "sub", "{11112222-3333-4444-5555-666677778888}:*"],
    [bitbucket, "StringLike", "sub", "*{11112222-3333-4444-5555-666677778888}*"],
    [buildkite, "StringLike", "sub", "organization:acme:pipeline:deploy:*"],
    [buildkite, "StringLike", "sub", "organization:acme:*"],
    [
      buildkite,
      "StringLike",
      "sub",
      "organization:acme:pipeline:*:ref:refs/heads/main:commit:*:step:*",
    ],
    [buildkite, "StringEquals", "sub", "0184990a-477b-4fa8-9968-496074483cee"],
    [google, "StringEquals", "sub", "104938572019384756102"],
    [pool, "StringEquals", "aud", "eu-west-1:12345678-abcd-abcd-abcd-123456790ab"],
    [pool, "ForAnyValue:StringLike", "amr", "unauthenticated"],
    [pool, "ForAnyValue:StringLike", "amr", "graph.facebook.com"],
  ].map(([issuer = "", operator = "", claim = "", value = ""]) => ({
    name: `a token may have the ${claim} ${value}`,
    ...roleOf(issuer, operator, claim, value),
    findings: [],
  })),
  ...["AES256", "aws:kms:dsse", "aws:fsx"].map((value) => ({
    name: `uploads may ask for ${value}`,
    statement: {
      Effect: "Allow",
      Resource: "arn:aws:s3:::reports/*",
      Action: "s3:PutObject",
      Condition: { StringEquals: { "s3:x-amz-server-side-encryption": value } },
    },
    findings: [],
  })),
]);
