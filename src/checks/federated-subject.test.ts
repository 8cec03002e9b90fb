import { checkCases } from "../../test/support/check-cases.ts";
import { federatedSubject } from "./federated-subject.ts";
import { noPublicAccess } from "./no-public-access.ts";

const gitHub = "token.actions.githubusercontent.com";
const eks = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";

const trust = (issuer: string, Condition: object) => ({
  Effect: "Allow",
  Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
  Action: "sts:AssumeRoleWithWebIdentity",
  Condition,
});
const subject = (issuer: string, ...values: string[]) =>
  trust(issuer, { StringLike: { [`${issuer}:sub`]: values } });
const weak = { issue_type: "weak_federated_subject", field_name: "condition" } as const;

const graded: readonly (readonly [string, "high" | "medium" | "low", readonly string[]])[] = [
  [
    gitHub,
    "high",
    ["repo:*", "repo:org*", "repo:*/orders:ref:refs/heads/main", "*:ref:refs/heads/main", "re*"],
  ],
  [gitHub, "high", ["environment:prod", "workflow:deploy:*", "repository_owner:*:environment:x"]],
  [gitHub, "high", ["repository:*", "repository_owner:or*:environment:x"]],
  [gitHub, "medium", ["repo:org/*", "repo:org/app-*:ref:refs/heads/main", "repo:org@12/*"]],
  [gitHub, "medium", ["repo:org@1*", "repo:org/na*", "repository:org/*"]],
  [gitHub, "low", ["repo:org@12/name@34:*", "repository_id:12:*"]],
  [
    gitHub,
    "medium",
    ["repository_owner:org:*", "job_workflow_ref:org/w/.github/workflows/d.yml@v1"],
  ],
  [
    gitHub,
    "low",
    ["repo:org/name:*", "repo:org/name:pull_request", "repo:org/name:ref:refs/heads/*"],
  ],
  ["gitlab.com", "high", ["project_path:*", "project_path:grou*"]],
  [
    "gitlab.com",
    "medium",
    ["project_path:group/*", "project_path:group/sub/*:ref_type:branch:ref:main"],
  ],
  [
    "gitlab.com",
    "low",
    ["project_path:group/project:*", "project_path:group/project:ref_type:branch:ref:*"],
  ],
  [
    "app.terraform.io",
    "high",
    ["organization:*", "organization:acm*:project:p:workspace:w:run_phase:*"],
  ],
  [
    "app.terraform.io",
    "medium",
    ["organization:acme:*", "organization:acme:project:*:workspace:w:*"],
  ],
  ["app.terraform.io", "low", ["organization:acme:project:infra:*"]],
  ["agent.buildkite.com", "medium", ["organization:acme:pipeline:*"]],
  ["scalr.io", "high", ["account:*"]],
  ["proidc.upbound.io", "high", ["mcp:*"]],
  [eks, "high", ["system:serviceaccount:*", "system:serviceaccount:?*", "system:*"]],
  [eks, "medium", ["system:serviceaccount:*:deployer", "system:serviceaccount:team-*:deployer"]],
  [eks, "low", ["system:serviceaccount:payments:*"]],
  ["oidc.circleci.com/org/0a1b", "medium", ["org/0a1b/*"]],
  ["oidc.vercel.com/acme", "medium", ["owner:acme:project:*"]],
  ["gitlab.example.com", "medium", ["project_path:*", "project_path:group/*"]],
  ["token.actions.acme.ghe.com", "medium", ["repo:*"]],
];

const narrow: readonly (readonly [string, readonly string[]])[] = [
  [
    gitHub,
    [
      "repo:org/name:ref:refs/heads/main",
      "repo:org/name:environment:prod",
      "repo:org/name:ref:refs/tags/v*",
      "repo:org/name:ref:refs/heads/release/*",
      "repo:org@123/name@456:ref:refs/heads/main",
      "repo:org@*/name@*:environment:prod",
      "repo:$" + "{var.org}/$" + "{var.repository}:ref:refs/heads/main",
      "repository:org/name:environment:prod",
      "repo:org/name",
      "repo:org",
    ],
  ],
  ["gitlab.com", ["project_path:group/sub/project:ref_type:branch:ref:main"]],
  ["gitlab.com", ["project_path:group/project:ref_type:tag:ref:v*"]],
  // No subject of the provider begins so, so no caller gets in.
  ["gitlab.com", ["other:*", "project"]],
  ["app.terraform.io", ["organization:acme:project:infra:workspace:prod:run_phase:*"]],
  [
    "agent.buildkite.com",
    ["organization:acme:pipeline:deploy:ref:refs/heads/main:commit:*:step:*"],
  ],
  [eks, ["system:serviceaccount:payments:api"]],
  ["idp.example.com", ["user-*"]],
];

