import { expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { type Caller, caller, readSessionArn, sessionCaller, split } from "./callers.ts";
import { readDocument } from "./document.ts";
import { QuestionKeys } from "./keys.ts";
import type { AccessRequest } from "./request.ts";
import { isWellFormed } from "./well-formed.ts";

const account = "111122223333";
const role = `arn:aws:iam::${account}:role/team/app`;
const user = `arn:aws:iam::${account}:user/staff/alice`;
const sessionArn = `arn:aws:sts::${account}:assumed-role/app/build`;
const session = readSessionArn(sessionArn);
if (!session) throw new Error("not the ARN of a session");

/** Facts of a question whose documents test these keys, and name these roles and accounts. */
function facts(condition: object, named: { roles?: string[]; accounts?: string[] } = {}) {
  const raw = { Statement: { Effect: "Allow", Action: "*", Resource: "*", Condition: condition } };
  const conditions = readDocument(raw, "identity").statements.flatMap((one) => one.conditions);
  return {
    keys: new QuestionKeys(conditions, embeddedServices()),
    usedKeys: conditions.map(({ keyLower }) => keyLower),
    named: { roles: named.roles ?? [], accounts: named.accounts ?? [] },
  };
}

const tests = (...keys: string[]) => ({
  StringEquals: Object.fromEntries(keys.map((key) => [key, "x"])),
});

interface Case {
  readonly it: string;
  readonly by?: Caller;
  readonly principal?: AccessRequest["principal"];
  readonly action?: string;
  readonly resource?: string;
  readonly context?: AccessRequest["context"];
  readonly condition?: object;
  readonly named?: { roles?: string[]; accounts?: string[] };
}

const bySession = sessionCaller(sessionArn, session);
const asRole = { type: "AWS", arn: role, session: "build" } as const;
const asUser = { type: "AWS", arn: user } as const;
const asService = { type: "Service", name: "sns.amazonaws.com" } as const;

/** @returns whether the request of the case keeps the facts; without more, a role that reads an object. */
function keeps({ by = caller("role"), condition = {}, named = {}, ...request }: Case): boolean {
  const whole = {
    principal: request.principal ?? asRole,
    action: request.action ?? "s3:GetObject",
    resource: request.resource ?? "arn:aws:s3:::bucket/key",
    context: request.context ?? {},
  };
  return isWellFormed(whole, by, facts(condition, named));
}

const kept: readonly Case[] = [
  { it: "a role reads an object" },
  {
    it: "a role with a colon in its path, which the API takes",
    principal: { type: "AWS", arn: `arn:aws:iam::${account}:role/a:b/app`, session: "build" },
  },
  { it: "an action without resource", action: "s3:ListAllMyBuckets", resource: "*" },
  {
    it: "the root user",
    by: caller("root"),
    principal: { type: "AWS", arn: `arn:aws:iam::${account}:root` },
  },
  { it: "a user", by: caller("user"), principal: asUser, context: { "aws:username": ["alice"] } },
  {
    it: "a user, in other letter case of the key",
    by: caller("user"),
    principal: asUser,
    context: { "AWS:UserName": ["alice"] },
  },
  {
    it: "a service",
    by: caller("service", "sns.amazonaws.com"),
    principal: asService,
    context: {
      "aws:PrincipalServiceName": ["sns.amazonaws.com"],
      "aws:PrincipalAccount": ["444455556666"],
    },
    named: { accounts: [account] },
  },
  {
    it: "an anonymous caller",
    by: caller("anonymous"),
    principal: { type: "Anonymous" },
    context: { "aws:PrincipalAccount": ["anonymous"], "aws:PrincipalType": ["Anonymous"] },
  },
  {
    it: "a canonical user of an account that the documents name",
    by: caller("canonical", "79a5"),
    principal: { type: "CanonicalUser", name: "79a5" },
    context: { "aws:PrincipalAccount": [account] },
    named: { accounts: [account] },
  },
  {
    it: "a key of every request that is there",
    condition: tests("aws:RequestedRegion"),
    context: { "aws:RequestedRegion": ["eu-west-1"] },
  },
  { it: "a key that requests may lack", condition: tests("aws:SourceVpce") },
  { it: "several values of a key with several", context: { "aws:TagKeys": ["a", "b"] } },
  {
    it: "values of their types",
    context: {
      "aws:SecureTransport": ["true"],
      "aws:MultiFactorAuthAge": ["300"],
      "aws:TokenIssueTime": ["2026-01-01T00:00:00Z"],
      "aws:SourceIp": ["192.0.2.1"],
    },
  },
  {
    it: "the value of a secure connection that is false",
    context: { "aws:SecureTransport": ["false"] },
  },
  {
    it: "the ARN and the account of the caller",
    context: { "aws:PrincipalArn": [role], "aws:PrincipalAccount": [account] },
  },
  { it: "the only role of a session's name", by: bySession, named: { roles: [role] } },
  {
    it: "a session of a role whose ARN the documents do not hold",
    by: bySession,
    named: {
      roles: [
        `arn:aws:iam::444455556666:role/other/app`,
        `arn:aws-cn:iam::${account}:role/other/app`,
        `arn:aws:iam::${account}:role/other/my-app`,
      ],
    },
  },
  {
    it: "another role of that name, where the caller is any role",
    named: { roles: [`arn:aws:iam::${account}:role/other/app`] },
  },
  { it: "an address without an endpoint", context: { "aws:SourceIp": ["192.0.2.1"] } },
  { it: "an endpoint without an address", context: { "aws:SourceVpce": ["vpce-1"] } },
  {
    it: "the age of MFA beside MFA",
    condition: tests("aws:MultiFactorAuthPresent"),
    context: { "aws:MultiFactorAuthAge": ["5"], "aws:MultiFactorAuthPresent": ["true"] },
  },
  { it: "the age of MFA, where nothing tests MFA", context: { "aws:MultiFactorAuthAge": ["5"] } },
  {
    it: "an owner of a resource whose ARN has no account",
    context: { "aws:ResourceAccount": [account] },
  },
  {
    it: "the owner in the ARN",
    resource: `arn:aws:sqs:eu-west-1:${account}:q`,
    context: { "aws:ResourceAccount": [account] },
  },
  {
    it: "an ARN with a wildcard for the account",
    resource: "arn:aws:sqs:eu-west-1:*:q",
    context: { "aws:ResourceAccount": [account] },
  },
  {
    it: "one time in both forms",
    context: { "aws:CurrentTime": ["2026-01-01T00:00:00Z"], "aws:EpochTime": ["1767225600"] },
  },
  { it: "one of the two times", context: { "aws:CurrentTime": ["2026-01-01T00:00:00Z"] } },
  {
    it: "a path that begins with the organisation",
    condition: tests("aws:PrincipalOrgID", "aws:PrincipalOrgPaths"),
    context: { "aws:PrincipalOrgID": ["o-a"], "aws:PrincipalOrgPaths": ["o-a/r-b/"] },
  },
  {
    it: "no organisation and no path",
    condition: tests("aws:PrincipalOrgID", "aws:PrincipalOrgPaths"),
  },
  {
    it: "an organisation, where nothing tests the path",
    condition: tests("aws:PrincipalOrgID"),
    context: { "aws:PrincipalOrgID": ["o-a"] },
  },
  {
    it: "a path, where nothing tests the organisation",
    condition: tests("aws:PrincipalOrgPaths"),
    context: { "aws:PrincipalOrgPaths": ["o-a/r-b/"] },
  },
  {
    it: "a tag beside its key",
    condition: {
      ...tests("aws:RequestTag/Team"),
      "ForAllValues:StringEquals": { "aws:TagKeys": "Team" },
    },
    context: { "aws:RequestTag/Team": ["x"], "aws:TagKeys": ["team", "Other"] },
  },
  {
    it: "a tag, where nothing tests the keys",
    condition: tests("aws:RequestTag/Team"),
    context: { "aws:RequestTag/Team": ["x"] },
  },
];

const broken: readonly Case[] = [
  { it: "a resource that is no ARN", resource: "bucket" },
  { it: "an ARN that is too short", resource: "arn:aws:s3::bucket" },
  { it: "text in front of an ARN", resource: "xarn:aws:s3:::bucket/key" },
  { it: "an action without service", action: "GetObject" },
  {
    it: "a caller of another kind",
    principal: { type: "AWS", arn: `arn:aws:iam::${account}:group/app` },
  },
  {
    it: "a role with a colon in its name",
    principal: { type: "AWS", arn: `${role}:root`, session: "build" },
  },
  {
    it: "a user with a colon in its name",
    by: caller("user"),
    principal: { type: "AWS", arn: `${user}:x` },
  },
  { it: "a caller without name", principal: { type: "AWS", arn: `arn:aws:iam::${account}:role/` } },
  {
    it: "a user without name",
    by: caller("user"),
    principal: { type: "AWS", arn: `arn:aws:iam::${account}:user/` },
  },
  {
    it: "a caller of a short account",
    principal: { type: "AWS", arn: "arn:aws:iam::12:role/app" },
  },
  {
    it: "a caller with text behind root",
    by: caller("root"),
    principal: { type: "AWS", arn: `arn:aws:iam::${account}:roots` },
  },
  { it: "a caller with text in front", principal: { type: "AWS", arn: `x${role}` } },
  {
    it: "a user whose path ends in a slash",
    by: caller("user"),
    principal: { type: "AWS", arn: `arn:aws:iam::${account}:user/staff/` },
  },
  { it: "a key of every request that is missing", condition: tests("aws:RequestedRegion") },
  {
    it: "a key that this caller has in every request",
    by: split(caller("role"), new Set(["aws:sourcevpce"]), new Set()),
    condition: tests("aws:SourceVpce"),
  },
  { it: "a key without values", context: { "aws:SourceVpce": [] } },
  { it: "the name of a user in a request of a role", context: { "aws:username": ["alice"] } },
  { it: "several values of a key with one", context: { "aws:SourceVpce": ["vpce-1", "vpce-2"] } },
  { it: "another type of principal", context: { "aws:PrincipalType": ["User"] } },
  {
    it: "the name of another service",
    by: caller("service", "sns.amazonaws.com"),
    principal: asService,
    context: { "aws:PrincipalServiceName": ["s3.amazonaws.com"] },
  },
  { it: "a Boolean that is a word", context: { "aws:SecureTransport": ["yes"] } },
  { it: "a number that is a word", context: { "aws:MultiFactorAuthAge": ["old"] } },
  { it: "a time that is a word", context: { "aws:TokenIssueTime": ["today"] } },
  { it: "an address that is a word", context: { "aws:SourceIp": ["home"] } },
  {
    it: "the name of another user",
    by: caller("user"),
    principal: asUser,
    context: { "aws:username": ["bob"] },
  },
  { it: "another ARN of the caller", context: { "aws:PrincipalArn": [`${role}2`] } },
  { it: "another account of the caller", context: { "aws:PrincipalAccount": ["444455556666"] } },
  {
    it: "a service of an account that the documents name",
    by: caller("service", "sns.amazonaws.com"),
    principal: asService,
    context: { "aws:PrincipalAccount": [account] },
    named: { accounts: ["444455556666", account] },
  },
  {
    it: "a session of another role of that name",
    by: bySession,
    named: { roles: [`arn:aws:iam::${account}:role/other/app`] },
  },
  {
    it: "a session without name",
    by: bySession,
    principal: { type: "AWS", arn: role, session: "" },
  },
  {
    it: "a session of a role without name",
    by: bySession,
    principal: { type: "AWS", arn: `${role}/`, session: "build" },
  },
  {
    it: "an address beside an endpoint",
    context: { "aws:SourceIp": ["192.0.2.1"], "aws:SourceVpce": ["vpce-1"] },
  },
  {
    it: "an address beside a network",
    context: { "aws:SourceIp": ["192.0.2.1"], "aws:SourceVpc": ["vpc-1"] },
  },
  {
    it: "the age of MFA without MFA",
    condition: tests("aws:MultiFactorAuthPresent"),
    context: { "aws:MultiFactorAuthAge": ["5"] },
  },
  {
    it: "the age of MFA beside none",
    condition: tests("aws:MultiFactorAuthPresent"),
    context: { "aws:MultiFactorAuthAge": ["5"], "aws:MultiFactorAuthPresent": ["false"] },
  },
  {
    it: "another owner than the ARN has",
    resource: `arn:aws:sqs:eu-west-1:${account}:q`,
    context: { "aws:ResourceAccount": ["444455556666"] },
  },
  {
    it: "two times",
    context: { "aws:CurrentTime": ["2026-01-01T00:00:01Z"], "aws:EpochTime": ["1767225600"] },
  },
  {
    it: "a path of another organisation",
    condition: tests("aws:PrincipalOrgID", "aws:PrincipalOrgPaths"),
    context: { "aws:PrincipalOrgID": ["o-a"], "aws:PrincipalOrgPaths": ["o-ab/r-b/"] },
  },
  {
    it: "an organisation without its path",
    condition: tests("aws:PrincipalOrgID", "aws:PrincipalOrgPaths"),
    context: { "aws:PrincipalOrgID": ["o-a"] },
  },
  {
    it: "a path without its organisation",
    condition: tests("aws:ResourceOrgID", "aws:ResourceOrgPaths"),
    context: { "aws:ResourceOrgPaths": ["o-a/r-b/"] },
  },
  {
    it: "a path of another organization than one that only a variable asks for",
    condition: tests("aws:PrincipalOrgPaths"),
    context: { "aws:PrincipalOrgID": ["o-a"], "aws:PrincipalOrgPaths": ["o-b/r-b/"] },
  },
  { it: "a path without a slash", context: { "aws:SourceOrgPaths": ["o-a"] } },
  { it: "a path that begins with a slash", context: { "aws:ResourceOrgPaths": ["/o-a/"] } },
  { it: "two paths", context: { "aws:PrincipalOrgPaths": ["o-a/r-b/", "o-a/r-c/"] } },
  {
    it: "a tag without its key",
    condition: {
      ...tests("aws:RequestTag/Team"),
      "ForAllValues:StringEquals": { "aws:TagKeys": "Team" },
    },
    context: { "aws:RequestTag/Team": ["x"], "aws:TagKeys": ["Other"] },
  },
  {
    it: "a tag without any key",
    condition: {
      ...tests("aws:RequestTag/Team"),
      "ForAllValues:StringEquals": { "aws:TagKeys": "Team" },
    },
    context: { "aws:RequestTag/Team": ["x"] },
  },
  {
    it: "the key of a tag that is tested, without the tag",
    condition: {
      ...tests("aws:RequestTag/Team"),
      "ForAllValues:StringEquals": { "aws:TagKeys": "Team" },
    },
    context: { "aws:TagKeys": ["Team"] },
  },
];

test.each(kept)("a request may be: $it", (one) => {
  expect(keeps(one)).toBe(true);
});

test.each(broken)("no request is: $it", (one) => {
  expect(keeps(one)).toBe(false);
});
