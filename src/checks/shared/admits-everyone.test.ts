import { describe, expect, test } from "vitest";
import { parseDocument } from "../../policy/document.ts";
import { normalisePolicy } from "../../policy/normalise.ts";
import { limitingEntries, readCondition } from "./condition-limits.ts";

async function statementWith(Condition: object, members: object = { Principal: "*" }) {
  const document = await parseDocument({
    Version: "2012-10-17",
    Statement: { Effect: "Allow", ...members, Condition },
  });
  const { statements } = normalisePolicy(document, {
    type: "RESOURCE_POLICY",
    typeSource: "default",
    name: null,
  });
  const [statement] = statements;
  if (!statement) throw new Error("no statement");
  return statement;
}

const source = (arn: string) => ({ ArnLike: { "aws:SourceArn": arn } });
const addresses = (...ranges: string[]) => ({ IpAddress: { "aws:SourceIp": ranges } });

describe("a statement for everyone is not limited by", () => {
  test.each([
    ["any organization", { StringLike: { "aws:PrincipalOrgID": "o-*" } }],
    ["any organization", { StringLike: { "aws:SourceOrgID": ["o-a1b2c3d4e5", "o*"] } }],
    ["any organization", { "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-*/*" } }],
    ["any value", { "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "*" } }],
    ["any account", { StringLike: { "aws:PrincipalAccount": "????????????" } }],
    ["any value", { StringLike: { "kms:CallerAccount": "*" } }],
    ["any service", { StringLike: { "iam:PassedToService": "*.amazonaws.com" } }],
    ["any service", { StringLike: { "iam:PassedToService": ["ec2.*", "*amazonaws.com*"] } }],
    ["ARN of any account", source("arn:aws:lambda:us-east-1:*:function:orders")],
    ["ARN of any account", source("arn:aws:sns:*:*:*")],
    ["ARN of any account", source("arn:aws:sns:*")],
    ["ARN of any account", source("arn:aws:s3:::*")],
    ["ARN of any account", source("arn:aws:s3:::orders-*")],
    ["ARN of any account", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/deployer" } }],
    ["any principal id", { StringLike: { "aws:userid": "*:deployer" } }],
    ["any value", { StringLike: { "s3:prefix": ["home/", "?*"] } }],
    ["any address", addresses("0.0.0.0/1", "128.0.0.0/1")],
    ["any address", addresses("3.0.0.0/7")],
    ["any address", addresses("2000::/3")],
    ["any address", addresses("203.0.113.0/24", "0.0.0.0/0")],
    ["any address", addresses("::/0")],
    ["any value", { StringLike: { "aws:UserAgent": "**" } }],
    ["any value", { StringLike: { "aws:UserAgent": "?*" } }],
    ["any value", { StringLike: { "aws:SourceVpce": "vpce-*" } }],
    ["any value", { StringLike: { "aws:SourceVpc": "vpc-0*" } }],
    ["any value", { StringLike: { "aws:SourceVpc": "vpc-?*" } }],
    ["any value", { StringLike: { "kms:RequestAlias": "alias/*" } }],
    ["any value", { "ForAnyValue:StringLike": { "kms:ResourceAliases": "alias/**" } }],
    ["any organization", { StringLike: { "aws:PrincipalOrgID": "?-*" } }],
    ["ARN of any account", source("arn:aws:route53:::hostedzone/*")],
    ["ARN of any account", source("arn:aws:route53:::hostedzone/Z*")],
    ["ARN of any account", source("arn:aws:sns:*:????????????:orders")],
    ["ARN of any account", { StringLike: { "aws:SourceVpcArn": "arn:aws:ec2:*:*:vpc/*" } }],
    ["any principal id", { StringLike: { "aws:userid": "AROA*:deployer" } }],
  ])("%s: %j", async (openness, condition) => {
    const statement = await statementWith(condition);
    expect(limitingEntries(statement)).toEqual([]);
    expect(readCondition(statement).entries[0]?.openness).toBe(openness);
  });
});

describe("a statement for everyone is limited by", () => {
  test.each([
    [{ StringLike: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }],
    [{ "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } }],
    [source("arn:aws:lambda:us-east-1:111122223333:function:*")],
    [source("arn:aws:s3:::orders")],
    [source("arn:aws:sns:*:$" + "{aws:ResourceAccount}:*")],
    [{ ArnLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:*" } }],
    [{ StringLike: { "aws:userid": "AROAEXAMPLE:*" } }],
    [{ StringLike: { "iam:PassedToService": ["ec2.amazonaws.com*", "ec2.*"] } }],
    [{ StringLike: { "iam:PassedToService": "*.dms.amazonaws.com" } }],
    [{ StringEquals: { "iam:PassedToService": "ecs-tasks.amazonaws.com" } }],
    [{ StringLike: { "aws:ResourceTag/team": "*" } }],
    [{ StringLike: { "s3:ExistingObjectTag/public": "*" } }],
    [{ Null: { "aws:PrincipalTag/team": "false" } }],
    [addresses("203.0.113.0/24", "10.0.0.0/8")],
    [addresses("3.0.0.0/8")],
    [addresses("2001:db8::/32")],
    [addresses(...Array.from({ length: 1001 }, (_, at) => `${at % 200}.0.0.0/8`))],
    [{ StringLike: { "aws:SourceVpce": "vpce-0a1b*" } }],
    [{ StringLike: { "aws:SourceVpcX": "vpc-*" } }],
    [{ StringLike: { "kms:RequestAlias": "alias/orders-*" } }],
    [{ StringLike: { "kms:EncryptionContext:app": "alias/*" } }],
    [{ StringLike: { "aws:PrincipalOrgID": "o-a*" } }],
    [{ StringLike: { "aws:PrincipalAccount": "1*" } }],
    [{ StringLike: { "aws:PrincipalType": "o-*" } }],
    [source("arn:aws:s3:::orders/*")],
    [source("arn:aws:route53:::hostedzone/Z1*")],
    [source("arn:aws:route53:::hostedzone")],
    [source("arn:aws:sns:*:1111????????:orders")],
    [{ StringLike: { "aws:userid": "AROAEXAMPLE:dep*" } }],
    [{ "ForAnyValue:StringLike": { "aws:TagKeys": "*" } }],
    [{ StringEquals: { "aws:PrincipalOrgID": "*" } }],
  ])("%j", async (condition) => {
    expect(limitingEntries(await statementWith(condition))).toHaveLength(1);
  });
});

test("another entry may fix the organization of a role name that anyone can use", async () => {
  const statement = await statementWith({
    ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/deployer" },
    StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
  });
  expect(limitingEntries(statement).map(({ key }) => key)).toEqual(["aws:PrincipalOrgID"]);
});

test("in an identity policy the account of the caller is fixed", async () => {
  const condition = { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/deployer" } };
  expect(limitingEntries(await statementWith(condition, {}))).toHaveLength(1);
});

test("a Deny for the root users of all accounts is limited to them", async () => {
  const members = { Effect: "Deny", Principal: "*" };
  const condition = { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:root" } };
  expect(limitingEntries(await statementWith(condition, members))).toHaveLength(1);
});
