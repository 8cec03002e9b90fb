import { describe, expect, test } from "vitest";
import { trustedKeys } from "../../test/support/access.ts";
import { readDocument } from "./document.ts";
import type { AccessRequest, RequestPrincipal } from "./request.ts";
import { isUntrusted } from "./untrusted.ts";

const named = "111122223333";
const strange = "999999999999";

const role = (account: string): RequestPrincipal => ({
  type: "AWS",
  arn: `arn:aws:iam::${account}:role/example-role`,
  session: "example-session",
});
const service: RequestPrincipal = { type: "Service", name: "sns.amazonaws.com" };
const anonymous: RequestPrincipal = { type: "Anonymous" };
const federated = (name: string): RequestPrincipal => ({ type: "Federated", name });
const hub = "token.actions.githubusercontent.com";
const hubArn = `arn:aws:iam::${named}:oidc-provider/${hub}`;

type Context = Readonly<Record<string, string | readonly string[]>>;

interface Asked {
  readonly by?: RequestPrincipal;
  readonly context?: Context;
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Elements of the one statement. */
  readonly element?: object;
  readonly extra?: readonly string[];
}

function untrusted({ by = role(strange), context = {}, placeholders, element, extra }: Asked) {
  const request: AccessRequest = {
    principal: by,
    action: "s3:GetObject",
    resource: "arn:aws:s3:::example/a",
    context: Object.fromEntries(
      Object.entries(context).map(([key, value]) => [key, [value].flat()]),
    ),
    ...(placeholders && { placeholders }),
  };
  const statement = { Effect: "Allow", Principal: "*", Action: "*", Resource: "*", ...element };
  const raw = { Version: "2012-10-17", Statement: [{ Effect: "Deny" }, statement] };
  return isUntrusted(request, readDocument(raw, "resource"), extra ?? []);
}

/** Conditions of one operator; which one says nothing here. */
const like = (values: Context) => ({ Condition: { StringLike: values } });

describe("who calls", () => {
  const principal = (Principal: unknown) => ({ Principal });
  const org = "aws:PrincipalOrgID";
  test.each<readonly [why: string, asked: Asked, expected: boolean]>([
    ["an account that is not named", {}, true],
    ["an account that is named", { by: role(named), element: principal({ AWS: named }) }, false],
    [
      "an account that is named anywhere",
      { by: role(named), element: { Resource: `arn:aws:sqs:us-east-1:${named}:queue` } },
      false,
    ],
    [
      "an account with zeros in front that is named",
      { by: role("000022223333"), element: principal({ AWS: "000022223333" }) },
      false,
    ],
    [
      "digits with one more in front",
      { by: role(named), element: { Resource: `arn:aws:s3:::1${named}` } },
      true,
    ],
    [
      "digits with one more behind",
      { by: role(named), element: { Resource: `arn:aws:s3:::${named}1` } },
      true,
    ],
    ["without signing in", { by: anonymous, element: principal({ AWS: named }) }, true],
    ["a service that is not named", { by: service, element: principal({ AWS: named }) }, true],
    [
      "a service that is named",
      { by: service, element: principal({ Service: service.name }) },
      false,
    ],
    [
      "a service that a condition names",
      { by: service, element: like({ "aws:PrincipalServiceName": service.name }) },
      false,
    ],
    [
      "a shared provider",
      { by: federated(hubArn), element: principal({ Federated: hubArn }) },
      true,
    ],
    [
      "a provider of one customer",
      { by: federated(`arn:aws:iam::${strange}:oidc-provider/login.example.com`) },
      false,
    ],
    ["a SAML provider", { by: federated(`arn:aws:iam::${strange}:saml-provider/corp`) }, false],
    ["a canonical user", { by: { type: "CanonicalUser", name: "79a59d" } }, false],
    ["the owner", { context: { "aws:ResourceAccount": strange } }, false],
    ["the owner, key in small letters", { context: { "aws:resourceaccount": strange } }, false],
    ["another than the owner", { context: { "aws:ResourceAccount": "888888888888" } }, true],
    [
      "an account that is in a tag, and no owner",
      { context: { "aws:PrincipalTag/a": strange, [org]: "o-2" } },
      true,
    ],
    [
      "a service for the owner",
      {
        by: service,
        context: { "aws:PrincipalAccount": strange, "aws:ResourceAccount": strange },
      },
      false,
    ],
    [
      "a service for another than the owner",
      {
        by: service,
        context: { "aws:PrincipalAccount": strange, "aws:ResourceAccount": "888888888888" },
      },
      true,
    ],
    [
      "a service of an unknown account",
      { by: service, context: { "aws:ResourceAccount": strange } },
      true,
    ],
    ["an account that a template fills in", { placeholders: { "${Account}": strange } }, false],
    [
      "another account than a template fills in",
      { placeholders: { "${Account}": "888888888888" } },
      true,
    ],
    [
      "a role that a template fills in",
      { placeholders: { "${Role}": `arn:aws:iam::${strange}:role/example-role` } },
      false,
    ],
    [
      "another role than a template fills in",
      { placeholders: { "${Role}": `arn:aws:iam::${strange}:role/other` } },
      true,
    ],
    [
      "a service of an account that a template fills in",
      {
        by: service,
        context: { "aws:PrincipalAccount": strange },
        placeholders: { "${Account}": strange },
      },
      false,
    ],
    [
      "a service of an unknown account, and an empty text of a template",
      { by: service, placeholders: { "${Suffix}": "" } },
      true,
    ],
  ])("%s", (_why, asked, expected) => {
    expect(untrusted(asked)).toBe(expected);
  });
});

