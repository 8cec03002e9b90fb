import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const signIn = (Condition: object, more: object = {}) => ({
  Effect: "Deny",
  Principal: "*",
  Action: "sts:AssumeRoleWithWebIdentity",
  Resource: "*",
  Condition,
  ...more,
});
const type = "RESOURCE_CONTROL_POLICY" as const;
const ofMisspelt = "token.action.githubusercontent.com";
const ofGitHub = "token.actions.githubusercontent.com";

checkCases(
  conditionKeyValidation,
  [
    {
      name: "an RCP with a claim of a provider that is nearly a shared one is reported",
      type,
      statement: signIn({ StringNotLike: { [`${ofMisspelt}:sub`]: "repo:acme/*" } }),
      findings: [
        {
          issue_type: "invalid_condition_key",
          severity: "high",
          condition_key: `${ofMisspelt}:sub`,
          path: `/Statement/0/Condition/StringNotLike/${ofMisspelt}:sub`,
          message: `\`${ofMisspelt}:sub\` is a claim of \`${ofMisspelt}\`, which is not a known identity provider. No request carries an unknown key.`,
          suggestion: `Did you mean \`${ofGitHub}:sub\`?`,
        },
      ],
    },
    {
      name: "so is one whose test holds without the claim, and one of another claim",
      type,
      statement: [
        signIn({ StringNotLikeIfExists: { [`${ofMisspelt}:sub`]: "repo:acme/*" } }),
        signIn(
          { StringNotEquals: { [`${ofMisspelt}:repository_owner`]: "acme" } },
          { Action: "sts:*" },
        ),
      ],
      findings: [
        { at: 0, severity: "high" },
        { at: 1, suggestion: `Did you mean \`${ofGitHub}:repository_owner\`?` },
      ],
    },
    {
      name: "in an Allow it is an error",
      type: "IDENTITY_POLICY",
      statement: {
        Effect: "Allow",
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::data/*",
        Condition: { StringEquals: { [`${ofMisspelt}:sub`]: "repo:acme/app:ref:refs/heads/main" } },
      },
      findings: [{ severity: "error", suggestion: `Did you mean \`${ofGitHub}:sub\`?` }],
    },
    ...[
      ["a shared provider", "gitlab.com:sub"],
      ["a provider of one customer", "gitlab.acme.example:sub"],
      ["a cluster", "oidc.eks.eu-west-1.amazonaws.com/id/A1B2:sub"],
      ["a path of a shared provider", `${ofGitHub}/ab:sub`],
      ["Google", "accounts.google.com:aud"],
    ].map(([name, key]) => ({
      name: `a claim of ${name} is accepted`,
      type,
      statement: signIn({ StringNotLike: { [key ?? ""]: "x" } }),
      findings: [],
    })),
    {
      name: "a trust policy is left to the check that knows its provider",
      type: "TRUST_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${ofGitHub}` },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: { StringEquals: { [`${ofMisspelt}:sub`]: "repo:acme/app:ref:refs/heads/main" } },
      },
      findings: [],
    },
  ],
  embeddedServices(),
);
