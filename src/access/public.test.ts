import { describe, expect, test } from "vitest";
import {
  allow,
  found,
  grant,
  isPublic,
  type Side,
  trust,
  type Wanted,
} from "../../test/support/access.ts";

/** Whether a policy lets in callers whom it does not name. */
type Row = readonly [why: string, policy: Side, wanted: Wanted];

const org = { "aws:PrincipalOrgID": "o-a1b2c3d4e5" };
const account = "111122223333";
const anyone = (Condition?: object) => [grant("*", Condition)];
const equals = (key: string, value: unknown) => anyone({ StringEquals: { [key]: value } });
const like = (key: string, value: unknown) => anyone({ StringLike: { [key]: value } });
const arn = (key: string, value: unknown) => anyone({ ArnLike: { [key]: value } });
const ownPoint = `arn:aws:s3:eu-west-1:${account}:accesspoint/finance`;
const address = (value: unknown) => anyone({ IpAddress: { "aws:SourceIp": value } });
const denyUnless = (Condition: object): Side => [
  grant("*"),
  { ...grant("*", Condition), Effect: "Deny" },
];

const limits: readonly Row[] = [
  ["everyone", anyone(), "violated"],
  ["everyone in the form of a list", [grant({ AWS: ["*"] })], "violated"],
  ["an account", [grant({ AWS: account })], "holds"],
  ["a service that is named", [grant({ Service: "sns.amazonaws.com" })], "holds"],
  ["every service", [grant({ Service: "*" })], "violated"],
  ["a canonical user", [grant({ CanonicalUser: "a".repeat(64) })], "holds"],
  ["a Deny alone", [{ ...grant("*"), Effect: "Deny" }], "holds"],
  [
    "NotPrincipal in an Allow",
    [{ ...allow("s3:GetObject", "*"), NotPrincipal: { AWS: account } }],
    "violated",
  ],
  ["an organisation", equals("aws:PrincipalOrgID", "o-a1b2c3d4e5"), "holds"],
  ["an organisation with IfExists", anyone({ StringEqualsIfExists: org }), "violated"],
  ["any organisation", like("aws:PrincipalOrgID", "o-*"), "violated"],
  [
    "sessions of a provider of an account",
    equals("aws:FederatedProvider", `arn:aws:iam::${account}:oidc-provider/gitlab.com`),
    "holds",
  ],
  [
    "sessions of a provider that all accounts share",
    equals("aws:FederatedProvider", "cognito-identity.amazonaws.com"),
    "violated",
  ],
  [
    "sessions of a provider that a template fills in",
    equals("aws:FederatedProvider", "${ProviderArn}"),
    "holds",
  ],
  [
    "a VPC of a service network",
    equals("vpc-lattice-svcs:SourceVpc", "vpc-0123456789abcdef0"),
    "holds",
  ],
  [
    "the VPCs of an account in a service network",
    equals("vpc-lattice-svcs:SourceVpcOwnerAccount", account),
    "holds",
  ],
  ["any VPC of a service network", like("vpc-lattice-svcs:SourceVpc", "vpc-*"), "violated"],
  ["all but an organisation", anyone({ StringNotEquals: org }), "violated"],
  ["an organisation by Deny", denyUnless({ StringNotEquals: org }), "holds"],
  ["by Deny with IfExists", denyUnless({ StringNotEqualsIfExists: org }), "holds"],
  [
    "by Deny of services too",
    denyUnless({ StringNotEquals: org, Bool: { "aws:PrincipalIsAWSService": "false" } }),
    "violated",
  ],
  [
    "by Deny for callers with an organisation",
    denyUnless({ StringNotEquals: org, Null: { "aws:PrincipalOrgID": "false" } }),
    "violated",
  ],
  [
    "a path of an organisation",
    anyone({ "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/r-ab12/*" } }),
    "holds",
  ],
  [
    "a path with ForAllValues, true without it",
    anyone({ "ForAllValues:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } }),
    "violated",
  ],
  [
    "a path of any organisation",
    anyone({ "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-*/r-ab12/*" } }),
    "violated",
  ],
  ["the account of the caller", equals("aws:PrincipalAccount", account), "holds"],
  ["a pattern of accounts", like("aws:PrincipalAccount", "1111*"), "violated"],
  ["roles of an account", arn("aws:PrincipalArn", `arn:aws:iam::${account}:role/*`), "holds"],
  ["a role of any account", arn("aws:PrincipalArn", "arn:aws:iam::*:role/admin"), "violated"],
  ["the owner's account", equals("aws:PrincipalAccount", "${aws:ResourceAccount}"), "holds"],
  [
    "the owner's account by ARN",
    arn("aws:PrincipalArn", "arn:aws:iam::${aws:ResourceAccount}:root"),
    "holds",
  ],
  [
    "the owner's account by Deny",
    denyUnless({ StringNotEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" } }),
    "holds",
  ],
  ["the owner's organisation", equals("aws:PrincipalOrgID", "${aws:ResourceOrgID}"), "holds"],
  ["a VPC endpoint", equals("aws:SourceVpce", "vpce-1a2b3c4d"), "holds"],
  ["any VPC endpoint", like("aws:SourceVpce", "vpce-*"), "violated"],
  ["a VPC", equals("aws:SourceVpc", ["vpc-1a2b3c4d", "vpc-5e6f7a8b"]), "holds"],
  ["an account of the source", equals("aws:SourceAccount", account), "holds"],
  ["a source ARN of an account", arn("aws:SourceArn", `arn:aws:sns:*:${account}:*`), "holds"],
  ["a source ARN without account", arn("aws:SourceArn", "arn:aws:s3:::example"), "holds"],
  ["a pattern of source ARNs", arn("aws:SourceArn", "arn:aws:s3:::example-*"), "violated"],
  ["an access point", arn("s3:DataAccessPointArn", ownPoint), "holds"],
  [
    "an access point in its own policy",
    [
      {
        ...grant("*", { ArnLike: { "s3:DataAccessPointArn": ownPoint } }),
        Resource: `${ownPoint}/object/*`,
      },
    ],
    "violated",
  ],
  [
    "the account of an access point in its own policy",
    [
      {
        ...grant("*", { StringEquals: { "s3:DataAccessPointAccount": account } }),
        Resource: `${ownPoint}/object/*`,
      },
    ],
    "violated",
  ],
  ["a source ARN of any account", arn("aws:SourceArn", "arn:aws:sns:*:*:topic"), "violated"],
  [
    "another account than one",
    anyone({ StringNotEquals: { "aws:SourceAccount": account } }),
    "violated",
  ],
  ["a KMS caller", equals("kms:CallerAccount", account), "holds"],
  ["an id of a role", like("aws:userid", "AROAEXAMPLEID:*"), "holds"],
  ["a pattern of ids", like("aws:userid", "AROA*"), "violated"],
  [
    "a mount target",
    anyone({ Bool: { "elasticfilesystem:AccessedViaMountTarget": "true" } }),
    "holds",
  ],
  [
    "not a mount target",
    anyone({ Bool: { "elasticfilesystem:AccessedViaMountTarget": "false" } }),
    "violated",
  ],
  ["a tag of the caller", equals("aws:PrincipalTag/team", "x"), "violated"],
  ["a referer", equals("aws:Referer", "https://example.com"), "violated"],
  ["TLS", anyone({ Bool: { "aws:SecureTransport": "true" } }), "violated"],
  ["MFA", anyone({ Bool: { "aws:MultiFactorAuthPresent": "true" } }), "violated"],
  ["a type of principal", equals("aws:PrincipalType", "User"), "violated"],
  ["services only", anyone({ Bool: { "aws:PrincipalIsAWSService": "true" } }), "violated"],
  ["a service by name", equals("aws:PrincipalServiceName", "sns.amazonaws.com"), "holds"],
  [
    "one statement of two is limited",
    [...equals("aws:PrincipalOrgID", "o-a1b2c3d4e5"), ...anyone()],
    "violated",
  ],
  [
    "a condition that no request can meet",
    anyone({ StringEquals: { "aws:SourceVpce": [] } }),
    "holds",
  ],
  [
    "the default of a variable whose key is absent",
    anyone({
      StringEquals: { "aws:UserAgent": "${aws:Referer, 'anyone'}" },
      Null: { "aws:Referer": "true" },
    }),
    "violated",
  ],
  ["an unknown operator", anyone({ StringFuzzy: org }), { undecided: "unknown_operator" }],
];

const networks: readonly Row[] = [
  ["an office", address("203.0.113.0/24"), "holds"],
  ["a /8", address("52.0.0.0/8"), "holds"],
  ["more than a /8", address(["52.0.0.0/8", "54.0.0.0/32"]), "violated"],
  ["half the internet", address("0.0.0.0/1"), "violated"],
  ["all of it", address("0.0.0.0/0"), "violated"],
  ["all of IPv6", address("::/0"), "violated"],
  ["a /32 of IPv6", address("2a00::/32"), "holds"],
  ["a /31 of IPv6", address("2a00::/31"), "violated"],
  [
    "private ranges",
    address(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]),
    "holds",
  ],
  ["all but an office", anyone({ NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } }), "violated"],
  [
    "an office with IfExists",
    anyone({ IpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } }),
    "violated",
  ],
  [
    "an office by Deny",
    denyUnless({ NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } }),
    "holds",
  ],
  [
    "by Deny of requests with an address",
    denyUnless({
      NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" },
      Null: { "aws:SourceIp": "false" },
    }),
    "violated",
  ],
];