describe("a value that the document gives", () => {
  test.each(trustedKeys)("of %s is of a named caller, any other is not", (key) => {
    const element = like({ [key]: ["given", "given-too"] });
    expect(untrusted({ element, context: { [key]: "given-too" } })).toBe(false);
    expect(untrusted({ element, context: { [key]: "other" } })).toBe(true);
  });

  const instance = "arn:aws:ec2:us-east-1:111122223333:instance/i-1";
  test.each<readonly [key: string, given: string | string[], value: string, expected: boolean]>([
    ["aws:SourceVpc", "VPC-1", "vpc-1", false],
    ["aws:SourceVpc", "vpc-1", "VPC-1", false],
    ["aws:PrincipalTag/team", "red", "red", true],
    ["aws:Referer", "https://example.com", "https://example.com", true],
    ["aws:SourceArn", `arn:aws:sns:*:${named}:*`, `arn:aws:sns:us-east-1:${named}:a`, false],
    ["aws:SourceArn", `arn:aws:sns:*:${named}:*`, `arn:aws:sns:us-east-1:${strange}:a`, true],
    [
      "aws:SourceArn",
      ["arn:aws:s3:::a*", `arn:aws:sns:*:${named}:*`],
      `arn:aws:sns:x:${named}:b`,
      false,
    ],
    ["aws:SourceArn", "arn:aws:s3:::example-*", "arn:aws:s3:::example-a", true],
    ["aws:SourceArn", "arn:aws:s3:::example-*", "arn", true],
    ["ec2:SourceInstanceArn", "arn:aws:ec2:*:111122223333:*", instance, false],
    [
      "lambda:FunctionArn",
      "arn:aws:lambda:*:111122223333:*",
      "arn:aws:lambda:x:111122223333:a",
      true,
    ],
    ["aws:FederatedProvider", hubArn, hubArn, false],
    ["aws:FederatedProvider", hubArn, hubArn.replace(named, strange), true],
    [
      "aws:FederatedProvider",
      `arn:aws:iam::${named}:saml-provider/*`,
      `arn:aws:iam::${named}:saml-provider/a`,
      false,
    ],
    ["aws:FederatedProvider", "accounts.google.com", "accounts.google.com", true],
    ["aws:FederatedProvider", "a.example/arn:", "a.example/arn:", true],
    ["aws:userid", "AROAEXAMPLE:*", "AROAEXAMPLE:session", false],
    ["aws:userid", ["AIDAEXAMPLE", "AROAEXAMPLE:*"], "AIDAEXAMPLE", false],
    ["aws:userid", "AROAEXAMPLE:*", "AROAOTHER:session", true],
    ["aws:userid", "AROAEXAMPLE:session", "AROAOTHER:session", true],
    ["aws:userid", "*:session", "AROAOTHER:session", true],
    ["aws:PrincipalTag/id", "AROAEXAMPLE:*", "AROAEXAMPLE:session", true],
    ["elasticfilesystem:AccessedViaMountTarget", "true", "true", false],
    ["elasticfilesystem:AccessedViaMountTarget", "false", "false", true],
    ["aws:SecureTransport", "true", "true", true],
  ])("%s, given %j: %s", (key, given, value, expected) => {
    expect(untrusted({ element: like({ [key]: given }), context: { [key]: value } })).toBe(
      expected,
    );
  });

  test("counts for its own key alone", () => {
    const element = like({ "aws:SourceVpc": "a", "aws:SourceVpce": "b" });
    expect(untrusted({ element, context: { "aws:SourceVpc": "b" } })).toBe(true);
    expect(untrusted({ context: { "aws:SourceVpc": "b" } })).toBe(true);
  });

  test("counts from each condition about its key", () => {
    const element = {
      Condition: { StringLike: { "aws:SourceVpc": "a" }, StringEquals: { "aws:SourceVpc": "b" } },
    };
    for (const value of ["a", "b"]) {
      expect(untrusted({ element, context: { "aws:SourceVpc": value } })).toBe(false);
    }
  });

  test("counts beside others", () => {
    const element = like({ "aws:SourceVpc": "a" });
    expect(untrusted({ element, context: { "aws:SourceVpc": "a", "aws:Referer": "b" } })).toBe(
      false,
    );
    expect(untrusted({ element, context: { "aws:Referer": "b", "aws:sourcevpc": "a" } })).toBe(
      false,
    );
  });
});