checkCases(federatedSubject, [
  ...graded.flatMap(([issuer, severity, values]) =>
    values.map((value) => ({
      name: `${severity}: ${value} of ${issuer}`,
      type: "TRUST_POLICY" as const,
      statement: subject(issuer, value),
      findings: [
        {
          ...weak,
          severity,
          path: `/Statement/0/Condition/StringLike/${issuer.replaceAll("/", "~1")}:sub/0`,
        },
      ],
    })),
  ),
  ...narrow.map(([issuer, values]) => ({
    name: `accepts ${values.join(", ")}`,
    type: "TRUST_POLICY" as const,
    statement: subject(issuer, ...values),
    findings: [],
  })),
  {
    name: "reports each value that is too wide",
    statement: subject(gitHub, "repo:org/name:environment:prod", "repo:org*", "repo:org/name:*"),
    findings: [
      { ...weak, severity: "high", aws_issue_code: "SPECIFIC_GITHUB_REPO_AND_BRANCH_RECOMMENDED" },
      { ...weak, severity: "low" },
    ],
  },
  {
    name: "carries AWS's codes for fewer than six characters before a wildcard, and for GitHub without a branch",
    statement: [
      subject(gitHub, "repo:*"),
      subject(gitHub, "repo:a*"),
      subject(gitHub, "repo:acme/*:x:*"),
      subject(gitHub, "environment:prod"),
      subject(gitHub, "workflow:a:ref:refs/heads/main"),
      subject("gitlab.com", "project_path:*"),
    ],
    findings: [
      { ...weak, aws_issue_code: "WILDCARD_USAGE_TOO_PERMISSIVE" },
      { ...weak, aws_issue_code: "SPECIFIC_GITHUB_REPO_AND_BRANCH_RECOMMENDED" },
      { ...weak, aws_issue_code: "WILDCARD_USAGE_TOO_PERMISSIVE" },
      { ...weak, aws_issue_code: "SPECIFIC_GITHUB_REPO_AND_BRANCH_RECOMMENDED" },
      { ...weak, aws_issue_code: null },
      { ...weak, aws_issue_code: null },
    ],
  },
  {
    name: "reads an exact subject that a stranger's repository can send",
    statement: trust(gitHub, { StringEquals: { [`${gitHub}:sub`]: "environment:prod" } }),
    findings: [
      { ...weak, severity: "high", message: /a repository of a stranger can send this one/ },
    ],
  },
  ...(
    [
      [{ repository_owner: "org" }, "repo:*", "medium", /every project of this customer/],
      [{ repository_owner_id: "1234" }, "repo:*", "medium", /every project of this customer/],
      [{ repository: "org/name" }, "repo:*", "low", /another claim of the statement fixes: every/],
      [{ repository: "org/name" }, "repo:org/*", "low", /another claim of the statement fixes/],
      [{ repository: "org*" }, "repo:*", "high", /other customers of GitHub Actions can/],
      [{ repository: "org/*" }, "repo:*", "medium", /every project of this customer/],
      [{ repository_owner: "org/*" }, "repo:*", "high", /other customers of GitHub Actions can/],
      [{ actor: "me" }, "repo:*", "high", /other customers of GitHub Actions can/],
    ] as const
  ).map(([claims, value, severity, message]) => ({
    name: `another claim counts: ${JSON.stringify(claims)}`,
    statement: trust(gitHub, {
      StringLike: {
        ...Object.fromEntries(
          Object.entries(claims).map(([claim, text]) => [`${gitHub}:${claim}`, text]),
        ),
        [`${gitHub}:sub`]: value,
      },
    }),
    findings: [{ ...weak, severity, message }],
  })),
  {
    name: "accepts a customised subject where another claim fixes the owner",
    statement: trust(gitHub, {
      StringEquals: {
        [`${gitHub}:sub`]: "environment:prod",
        [`${gitHub}:repository_owner`]: "org",
      },
    }),
    findings: [],
  },
  {
    name: "of several tests of the subject the narrowest counts",
    statement: trust(gitHub, {
      StringLike: { [`${gitHub}:sub`]: "repo:*" },
      StringEquals: { [`${gitHub}:sub`]: "repo:org/name:environment:prod" },
    }),
    findings: [],
  },
  {
    name: "leaves a subject that is missing or matches everything to trust_policy_validation",
    statement: [subject(gitHub, "*"), trust(gitHub, {})],
    findings: [],
  },
  {
    name: "leaves a policy variable open",
    statement: subject(gitHub, "repo:$" + "{aws:PrincipalTag/org}/name:ref:refs/heads/main"),
    findings: [{ ...weak, severity: "high" }],
  },
  {
    name: "reads the audience where it tells customers apart",
    statement: [
      trust("oidc.vercel.com", { StringLike: { "oidc.vercel.com:aud": "https://vercel.com/*" } }),
      trust("oidc.vercel.com", {
        StringLike: {
          "oidc.vercel.com:aud": "https://vercel.com/*",
          "oidc.vercel.com:sub": "owner:acme:project:shop:environment:production",
        },
      }),
      trust("oidc.vercel.com", {
        StringEquals: { "oidc.vercel.com:aud": "https://vercel.com/acme" },
      }),
      trust("oidc.vercel.com", {
        StringLike: { "oidc.vercel.com:aud": "https://vercel.com/acme" },
      }),
      trust("oidc.vercel.com", {
        StringLike: { "oidc.vercel.com:aud": "https://vercel.com/*" },
        StringEquals: { "oidc.vercel.com:aud": "https://vercel.com/acme" },
      }),
      trust("oidc.vercel.com", {
        StringLike: {
          "oidc.vercel.com:aud": "https://vercel.com/*",
          "oidc.vercel.com:sub": "owner:*",
        },
      }),
    ],
    findings: [
      {
        ...weak,
        at: 0,
        severity: "high",
        condition_key: "oidc.vercel.com:aud",
        path: "/Statement/0/Condition/StringLike/oidc.vercel.com:aud",
        message:
          /^The audience `https:\/\/vercel\.com\/\*` admits tokens of other customers of Vercel \(global issuer\), which tells its customers apart/,
        suggestion: "Give the audience exactly, under `StringEquals`.",
        aws_issue_code: "WILDCARD_USAGE_TOO_PERMISSIVE",
      },
      { ...weak, at: 5, condition_key: "oidc.vercel.com:aud" },
      { ...weak, at: 5, condition_key: "oidc.vercel.com:sub" },
    ],
  },
  {
    name: "does not read other assume-role actions, and no Deny",
    statement: [
      { ...subject(gitHub, "repo:*"), Action: "sts:AssumeRole" },
      { ...subject(gitHub, "repo:*"), Effect: "Deny" },
    ],
    findings: [],
  },
  {
    name: "reads one provider once, beside other actions and principals",
    statement: {
      ...subject(gitHub, "repo:*"),
      Action: ["sts:TagSession", "sts:AssumeRoleWith*"],
      Principal: {
        AWS: "arn:aws:iam::111122223333:root",
        Federated: [1, 2].map((at) => `arn:aws:iam::${at}11122223333:oidc-provider/${gitHub}`),
      },
    },
    findings: [weak],
  },
  {
    name: "leaves to no_public_access whether strangers get in, where that is decided",
    statement: [subject(gitHub, "repo:*"), subject(gitHub, "repo:org/*")],
    peers: [noPublicAccess],
    findings: [{ ...weak, at: 1, severity: "medium" }],
  },
  {
    name: "uses a configured severity as it is",
    statement: subject(gitHub, "repo:org/name:*"),
    options: { severity: "critical" },
    findings: [{ ...weak, severity: "critical" }],
  },
]);
