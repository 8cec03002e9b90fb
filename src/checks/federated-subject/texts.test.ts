import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { federatedSubject } from "../federated-subject.ts";
import { noPublicAccess } from "../no-public-access.ts";

const gitHub = "token.actions.githubusercontent.com";
const gitLab = "gitlab.com";
const eks = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";
const circle = "oidc.circleci.com/org/0a1b";

const trust = (issuer: string, Condition: object) => ({
  Effect: "Allow",
  Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
  Action: "sts:AssumeRoleWithWebIdentity",
  Condition,
});
const subject = (issuer: string, value: unknown) =>
  trust(issuer, { StringLike: { [`${issuer}:sub`]: value } });
/** A fix that writes this value, or no fix. */
const writes = (value: string | null) =>
  value === null
    ? null
    : expect.objectContaining({
        needs_input: (value.match(/<[a-z-]+>/g) ?? []).map((placeholder) =>
          expect.objectContaining({ placeholder }),
        ),
        patch: expect.arrayContaining([expect.objectContaining({ op: "replace", value })]),
      });

const pod = /^Name namespace and service account/;
const branch = /^Name owner, repository and branch/;
const anyBranch = "repo:<org>/<repo>:ref:refs/heads/<branch>";

/** Provider, subject, what the message says of it, the suggestion, and the value of the fix. */
const sentences: readonly (readonly [string, string, string, RegExp, string | null])[] = [
  [
    eks,
    "system:serviceaccount:*",
    `admits every pod of the cluster \`${eks}\`.`,
    pod,
    "system:serviceaccount:<namespace>:<service-account>",
  ],
  [
    eks,
    "system:serviceaccount:*:deployer",
    "admits service accounts of several namespaces of the cluster.",
    pod,
    "system:serviceaccount:<namespace>:deployer",
  ],
  [
    eks,
    "system:serviceaccount:payments:*",
    "admits every service account that matches, not one.",
    pod,
    "system:serviceaccount:payments:<service-account>",
  ],
  [gitHub, "environment:prod*", "does not begin with the owner.", branch, anyBranch],
  [
    gitHub,
    "job_workflow_ref:org/w/.github/workflows/d.yml@*",
    "names the workflow that is called, not who calls it;",
    /^Add a condition on `token\.actions\.githubusercontent\.com:repository_owner`/,
    null,
  ],
  [
    gitHub,
    "repo:*",
    "does not fix whose it is, so other customers of GitHub Actions",
    branch,
    anyBranch,
  ],
  [
    gitHub,
    "repo:org/*",
    "fixes the customer of GitHub Actions and leaves the project open:",
    branch,
    "repo:org/<repo>:ref:refs/heads/<branch>",
  ],
  [
    gitHub,
    "repo:org/*:environment:prod",
    "fixes the customer of GitHub Actions",
    branch,
    "repo:org/<repo>:environment:prod",
  ],
  [
    gitHub,
    "repo:org/app-*:environment:prod",
    "fixes the customer of GitHub Actions",
    branch,
    "repo:org/<repo>:ref:refs/heads/<branch>",
  ],
  [
    gitHub,
    "repo:org/name:*",
    "fixes the project and leaves the rest open: every branch, tag and environment that matches",
    branch,
    "repo:org/name:ref:refs/heads/<branch>",
  ],
  [
    gitHub,
    "repo:org/name:pull_request",
    "admits workflows that run for pull requests,",
    branch,
    null,
  ],
  [
    gitHub,
    "repository_id:12:*",
    "fixes the project and leaves the rest open: every subject that",
    branch,
    anyBranch,
  ],
  [
    gitLab,
    "project_path:*",
    "does not fix whose it is, so other customers of GitLab.com",
    /^Give the name of your organization in full, up to the delimiter, beginning with `project_path:`, and the project\.$/,
    "project_path:<org>/<repo>:ref_type:branch:ref:<branch>",
  ],
  [
    gitLab,
    "project_path:group/*",
    "fixes the customer of GitLab.com",
    /^Give the project and the branch, tag or environment in full, beginning with `project_path:`\.$/,
    "project_path:group/<repo>:ref_type:branch:ref:<branch>",
  ],
  [
    "gitlab.example.com",
    "project_path:group/*",
    "leaves the project open: every project at `gitlab.example.com` that matches",
    /^Give the project and the branch, tag or environment in full\.$/,
    null,
  ],
  [
    circle,
    "org/0a1b/project/*",
    "fixes the project and leaves the rest open: every subject that matches",
    /in full, beginning with `org\/`\.$/,
    null,
  ],
];

checkCases(
  federatedSubject,
  sentences.map(([issuer, value, sentence, suggestion, fixed]) => ({
    name: `says what ${value} of ${issuer} admits, and what to write`,
    type: "TRUST_POLICY" as const,
    statement: subject(issuer, value),
    findings: [
      {
        message: expect.stringContaining(`The subject \`${value}\` ${sentence}`) as string,
        suggestion,
        fix: writes(fixed),
      },
    ],
  })),
);

const both = {
  StringLike: { [`${gitHub}:sub`]: "repo:*" },
  StringNotLike: { [`${gitHub}:sub`]: "repo:acme/*" },
};
const published: readonly (readonly [string, object, string | null])[] = [
  ["a pattern", subject(gitHub, "repo:*"), anyBranch],
  [
    "a pattern with a fixed end",
    subject(gitHub, "repo:*:environment:production"),
    "repo:<org>/<repo>:environment:production",
  ],
  ["several values", subject(gitHub, ["repo:*", "repo:a/b:*"]), null],
  [
    "a test of missing keys",
    trust(gitHub, { StringLikeIfExists: { [`${gitHub}:sub`]: "repo:*" } }),
    null,
  ],
  ["two tests", trust(gitHub, both), null],
  [
    "an exact value",
    trust(gitHub, { StringEquals: { [`${gitHub}:sub`]: "environment:prod" } }),
    null,
  ],
  ["no test", trust(gitHub, { StringEquals: { [`${gitHub}:aud`]: "sts.amazonaws.com" } }), null],
  [
    "another principal",
    {
      ...subject(gitHub, "repo:*"),
      Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${gitHub}`, AWS: "*" },
    },
    null,
  ],
];

checkCases(
  noPublicAccess,
  published.map(([what, statement, fixed]) => ({
    name: `where strangers get in by ${what}, ${fixed === null ? "there is no fix" : "the fix names the project"}`,
    type: "TRUST_POLICY" as const,
    statement,
    findings: [{ issue_type: "public_access", fix: writes(fixed) }],
  })),
);