describe("further keys", () => {
  const key = "lambda:FunctionArn";
  const of = (account: string, name: string) =>
    `arn:aws:lambda:us-east-1:${account}:function:${name}`;
  test.each<readonly [given: string, value: string, extra: readonly string[], expected: boolean]>([
    [of(named, "a"), of(named, "a"), [], true],
    [of(named, "a"), of(named, "a"), [key], false],
    [of(named, "a"), of(named, "a"), [key.toUpperCase()], false],
    [of(named, "a"), of(named, "b"), [key], true],
    [of(named, "*"), of(named, "b"), [key], true],
  ])("given %s: %s, further %j", (given, value, extra, expected) => {
    const asked = { element: like({ [key]: given }), context: { [key]: value }, extra };
    expect(untrusted(asked)).toBe(expected);
  });
});

describe("a path of an organisation", () => {
  const path = "o-1/r-1/ou-1/";
  test.each<readonly [key: string, given: Context, value: string, expected: boolean]>([
    ["aws:PrincipalOrgPaths", { "aws:PrincipalOrgPaths": "o-1/*" }, path, false],
    ["aws:PrincipalOrgPaths", { "aws:PrincipalOrgPaths": ["o-2/*", "o-1/r-2/*"] }, path, false],
    ["aws:PrincipalOrgPaths", { "aws:PrincipalOrgPaths": "o-2/*" }, path, true],
    ["aws:PrincipalOrgPaths", { "aws:PrincipalOrgPaths": "o-1" }, path, true],
    ["aws:PrincipalOrgPaths", { "aws:PrincipalOrgPaths": "o-*/r-1/*" }, path, true],
    ["aws:PrincipalOrgPaths", { "aws:PrincipalOrgID": ["o-2", "o-1"] }, path, false],
    ["aws:PrincipalOrgPaths", { "aws:PrincipalOrgID": "o-2" }, path, true],
    ["aws:PrincipalOrgPaths", { "aws:SourceOrgID": "o-1" }, path, true],
    ["aws:PrincipalOrgPaths", {}, path, true],
    ["aws:SourceOrgPaths", { "aws:SourceOrgPaths": "o-1/*" }, path, false],
    ["aws:VpceOrgPaths", { "aws:VpceOrgID": "o-1" }, path, false],
    ["aws:ResourceOrgPaths", { "aws:ResourceOrgPaths": "o-1/*" }, path, true],
    ["aws:RequestTag/paths", { "aws:RequestTag/paths": "o-1/*" }, path, true],
  ])("%s, given %j: %s", (key, given, value, expected) => {
    expect(untrusted({ element: like(given), context: { [key]: value } })).toBe(expected);
  });
});

describe("an address", () => {
  test.each([
    ["10.1.2.3", false],
    ["127.0.0.1", false],
    ["169.254.1.1", false],
    ["172.16.0.1", false],
    ["172.31.255.255", false],
    ["192.168.1.1", false],
    ["::1", false],
    ["fd00::1", false],
    ["fe80::1", false],
    ["11.0.0.1", true],
    ["172.32.0.1", true],
    ["203.0.113.10", true],
    ["2001:db8::10", true],
  ])("%s", (value, expected) => {
    expect(untrusted({ context: { "aws:SourceIp": value } })).toBe(expected);
    expect(untrusted({ context: { "aws:VpcSourceIp": value } })).toBe(true);
  });
});

