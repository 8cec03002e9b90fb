import { expect, test } from "vitest";
import { defaultEngine } from "../../../scripts/verdicts/measure.ts";
import type { PolicyType } from "../../../spec/policy.ts";
import { validatePolicy } from "../../engine/run.ts";
import { parseDocument } from "../../policy/document.ts";

const engine = defaultEngine();

async function findingsOf(declaredType: PolicyType, ...Statement: object[]) {
  const document = await parseDocument(JSON.stringify({ Version: "2012-10-17", Statement }));
  const { findings } = await validatePolicy(
    { document, name: "p", label: "p", declaredType },
    engine,
  );
  return findings;
}

async function codesOf(declaredType: PolicyType, ...statements: object[]) {
  const findings = await findingsOf(declaredType, ...statements);
  return findings.map(({ aws_issue_code }) => aws_issue_code);
}

const user = { AWS: "arn:aws:iam::111122223333:user/alice" };
const tagged = {
  Effect: "Allow",
  Principal: user,
  Action: "sts:AssumeRole",
  Condition: { StringEquals: { "aws:RequestTag/team": "a" } },
};

test("a session tag without sts:TagSession is reported unless another statement allows it", async () => {
  const code = "MISSING_ACTION_FOR_CONDITION_KEY";
  expect(await codesOf("TRUST_POLICY", tagged)).toContain(code);
  const passing = { ...tagged, Action: "sts:TagSession" };
  expect(await codesOf("TRUST_POLICY", tagged, passing)).not.toContain(code);
  expect(await codesOf("TRUST_POLICY", tagged, { ...passing, Effect: "Deny" })).toContain(code);
});

test("the actions of IAM Roles Anywhere may be in several statements for it", async () => {
  const code = "MISSING_ACTION_FOR_ROLES_ANYWHERE_TRUST_POLICY";
  const assume = {
    Effect: "Allow",
    Principal: { Service: "rolesanywhere.amazonaws.com" },
    Action: "sts:AssumeRole",
  };
  const session = { ...assume, Action: ["sts:TagSession", "sts:SetSourceIdentity"] };
  expect(await codesOf("TRUST_POLICY", assume)).toContain(code);
  expect(await codesOf("TRUST_POLICY", assume, session)).not.toContain(code);
  expect(await codesOf("TRUST_POLICY", assume, { ...session, Principal: user })).toContain(code);
});

