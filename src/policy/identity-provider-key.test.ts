import { expect, test } from "vitest";
import { identityProviderKey, misspeltClaim, misspeltProvider } from "./identity-provider-key.ts";
import { sharedProvider, subjectPrefixOf } from "./oidc-providers.ts";

test.each<[string, string, string]>([
  ["accounts.google.com:sub", "accounts.google.com", "sub"],
  ["accounts.google.com:OAUD", "accounts.google.com", "oaud"],
  ["accounts.google.com:aud", "accounts.google.com", "aud"],
  ["a.b:amr", "a.b", "amr"],
  ["oidc.example.com/id/A1.b_c:sub", "oidc.example.com/id/A1.b_c", "sub"],
  // Claims with which vendors tell their customers apart.
  ["gitlab.com:project_path", "gitlab.com", "project_path"],
  [
    "token.actions.githubusercontent.com:Repository",
    "token.actions.githubusercontent.com",
    "repository",
  ],
])("%s is a claim of a provider", (key, provider, claim) => {
  expect(identityProviderKey(key)).toEqual({ provider, claim });
});

test.each([
  "s3:prefix",
  "aws:a.b",
  "a.b",
  "example:sub",
  "/a.b:sub",
  "a.b:email",
  "accounts.google.com:project_path",
  "a..b:sub",
  "a.:sub",
  "example/a.b:sub",
  "app.terraform.io:terraform_workspace_id",
  "x.sub",
])("%s is none", (key) => {
  expect(identityProviderKey(key)).toBeNull();
});

const cognito = "cognito-identity.amazonaws.com";

test.each([
  ["cognito-identity.amazon.com", cognito],
  ["Cognito-Identity.AmazonAWS.co", cognito],
  ["cognito-identity.amazonaws.comxxx", cognito],
  [cognito, null],
  [cognito.toUpperCase(), null],
  ["cognito-identity.amazonaws.comxxxx", null],
  ["cognito-identity.amaz.com", null],
  ["cognito-idp.us-east-1.aws.com", null],
  ["token.action.githubusercontent.com", "token.actions.githubusercontent.com"],
  ["Token.Actions.GithubUserConten.com", "token.actions.githubusercontent.com"],
  ["vstoken.actions.githubusercontent.com", null],
  ["token.actions.githubusercontent.com/ab", null],
  ["app.terrafrom.io", "app.terraform.io"],
  ["app.terrateam.io", null],
  ["acounts.google.com", "accounts.google.com"],
  ["gitlab.co", null],
  ["sandbox.cloud", null],
])("the provider %s is a slip for %s", (provider, meant) => {
  expect(misspeltProvider(provider)).toBe(meant);
});

test.each([
  ["token.action.githubusercontent.com:Sub", "token.actions.githubusercontent.com:Sub"],
  [
    "token.action.githubusercontent.com:repository_owner",
    "token.actions.githubusercontent.com:repository_owner",
  ],
  ["token.action.githubusercontent.com:colour", null],
  ["token.actions.githubusercontent.com:sub", null],
  ["token.action.githubusercontent.com", null],
  ["sub", null],
])("the claim %s is a slip for %s", (key, meant) => {
  expect(misspeltClaim(key)).toBe(meant);
});

test.each([
  ["oidc.eks.eu-west-1.amazonaws.com/id/A1", "system:serviceaccount:"],
  ["OIDC.EKS.cn-north-1.amazonaws.com.cn/id/A1", "system:serviceaccount:"],
  ["oidc.eks.eu-west-1.amazonaws.com", null],
  ["xoidc.eks.eu-west-1.amazonaws.com/id/A1", null],
  ["gitlab.com", "project_path:"],
  ["GitLab.com/", "project_path:"],
  ["app.terraform.io", "organization:"],
  // Repositories of GitHub choose the claims of their subject.
  ["token.actions.githubusercontent.com", null],
  // Seen in policies, documented by no vendor.
  ["scalr.io", null],
  ["api.pulumi.com/oidc", null],
  ["example.com", null],
])("subjects of %s begin with %s", (issuer, prefix) => {
  expect(subjectPrefixOf(issuer)).toBe(prefix);
});

test("a provider is found in any letter case, with a slash at the end or without", () => {
  expect(sharedProvider("Agent.Buildkite.com/")?.name).toBe("Buildkite");
  expect(sharedProvider("agent.buildkite.com//")).toBeUndefined();
  expect(sharedProvider("/agent.buildkite.com")).toBeUndefined();
});
