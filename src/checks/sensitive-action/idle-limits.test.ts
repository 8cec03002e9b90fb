import { describe, expect, test } from "vitest";
import { runCheck } from "../../../test/support/run-check.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { sensitiveAction } from "../sensitive-action.ts";

const services = embeddedServices();

interface Allow {
  readonly action: string;
  readonly resource?: string;
  readonly condition?: object;
}

function findingsOf({ action, resource = "*", condition }: Allow) {
  const statement = {
    Effect: "Allow",
    Action: action,
    Resource: resource,
    ...(condition ? { Condition: condition } : {}),
  };
  return runCheck(sensitiveAction, { statement, type: "IDENTITY_POLICY" }, services);
}

const equals = (key: string, value: string | readonly string[]) => ({
  StringEquals: { [key]: value },
});
const cluster = "arn:aws:eks::aws:cluster-access-policy";

describe("a condition that leaves what makes the action dangerous excuses nothing", () => {
  test.each<[string, object, RegExp]>([
    [
      "iam:PutGroupPolicy",
      equals("aws:ResourceAccount", "${aws:PrincipalAccount}"),
      /`aws:ResourceAccount` is that of the caller in every call to IAM/,
    ],
    ["ec2:ModifySnapshotAttribute", equals("ec2:Add/group", "all"), /admits `all`/],
    ["lambda:CreateFunctionUrlConfig", equals("lambda:FunctionUrlAuthType", "NONE"), /`NONE`/],
    ["s3:PutBucketAcl", equals("s3:x-amz-acl", ["private", "public-read"]), /`public-read`/],
    [
      "ram:CreateResourceShare",
      { Bool: { "ram:RequestedAllowsExternalPrincipals": "true" } },
      /admits `true`, which is a share with any account/,
    ],
    [
      "eks:AssociateAccessPolicy",
      { ArnLike: { "eks:policyArn": `${cluster}/*` } },
      /admits the policy `AmazonEKSClusterAdminPolicy`/,
    ],
    [
      "iam:PutRolePolicy",
      equals("iam:PermissionsBoundary", "arn:aws:iam::aws:policy/AdministratorAccess"),
      /admits the policy `AdministratorAccess`, which bounds nothing/,
    ],
    ["kms:Decrypt", equals("kms:CallerAccount", "111122223333"), /same value for everyone/],
    ["kms:Decrypt", equals("kms:EncryptionAlgorithm", "RSAES_OAEP_SHA_256"), /caller chooses/],
    ["s3:GetObject", { NumericGreaterThan: { "s3:TlsVersion": "1.2" } }, /encrypted connection/],
    [
      "s3:GetObject",
      equals("s3:signatureversion", "AWS4-HMAC-SHA256"),
      /how the request is signed/,
    ],
    [
      "secretsmanager:GetSecretValue",
      equals("secretsmanager:VersionStage", "AWSCURRENT"),
      /chooses/,
    ],
    [
      "secretsmanager:GetSecretValue",
      { StringLike: { "aws:SourceVpce": "vpce-*" } },
      /`aws:SourceVpce` matches every value/,
    ],
    [
      "secretsmanager:GetSecretValue",
      { StringEqualsIfExists: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" } },
      /`StringEqualsIfExists` holds without the tag of `aws:ResourceTag\/team` too/,
    ],
    [
      "s3:GetObject",
      { StringLikeIfExists: { "s3:ExistingObjectTag/public": "y*" } },
      /`StringLikeIfExists` holds without the tag of `s3:ExistingObjectTag\/public` too/,
    ],
    ["kms:Decrypt", { StringLike: { "kms:ViaService": "*.amazonaws.com" } }, /every service/],
    [
      "kms:Decrypt",
      { "ForAnyValue:StringLike": { "kms:ResourceAliases": "alias/*" } },
      /`kms:ResourceAliases` matches every value/,
    ],
    [
      "secretsmanager:GetSecretValue",
      { StringEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" } },
      /`StringEqualsIfExists` holds for requests without `aws:SourceVpc` too/,
    ],
    [
      "secretsmanager:GetSecretValue",
      {
        StringEqualsIfExists: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f6a7b8" },
        IpAddressIfExists: { "aws:VpcSourceIp": "10.0.0.0/16" },
      },
      /without `aws:SourceVpce` too and .* without `aws:VpcSourceIp` too/,
    ],
    [
      "s3:GetObject",
      { IpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } },
      /`IpAddressIfExists` holds for requests without `aws:SourceIp` too/,
    ],
    ["kms:Decrypt", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:*" } }, /user and role/],
    [
      "kms:Decrypt",
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/*" } },
      /`aws:PrincipalArn` matches every role/,
    ],
    [
      "kms:Decrypt",
      { StringLike: { "aws:userid": "*:*" } },
      /`aws:userid` matches every role session/,
    ],
    ["kms:Decrypt", { Bool: { "aws:ViaAWSService": "false" } }, /asks only that no service calls/],
    [
      "kms:Decrypt",
      { StringNotEquals: { "kms:ViaService": "s3.eu-west-1.amazonaws.com" } },
      /`StringNotEquals` on `kms:ViaService` holds for calls that no service makes/,
    ],
    [
      "kms:Decrypt",
      { StringNotEquals: { "aws:CalledViaFirst": "athena.amazonaws.com" } },
      /on `aws:CalledViaFirst` holds for calls that no service makes/,
    ],
    [
      "kms:Decrypt",
      { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      /`NotIpAddress` holds for all other addresses/,
    ],
  ])("%s under %j", async (action, condition, message) => {
    const [finding, ...others] = await findingsOf({ action, condition });
    expect(others).toEqual([]);
    expect(finding?.severity).toMatch(/^(?:critical|high)$/);
    expect(finding?.message).toMatch(message);
  });
});

describe("a condition that limits what makes the action dangerous is enough", () => {
  test.each<[string, object]>([
    ["ec2:ModifySnapshotAttribute", equals("ec2:Add/userId", "111122223333")],
    ["lambda:CreateFunctionUrlConfig", equals("lambda:FunctionUrlAuthType", "AWS_IAM")],
    ["s3:PutBucketAcl", equals("s3:x-amz-acl", "bucket-owner-full-control")],
    ["ram:CreateResourceShare", { Bool: { "ram:RequestedAllowsExternalPrincipals": "false" } }],
    [
      "eks:AssociateAccessPolicy",
      { ArnEquals: { "eks:policyArn": `${cluster}/AmazonEKSViewPolicy` } },
    ],
    [
      "iam:PutRolePolicy",
      equals("iam:PermissionsBoundary", "arn:aws:iam::111122223333:policy/boundary"),
    ],
    ["secretsmanager:GetSecretValue", equals("aws:ResourceAccount", "${aws:PrincipalAccount}")],
    ["secretsmanager:GetSecretValue", { StringLike: { "aws:SourceVpce": "vpce-0abc*" } }],
    ["kms:Decrypt", { StringLike: { "kms:ViaService": "s3.*.amazonaws.com" } }],
    ["kms:Decrypt", { "ForAnyValue:StringLike": { "kms:ResourceAliases": "alias/app-*" } }],
    [
      "secretsmanager:GetSecretValue",
      {
        StringEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" },
        IpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" },
      },
    ],
    [
      "secretsmanager:GetSecretValue",
      {
        StringEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" },
        Null: { "aws:SourceVpc": "false" },
      },
    ],
    ["kms:Decrypt", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/app-*" } }],
    ["kms:Decrypt", { StringLike: { "aws:userid": "*:deploy" } }],
    ["kms:Decrypt", { Bool: { "aws:ViaAWSService": "true" } }],
    ["kms:Decrypt", { NotIpAddress: { "aws:SourceIp": ["0.0.0.0/1", "128.0.0.0/2"] } }],
    [
      "secretsmanager:GetSecretValue",
      {
        StringEqualsIfExists: { "aws:RequestTag/team": "red" },
        StringEquals: { "aws:ResourceTag/team": "red" },
      },
    ],
  ])("%s under %j", async (action, condition) => {
    expect(await findingsOf({ action, condition })).toEqual([]);
  });
});

describe("the part that all generated ids share does not name a resource", () => {
  const kms = "arn:aws:kms:eu-west-1:111122223333:key";
  const secret = "arn:aws:secretsmanager:*:111122223333:secret";
  const instance = "arn:aws:ec2:*:111122223333:instance";
  const pool = "arn:aws:cognito-idp:us-east-1:111122223333:userpool";

  test.each([
    ["secretsmanager:GetSecretValue", `${secret}:*-??????`],
    ["ssm:StartSession", `${instance}/i-*`],
    ["ec2:ModifySnapshotAttribute", "arn:aws:ec2:*::snapshot/snap-0*"],
    ["cognito-idp:AdminSetUserPassword", `${pool}/us-east-1_*`],
    ["kms:PutKeyPolicy", `${kms}/????????-????-????-????-????????????`],
  ])("%s on %s is granted on every resource", async (action, resource) => {
    const [finding] = await findingsOf({ action, resource });
    expect(finding?.message).toContain("on every resource");
    expect(finding?.severity).toMatch(/^(?:critical|high)$/);
  });

  test.each([
    ["secretsmanager:GetSecretValue", `${secret}:prod-*`],
    ["ssm:StartSession", `${instance}/i-0a1b*`],
    ["cognito-idp:AdminSetUserPassword", `${pool}/us-east-1_AbC*`],
    ["kms:PutKeyPolicy", `${kms}/mrk-*`],
  ])("%s on %s names some", async (action, resource) => {
    const [finding] = await findingsOf({ action, resource });
    expect(finding?.message ?? "").not.toContain("on every resource");
  });
});

describe("a name that goes on after that of the caller names other users", () => {
  const user = "arn:aws:iam::*:user/${aws:username}";

  test.each(["iam:CreateAccessKey", "iam:UpdateLoginProfile", "iam:AttachUserPolicy"])(
    "%s on the caller and a wildcard is high",
    async (action) => {
      const [finding] = await findingsOf({ action, resource: `${user}*` });
      expect(finding?.severity).toBe("high");
      expect(finding?.message).toContain("is every user whose name begins with that of the caller");
    },
  );

  test("the example is the caller alone, unless the action gives the caller rights", async () => {
    const [keys] = await findingsOf({ action: "iam:CreateAccessKey", resource: `${user}*` });
    expect(keys?.suggestion).toBe(`Write \`${user}\`, which is the caller alone.`);
    expect(JSON.parse(keys?.example ?? "")).toMatchObject({ Resource: user });
    const [rights] = await findingsOf({ action: "iam:AttachUserPolicy", resource: `${user}*` });
    expect(rights?.suggestion).toContain("iam:PermissionsBoundary");
  });

  test.each([
    ["iam:CreateAccessKey", user, []],
    ["iam:CreateAccessKey", "arn:aws:iam::*:user/${aws:username}-*", ["medium"]],
    ["iam:EnableMFADevice", "arn:aws:iam::*:user/staff/${aws:username}", []],
  ])("%s on %s is not", async (action, resource, severities) => {
    const found = await findingsOf({ action, resource });
    expect(found.map(({ severity }) => severity)).toEqual(severities);
  });
});

describe("a test of iam:PolicyARN limits nothing where the caller writes these policies", () => {
  const policies = "arn:aws:iam::111122223333:policy";
  const attach = (PolicyARN: string) => ({
    Effect: "Allow",
    Action: "iam:AttachRolePolicy",
    Resource: "arn:aws:iam::111122223333:role/app-*",
    Condition: { ArnLike: { "iam:PolicyARN": PolicyARN } },
  });
  const create = (Resource: string, more: object = {}) => ({
    Sid: "Write",
    Effect: "Allow",
    Action: ["iam:CreatePolicy", "iam:GetPolicy"],
    Resource,
    ...more,
  });
  const boundary = { StringEquals: { "iam:PermissionsBoundary": `${policies}/boundary` } };
  const reason = /`iam:PolicyARN` admits policies that the caller may write \(Statement `Write`\)/;

  test.each<[string, readonly object[], boolean]>([
    ["its own policies", [attach(`${policies}/app-*`), create(`${policies}/app-*`)], true],
    ["some of them", [create(`${policies}/*`), attach(`${policies}/app-read`)], true],
    ["other policies", [attach(`${policies}/app/*`), create(`${policies}/other/*`)], false],
    ["those of AWS", [attach("arn:aws:iam::aws:policy/ReadOnlyAccess"), create("*")], false],
    [
      "its own policies, under a boundary",
      [
        { ...attach("*"), Condition: { ...attach(`${policies}/a*`).Condition, ...boundary } },
        create("*"),
      ],
      false,
    ],
    [
      "policies that a Deny keeps it from writing",
      [
        attach(`${policies}/app-*`),
        create("*"),
        { Effect: "Deny", Action: "iam:CreatePolicy", Resource: `${policies}/app-*` },
      ],
      false,
    ],
  ])("%s", async (_name, statement, isReported) => {
    const found = await runCheck(sensitiveAction, { statement, type: "IDENTITY_POLICY" }, services);
    const about = found.filter(({ message }) => reason.test(message));
    expect(about.map(({ severity }) => severity)).toEqual(isReported ? ["high"] : []);
  });
});