test("a calling service that AWS documents and its policy check refuses is no error", async () => {
  const code = "INVALID_SERVICE_PRINCIPAL_FORMAT";
  const viaService = (name: string) => ({
    Effect: "Allow",
    Action: "ec2:CreateNetworkInterface",
    Resource: "arn:aws:ec2:*:*:network-interface/*",
    Condition: { StringEquals: { "aws:CalledViaLast": name } },
  });
  const report = async (name: string) => {
    const findings = await findingsOf("IDENTITY_POLICY", viaService(name));
    return findings.filter((one) => one.aws_issue_code === code).map(({ severity }) => severity);
  };
  expect(await report("ops.emr-serverless.amazonaws.com")).toEqual(["info"]);
  expect(await report("ops.emr-server.amazonaws.com")).toEqual(["error"]);
  expect(await report("emr-serverless.amazonaws.com")).toEqual([]);
  const principal = { ...tagged, Principal: { Service: "s3" }, Condition: {} };
  expect(await codesOf("TRUST_POLICY", principal)).not.toContain(code);
});

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::example-bucket/*" };
const ofOrganization = (value: string) => ({
  Condition: { StringLike: { "aws:PrincipalOrgID": value } },
});

test("a wildcard in a key that draws a boundary is reported unless it lets everyone in", async () => {
  const code = "WILDCARD_USAGE_TOO_PERMISSIVE";
  const named = { ...read, Principal: user, ...ofOrganization("o-*") };
  expect(await codesOf("RESOURCE_POLICY", named)).toContain(code);
  expect(await codesOf("RESOURCE_POLICY", { ...named, Principal: "*" })).not.toContain(code);
  expect(await codesOf("IDENTITY_POLICY", { ...read, ...ofOrganization("o-*") })).toContain(code);
  expect(await codesOf("IDENTITY_POLICY", { ...read, ...ofOrganization("*") })).not.toContain(code);
});

test("a GitHub subject without a branch is reported where it has no wildcard", async () => {
  const code = "SPECIFIC_GITHUB_REPO_AND_BRANCH_RECOMMENDED";
  const issuer = "token.actions.githubusercontent.com";
  const trust = (operator: string, subject: string) => ({
    Effect: "Allow",
    Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
    Action: "sts:AssumeRoleWithWebIdentity",
    Condition: {
      StringEquals: { [`${issuer}:aud`]: "sts.amazonaws.com" },
      [operator]: { [`${issuer}:sub`]: subject },
    },
  });
  const exact = trust("StringLike", "repo:acme/shop:environment:production");
  expect(await codesOf("TRUST_POLICY", exact)).toContain(code);
  const tags = trust("StringLike", "repo:acme/shop:ref:refs/tags/v*");
  expect(await codesOf("TRUST_POLICY", tags)).not.toContain(code);
});

test("an RCP about the principal is reported unless it tells services from others", async () => {
  const code = "RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY";
  const ArnNotLike = { "aws:PrincipalArn": "arn:aws:iam::*:role/data" };
  const deny = { Effect: "Deny", Principal: "*", Action: "s3:*", Resource: "*" };
  expect(
    await codesOf("RESOURCE_CONTROL_POLICY", { ...deny, Condition: { ArnNotLike } }),
  ).toContain(code);
  const exempt = { ArnNotLike, Null: { "aws:PrincipalServiceName": "true" } };
  expect(await codesOf("RESOURCE_CONTROL_POLICY", { ...deny, Condition: exempt })).not.toContain(
    code,
  );
});

test("what a Deny of the policy takes back is not said to be allowed, nor what a boundary limits", async () => {
  const passing = "PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE";
  const creating = "CREATE_SLR_WITH_STAR_IN_ACTION_AND_RESOURCE";
  const allow = { Effect: "Allow", Action: "iam:*", Resource: "*" };
  const deny = { Effect: "Deny", Action: "iam:*", Resource: "*" };
  const ofOneRole = { ...deny, Resource: "arn:aws:iam::111122223333:role/admin" };
  expect(await codesOf("IDENTITY_POLICY", allow, ofOneRole)).toContain(creating);
  const left = await codesOf("IDENTITY_POLICY", allow, deny);
  expect(left).not.toContain(creating);
  expect(left).not.toContain(passing);
  expect(await codesOf("PERMISSIONS_BOUNDARY", allow)).not.toContain(creating);
});

test("a private address in a Deny is no gap where another Deny keeps other VPCs out", async () => {
  const code = "MISSING_PAIRED_CONDITION_KEYS";
  const deny = (Condition: object) => ({
    Effect: "Deny",
    Principal: "*",
    Action: "execute-api:Invoke",
    Resource: "execute-api:/*",
    Condition,
  });
  const range = deny({ NotIpAddress: { "aws:VpcSourceIp": "10.1.0.0/16" } });
  const vpc = deny({ StringNotEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f60718" } });
  expect(await codesOf("RESOURCE_POLICY", range, vpc)).not.toContain(code);
  const [finding] = (await findingsOf("RESOURCE_POLICY", range)).filter(
    ({ aws_issue_code }) => aws_issue_code === code,
  );
  expect(finding).toMatchObject({ suggestion: "Test `aws:SourceVpc` in another Deny.", fix: null });
  const own = deny({ StringEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f60718" } });
  expect(await codesOf("RESOURCE_POLICY", range, own)).toContain(code);
});

test("an alias in place of the ARN of a key is reported once", async () => {
  const put = {
    Effect: "Allow",
    Action: "s3:PutObject",
    Resource: "arn:aws:s3:::reports/*",
    Condition: {
      StringEquals: { "s3:x-amz-server-side-encryption-aws-kms-key-id": "alias/reports" },
    },
  };
  const found = (await findingsOf("IDENTITY_POLICY", put)).filter(
    ({ aws_issue_code }) => aws_issue_code === "INVALID_KMS_KEY_VALUE",
  );
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    severity: "error",
    message: expect.stringMatching(/which takes the ARN of a KMS key, such as `arn:aws:kms:/),
  });
});

test("a key policy with an alias as its resource is reported once", async () => {
  const statement = {
    Effect: "Allow",
    Principal: user,
    Action: "kms:Decrypt",
    Resource: "arn:aws:kms:eu-west-1:111122223333:alias/orders",
  };
  const found = await findingsOf("RESOURCE_POLICY", statement);
  expect(found.map(({ issue_type, severity }) => [issue_type, severity])).toEqual([
    ["resource_mismatch", "error"],
  ]);
});

test("a Deny that a text of the caller's choice escapes is high, except in the policy of one resource", async () => {
  const code = "UNTRUSTWORTHY_CONDITION_KEY";
  const deny = (operator: string, key: string, more: object = {}) => ({
    Effect: "Deny",
    Action: "s3:DeleteBucket",
    Resource: "*",
    Condition: { [operator]: { [key]: "*terraform*" } },
    ...more,
  });
  const severityOf = async (type: PolicyType, statement: object) => {
    const findings = await findingsOf(type, statement);
    return findings.find(({ aws_issue_code }) => aws_issue_code === code)?.severity;
  };
  const exempts = deny("StringNotLike", "aws:UserAgent");
  expect(await severityOf("SERVICE_CONTROL_POLICY", exempts)).toBe("high");
  expect(await severityOf("IDENTITY_POLICY", exempts)).toBe("high");
  expect(await severityOf("IDENTITY_POLICY", deny("StringNotLike", "aws:Referer"))).toBe("high");
  expect(await severityOf("SERVICE_CONTROL_POLICY", deny("StringLike", "aws:UserAgent"))).toBe(
    "warning",
  );
  const ofBucket = { Principal: "*", Resource: "arn:aws:s3:::pictures" };
  expect(await severityOf("RESOURCE_POLICY", deny("StringNotLike", "aws:Referer", ofBucket))).toBe(
    "warning",
  );
});