describe.each([
  ["limits", limits],
  ["networks", networks],
] as const)("resource policy: %s", (_, rows) => {
  test.each(rows)("%s", (_why, policy, wanted) => {
    expect(found(isPublic(policy))).toEqual(wanted);
  });
});

describe("further keys", () => {
  const key = "lambda:FunctionArn";
  const name = `arn:aws:lambda:us-east-1:${account}:function:a`;
  test.each<readonly [why: string, policy: Side, extra: readonly string[], wanted: Wanted]>([
    ["a fixed value", equals(key, name), [key], "holds"],
    ["a fixed value, key in another case", equals(key, name), [key.toUpperCase()], "holds"],
    ["a fixed value of a key that is none of them", equals(key, name), [], "violated"],
    ["a pattern, even one of a fixed account", arn(key, `${name}*`), [key], "violated"],
  ])("%s", (_why, policy, extra, wanted) => {
    expect(found(isPublic(policy, "resource", extra))).toEqual(wanted);
  });
});

const assume = "sts:AssumeRole";
const web = "sts:AssumeRoleWithWebIdentity";
const hub = "token.actions.githubusercontent.com";
const claim = (operator: string, claims: object, name = hub): Side => [
  trust(
    web,
    {
      Federated:
        name.includes("cognito") || name.includes("google")
          ? name
          : `arn:aws:iam::${account}:oidc-provider/${name}`,
    },
    {
      [operator]: Object.fromEntries(
        Object.entries(claims).map(([key, value]) => [`${name}:${key}`, value]),
      ),
    },
  ),
];