describe("claims of a shared provider", () => {
  const gitLab = "gitlab.com";
  const vercel = "oidc.vercel.com";
  const azure = "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d";
  const providerArn = (issuer: string) =>
    federated(`arn:aws:iam::${named}:oidc-provider/${issuer}`);
  type Claims = Readonly<Record<string, string | readonly string[]>>;
  const keyed = (issuer: string, claims: Claims) =>
    Object.fromEntries(
      Object.entries(claims).map(([claim, value]) => [
        claim.includes(":") ? claim : `${issuer}:${claim}`,
        value,
      ]),
    );
  const main = "repo:octo/app:ref:refs/heads/main";

  test.each<readonly [issuer: string, given: Claims, values: Claims, expected: boolean]>([
    [hub, {}, { sub: main }, true],
    [hub, { sub: main }, { sub: main }, false],
    [hub, { sub: "repo:octo/*" }, { sub: main }, false],
    [hub, { sub: ["repo:acme/*", "repo:octo/app:*"] }, { sub: main }, false],
    [hub, { sub: "repo:octo/*" }, { sub: "repo:acme/app:ref:x" }, true],
    [hub, { sub: "repo:octo/*" }, { sub: ["repo:acme/app:ref:x", main] }, false],
    [hub, { sub: "repo:octo*" }, { sub: main }, true],
    [hub, { sub: "repo:*/app:*" }, { sub: main }, true],
    [hub, { sub: "*:repo:octo/" }, { sub: main }, true],
    [hub, { sub: "repo:octo@1/*" }, { sub: "repo:octo@1/app@2:ref:x" }, false],
    [hub, { sub: "repo:octo/*" }, { sub: "repo:octo@1/app@2:ref:x" }, true],
    [hub, { sub: "repository_owner:octo" }, { sub: "repository_owner:octo:ref:x" }, false],
    [hub, { sub: "repository_owner:octo:*" }, { sub: "repository_owner:octo:ref:x" }, false],
    [hub, { sub: "repository_owner:oct" }, { sub: "repository_owner:octo:ref:x" }, true],
    [hub, { sub: "job_workflow_ref:octo/app/*" }, { sub: "job_workflow_ref:octo/app/a" }, true],
    [hub, { sub: "environment:prod" }, { sub: "environment:prod" }, true],
    [hub, { repository_owner: "octo" }, { repository_owner: "octo" }, false],
    [hub, { repository_owner: ["acme", "octo"] }, { repository_owner: "octo" }, false],
    [hub, { repository_owner: "octo" }, { repository_owner: ["acme", "octo"] }, false],
    [hub, { repository_owner: "octo-*" }, { repository_owner: "octo-a" }, true],
    [hub, { repository_owner: "octo" }, { repository_owner: "Octo" }, true],
    [hub, { repository: "octo/*" }, { repository: "octo/app" }, false],
    [hub, { repository: "octo*" }, { repository: "octo/app" }, true],
    [hub, { repository_owner_id: "octo" }, { repository_owner: "octo" }, true],
    [hub, { aud: "sts.amazonaws.com" }, { aud: "sts.amazonaws.com" }, true],
    [hub, { sub: "repo:octo/*" }, { aud: "x", sub: main }, false],
    [hub, { sub: "repo:octo/*" }, { sub: main, aud: "x" }, false],
    [gitLab, { sub: "project_path:octo/*" }, { sub: "project_path:octo/app:ref_type:x" }, false],
    [gitLab, { sub: "project_path:oct*" }, { sub: "project_path:octo/app:ref_type:x" }, true],
    [gitLab, { sub: "custom" }, { sub: "custom" }, false],
    [gitLab, { namespace_path: "octo/*" }, { namespace_path: "octo/group" }, false],
    [gitLab, { [`${hub}:sub`]: "custom" }, { sub: "custom" }, true],
    [vercel, { aud: "https://vercel.com/octo" }, { aud: "https://vercel.com/octo" }, false],
    [vercel, { aud: "https://vercel.com/octo" }, { aud: "https://vercel.com/octo-2" }, true],
    [vercel, { aud: "https://vercel.com/octo-2" }, { aud: "https://vercel.com/octo" }, true],
    [vercel, { aud: "https://vercel.com/octo2" }, { aud: "https://vercel.com/octo" }, true],
    [vercel, { aud: "https://vercel.com/oct" }, { aud: "https://vercel.com/octo" }, true],
    [azure, { "sts:RoleSessionName": "corp" }, { "sts:RoleSessionName": "corp" }, false],
    [azure, { "sts:RoleSessionName": "corp" }, { "sts:RoleSessionName": "other" }, true],
  ])("%s, given %j: %j", (issuer, given, values, expected) => {
    const element = { Condition: { StringLike: keyed(issuer, given) } };
    const asked = { by: providerArn(issuer), element, context: keyed(issuer, values) };
    expect(untrusted(asked)).toBe(expected);
  });

  test("say nothing of other callers", () => {
    const claims = keyed(hub, { repository_owner: "octo" });
    expect(untrusted({ element: like(claims), context: claims })).toBe(true);
  });

  test("of a domain are keys of the domain", () => {
    const google = "accounts.google.com";
    const context = { [`${google}:aud`]: "client" };
    expect(untrusted({ by: federated(google), context })).toBe(true);
    expect(untrusted({ by: federated(google), context, element: like(context) })).toBe(false);
  });
});
