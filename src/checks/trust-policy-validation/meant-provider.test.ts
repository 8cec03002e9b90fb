import { expect, test } from "vitest";
import { meantProvider } from "./meant-provider.ts";

const github = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com";
const okta = "arn:aws:iam::111122223333:saml-provider/okta";

test.each([
  ["OIDC", "arn:aws:iam::111122223333:oidc-provider:token.actions.githubusercontent.com", github],
  ["OIDC", "arn:aws:iam::111122223333:oidc-providers/token.actions.githubusercontent.com", github],
  ["OIDC", "arn:aws:iam::111122223333:OIDC-Provider/token.actions.githubusercontent.com/", github],
  [
    "OIDC",
    "arn:aws:iam:111122223333:oidcprovider/https://token.actions.githubusercontent.com",
    github,
  ],
  [
    "OIDC",
    "arn:aws:iam::111122223333/oidc_provider/http://token.actions.githubusercontent.com",
    github,
  ],
  ["OIDC", " aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com ", github],
  ["SAML", "arn:AWS:iam::111122223333:saml-provider:okta", okta],
  ["SAML", "arn:aws-us-gov:iam::111122223333:saml/okta", null],
  ["SAML", okta, null],
  ["SAML", github, null],
  ["OIDC", "arn:aws:iam::111122223333:saml-provider:okta", null],
  ["OIDC", "arn:aws:iam::11112222333:oidc-provider:id.example.com", null],
  ["OIDC", `arn:aws:iam::111122223333:oidc-provider:${"a".repeat(2048)}`, null],
  [
    "OIDC",
    "token.actions.githubusercontent.com",
    `${github.replace("111122223333", "<account-id>")}`,
  ],
  [
    "OIDC",
    "https://token.actions.githubusercontent.com/",
    `${github.replace("111122223333", "<account-id>")}`,
  ],
  [
    "OIDC",
    "oidc.eks.eu-west-1.amazonaws.com/id/ABC",
    "arn:aws:iam::<account-id>:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC",
  ],
  ["OIDC", "lambda.amazonaws.com", null],
  ["OIDC", "x.oidc.eks.eu-west-1.amazonaws.com/id/ABC", null],
  ["SAML", "token.actions.githubusercontent.com", null],
  ["OIDC", "githubusercontent", null],
] as const)("as a provider of kind %s, %s means %s", (kind, text, meant) => {
  expect(meantProvider(text, kind)?.text ?? null).toBe(meant);
});

test("a provider without its account asks for the account", () => {
  const meant = meantProvider("token.actions.githubusercontent.com", "OIDC");
  expect(meant?.inputs.map(({ placeholder }) => placeholder)).toEqual(["<account-id>"]);
  expect(meantProvider(github.replace("provider/", "provider:"), "OIDC")?.inputs).toEqual([]);
});