const twoProviders = {
  Federated: [hub, "gitlab.com"].map((one) => `arn:aws:iam::${account}:oidc-provider/${one}`),
};
const trusts: readonly Row[] = [
  [
    "several shared providers, with a claim of the one that the others' tokens lack",
    [trust(web, twoProviders, { StringEquals: { [`${hub}:sub`]: "repo:acme/app:ref:x" } })],
    "holds",
  ],
  [
    "several shared providers, with a claim of the one where it is there",
    [trust(web, twoProviders, { StringEqualsIfExists: { [`${hub}:sub`]: "repo:acme/app:ref:x" } })],
    "violated",
  ],
  ["everyone", [trust(assume, "*")], "violated"],
  [
    "an external id limits no caller",
    [trust(assume, "*", { StringEquals: { "sts:ExternalId": "x" } })],
    "violated",
  ],
  ["an organisation", [trust(assume, "*", { StringEquals: org })], "holds"],
  ["a service", [trust(assume, { Service: "ec2.amazonaws.com" })], "holds"],
  [
    "a SAML provider",
    [trust("sts:AssumeRoleWithSAML", { Federated: `arn:aws:iam::${account}:saml-provider/corp` })],
    "holds",
  ],
  [
    "a separate cluster",
    [
      trust(web, {
        Federated: `arn:aws:iam::${account}:oidc-provider/oidc.eks.us-east-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B716D3041E`,
      }),
    ],
    "holds",
  ],
  [
    "GitHub without a condition",
    [trust(web, { Federated: `arn:aws:iam::${account}:oidc-provider/${hub}` })],
    "violated",
  ],
  ["an audience limits no caller", claim("StringEquals", { aud: "sts.amazonaws.com" }), "violated"],
  [
    "a repository",
    claim("StringEquals", { sub: "repo:octo-org/app:ref:refs/heads/main" }),
    "holds",
  ],
  ["an owner", claim("StringLike", { sub: "repo:octo-org/*" }), "holds"],
  ["an owner with its id", claim("StringLike", { sub: "repo:octo-org@1234/*" }), "holds"],
  ["the beginning of an owner", claim("StringLike", { sub: "repo:octo-org*" }), "violated"],
  ["a repository of any owner", claim("StringLike", { sub: "repo:*/app:*" }), "violated"],
  [
    "a repository without the name of its claim, which no token has",
    claim("StringEquals", { sub: "acme/app:ref:refs/heads/main" }),
    "holds",
  ],
  [
    "a workflow that anyone may call",
    claim("StringLike", { sub: "job_workflow_ref:acme/app/*" }),
    "violated",
  ],
  ["an owner's claim", claim("StringEquals", { repository_owner: "octo-org" }), "holds"],
  ["a pattern of owners", claim("StringLike", { repository_owner: "octo-*" }), "violated"],
  [
    "a called workflow",
    claim("StringEquals", { job_workflow_ref: "octo-org/app/.github/workflows/a.yml@main" }),
    "violated",
  ],
  ["a claim with IfExists", claim("StringLikeIfExists", { sub: "repo:octo-org/*" }), "violated"],
  ["a negated claim", claim("StringNotLike", { sub: "repo:octo-org/*" }), "violated"],
  ["ForAllValues", claim("ForAllValues:StringLike", { sub: "repo:octo-org/*" }), "violated"],
  ["ForAnyValue", claim("ForAnyValue:StringLike", { sub: "repo:octo-org/*" }), "holds"],
  [
    "GitLab's group",
    claim("StringLike", { sub: "project_path:octo-group/*" }, "gitlab.com"),
    "holds",
  ],
  ["any group", claim("StringLike", { sub: "project_path:*" }, "gitlab.com"), "violated"],
  [
    "Terraform's organisation",
    claim("StringLike", { sub: "organization:octo:*" }, "app.terraform.io"),
    "holds",
  ],
  [
    "Terraform's organisation left open",
    claim("StringLike", { sub: "organization:octo*" }, "app.terraform.io"),
    "violated",
  ],
  [
    "Vercel's team",
    claim("StringEquals", { aud: "https://vercel.com/octo" }, "oidc.vercel.com"),
    "holds",
  ],
  [
    "Vercel's team left open",
    claim("StringLike", { aud: "https://vercel.com/octo-*" }, "oidc.vercel.com"),
    "violated",
  ],
  [
    "Vercel's team that a template fills in",
    claim("StringEquals", { aud: "https://vercel.com/${Team}" }, "oidc.vercel.com"),
    "holds",
  ],
  [
    "Vercel's team that a template begins",
    claim("StringLike", { aud: "https://vercel.com/${Team}-*" }, "oidc.vercel.com"),
    "violated",
  ],
  [
    "Cognito's pool",
    claim(
      "StringEquals",
      { aud: "us-east-1:12345678-1234-1234-1234-123456789012" },
      "cognito-identity.amazonaws.com",
    ),
    "holds",
  ],
  [
    "Cognito without pool",
    claim("ForAnyValue:StringLike", { amr: "authenticated" }, "cognito-identity.amazonaws.com"),
    "violated",
  ],
  [
    "Google's client",
    claim("StringEquals", { aud: "client.apps.googleusercontent.com" }, "accounts.google.com"),
    "holds",
  ],
];

test.each(trusts)("trust policy: %s", (_why, policy, wanted) => {
  expect(found(isPublic(policy, "trust"))).toEqual(wanted);
});
