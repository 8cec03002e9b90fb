import { describe, expect, test } from "vitest";
import { failing, findingsOfFirst } from "../../test/support/place-findings.ts";

const github = "token.actions.githubusercontent.com";

/** The trust policy of a role, as a data source. */
const role = (provider: string, conditions = "", rest = "") => `
data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [${provider}]
    }
    ${conditions}
  }
}
resource "aws_iam_role" "deploy" {
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
${rest}`;

const condition = (variable: string, value: string) => `condition {
  test     = "StringLike"
  variable = "${variable}"
  values   = ["${value}"]
}`;

const declared = `resource "aws_iam_openid_connect_provider" "own" {
  url = "https://${github}"
}`;

describe("a role for tokens of a provider that the file does not name", () => {
  test.each([
    ["an input", "var.provider_arn"],
    ["an output of a module", "module.eks.oidc_provider_arn"],
    ["a resource", "aws_iam_openid_connect_provider.own.arn"],
    ["the end of an ARN", '"arn:aws:iam::111122223333:oidc-provider/${var.issuer}"'],
    ["the resource part of an ARN", '"arn:aws:iam::111122223333:${var.provider}"'],
  ])("%s fails without a condition on the subject", async (_title, provider) => {
    expect(failing(await findingsOfFirst(role(provider)))).toContain(
      "high trust_policy_validation",
    );
    const audience = condition(`${github}:aud`, "sts.amazonaws.com");
    expect(failing(await findingsOfFirst(role(provider, audience)))).toContain(
      "high trust_policy_validation",
    );
  });

  test.each([
    ["the key of a known provider", `${github}:sub`],
    ["a key that the file does not give", "${var.issuer}:sub"],
  ])("passes with a condition on the subject under %s", async (_title, key) => {
    const one = condition(key, "repo:acme/site:ref:refs/heads/main");
    const both = `${one}\n${condition(key.replace(":sub", ":aud"), "sts.amazonaws.com")}`;
    expect(failing(await findingsOfFirst(role("var.provider_arn", both)))).toEqual([]);
  });

  test("the subject of any project is public access", async () => {
    const conditions = condition(`${github}:sub`, "repo:*");
    const found = await findingsOfFirst(role("var.provider_arn", conditions));
    expect(failing(found)).toContain("critical no_public_access");
  });

  test("messages have no name that the product made up", async () => {
    const found = await findingsOfFirst(role("var.provider_arn"));
    expect(found.map(({ message }) => message).join()).not.toMatch(/example\.com/);
  });
});

test("the provider of a resource is the one of its address", async () => {
  const provider = "aws_iam_openid_connect_provider.own";
  const key = `\${replace(${provider}.url, "https://", "")}:sub`;
  const open = role(`${provider}.arn`, condition(key, "repo:*"), declared);
  expect(failing(await findingsOfFirst(open))).toContain("critical no_public_access");
  const template = `Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: {Federated: !Ref Provider}
            Action: sts:AssumeRoleWithWebIdentity
  Provider:
    Type: AWS::IAM::OIDCProvider
    Properties: {Url: "https://${github}"}
`;
  const found = await findingsOfFirst(template, "template.yaml");
  expect(found.map(({ message }) => message).join()).toContain(`${github}:sub`);
});

test("the name of a provider in a message is the one of the condition", async () => {
  const template = `Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: {Federated: !Sub "arn:aws:iam::111122223333:oidc-provider/\${Provider}"}
            Action: sts:AssumeRoleWithWebIdentity
            Condition: {StringLike: {"${github}:sub": "repo:*"}}
`;
  const found = await findingsOfFirst(template, "template.yaml");
  expect(found.map(({ message }) => message).join()).toContain(`${github}:sub`);
});
