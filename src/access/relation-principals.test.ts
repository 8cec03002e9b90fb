import { describe, expect, test } from "vitest";
import { allow, grant, relation, type Side } from "../../test/support/access.ts";

/** Whom the left policy lets in beside the callers of the right one, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const aws = (AWS: string | readonly string[], Condition?: object) => [grant({ AWS }, Condition)];
const service = (Service: string | readonly string[], Condition?: object) => [
  grant({ Service }, Condition),
];
const anyone = (Condition?: object) => [grant("*", Condition)];
const none: Side = [];
const account = "111122223333";
const root = `arn:aws:iam::${account}:root`;
const role = `arn:aws:iam::${account}:role/app`;
const user = `arn:aws:iam::${account}:user/alice`;
const session = `arn:aws:sts::${account}:assumed-role/app/ci`;
const denied = (entry: object) => ({ ...grant("*"), Effect: "Deny", ...entry });
const allBut = (NotPrincipal: object): Side => {
  const { Principal: _, ...rest } = grant("*");
  return [grant("*"), { ...rest, Effect: "Deny", NotPrincipal }];
};

const identities: readonly Row[] = [
  ["an account and its root ARN", aws(account), "equal", aws(root)],
  ["in another partition", aws(account), "equal", aws(`arn:aws-cn:iam::${account}:root`)],
  ["another account", aws(account), "different", aws("444455556666")],
  ["a role of the account", aws(role), "narrower", aws(account)],
  ["a session of the role", aws(session), "narrower", aws(role)],
  ["a session of the account", aws(session), "narrower", aws(root)],
  [
    "a session of a role with a path",
    aws(`arn:aws:sts::${account}:assumed-role/app/ci`),
    "narrower",
    aws([`arn:aws:iam::${account}:role/team/app`]),
  ],
  [
    "two sessions",
    aws(session),
    "different",
    aws(`arn:aws:sts::${account}:assumed-role/app/other`),
  ],
  ["a user and a role", aws(user), "different", aws(role)],
  ["* and AWS *", anyone(), "equal", aws("*")],
  ["everyone includes services", service("sns.amazonaws.com"), "narrower", anyone()],
  ["... and providers", [grant({ Federated: "accounts.google.com" })], "narrower", anyone()],
  ["a service is not an account", service("sns.amazonaws.com"), "different", aws(account)],
  [
    "two services",
    service("sns.amazonaws.com"),
    "narrower",
    service(["s3.amazonaws.com", "sns.amazonaws.com"]),
  ],
  ["every service", service("sns.amazonaws.com"), "narrower", service("*")],
  [
    "every service by its key",
    anyone({ Bool: { "aws:PrincipalIsAWSService": "true" } }),
    "equal",
    service("*"),
  ],
  [
    "a service by its keys",
    anyone({
      StringEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" },
      Bool: { "aws:PrincipalIsAWSService": "true" },
    }),
    "equal",
    service("sns.amazonaws.com"),
  ],
  ["a role by its key", anyone({ ArnEquals: { "aws:PrincipalArn": role } }), "equal", aws(role)],
  ["a user by its key", anyone({ StringEquals: { "aws:PrincipalArn": user } }), "equal", aws(user)],
  [
    "an account by its key",
    anyone({ StringEquals: { "aws:PrincipalAccount": account } }),
    "equal",
    aws(root),
  ],
  [
    "roles of an account by a pattern",
    anyone({ ArnLike: { "aws:PrincipalArn": `arn:aws:iam::${account}:role/*` } }),
    "narrower",
    aws(account),
  ],
  [
    "a condition that the role cannot meet",
    aws(role, { StringEquals: { "aws:PrincipalAccount": "444455556666" } }),
    "equal",
    none,
  ],
  [
    "a service has no organisation",
    service("sns.amazonaws.com", { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
    "equal",
    none,
  ],
  [
    "... so a negated operator lets it in",
    service("sns.amazonaws.com", { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
    "equal",
    service("sns.amazonaws.com"),
  ],
  [
    "a caller who is not signed in has no tag",
    anyone({ StringEquals: { "aws:PrincipalType": "Anonymous", "aws:PrincipalTag/a": "b" } }),
    "equal",
    none,
  ],
  [
    "callers without signing in are of no account",
    anyone({ StringEquals: { "aws:PrincipalAccount": "anonymous" } }),
    "narrower",
    anyone({ StringNotEquals: { "aws:PrincipalAccount": account } }),
  ],
  [
    "a root user has no tags",
    aws(root, {
      StringEquals: { "aws:PrincipalType": "Account" },
      Null: { "aws:PrincipalTag/a": "false" },
    }),
    "equal",
    none,
  ],
  [
    "a root user by a text pattern: no role is called x:root",
    aws(account, { StringNotLike: { "aws:PrincipalArn": "arn:*:iam::*:root" } }),
    "equal",
    aws(account, { StringNotEquals: { "aws:PrincipalType": "Account" } }),
  ],
  ["a canonical user", [grant({ CanonicalUser: "a".repeat(64) })], "narrower", anyone()],
  [
    "... may belong to an account",
    [grant({ CanonicalUser: "a".repeat(64) })],
    "undecided: canonical_user",
    aws(account),
  ],
  ["an empty list of principals", aws([]), "equal", none],
  ["principals in another order", aws([role, user]), "equal", aws([user, role])],
  ["a type that does not exist", [grant({ Nobody: "*" })], "undecided: invalid_statement", none],
  ["no principal", [allow("s3:GetObject", "*")], "undecided: invalid_statement", none],
];

const notPrincipals: readonly Row[] = [
  ["a Deny for all but one account leaves its root user", allBut({ AWS: root }), "wider", none],
  ["... stays within that account", allBut({ AWS: root }), "narrower", anyone()],
  [
    "... and may reach nothing else",
    allBut({ AWS: [root, role] }),
    "undecided: not_principal",
    aws(role),
  ],
  [
    "a service that is listed",
    allBut({ Service: "sns.amazonaws.com" }),
    "equal",
    service("sns.amazonaws.com"),
  ],
  ["everyone listed", allBut({ AWS: "*" }), "equal", anyone()],
  [
    "a role, its account and its session",
    allBut({ AWS: [root, role, session] }),
    "wider",
    aws(session),
  ],
];

const denies: readonly Row[] = [
  [
    "a Deny for an account",
    [...anyone(), denied({ Principal: { AWS: account } })],
    "narrower",
    anyone(),
  ],
  [
    "a Deny for a role",
    [...aws(account), denied({ Principal: { AWS: role } })],
    "narrower",
    aws(account),
  ],
  [
    "a Deny for another account",
    [...aws(role), denied({ Principal: { AWS: "444455556666" } })],
    "equal",
    aws(role),
  ],
  [
    "a Deny by key",
    [...aws(account), denied({ Condition: { ArnNotEquals: { "aws:PrincipalArn": role } } })],
    "equal",
    aws(role),
  ],
  [
    "a Deny outside the organisation",
    [
      ...anyone(),
      denied({ Condition: { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } } }),
    ],
    "equal",
    anyone({ StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
  ],
  [
    "... that services pass",
    [
      ...anyone(),
      denied({
        Condition: {
          StringNotEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
          Bool: { "aws:PrincipalIsAWSService": "false" },
        },
      }),
    ],
    "wider",
    anyone({ StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
  ],
];

describe.each([
  ["identities", identities],
  ["NotPrincipal", notPrincipals],
  ["Denies", denies],
] as const)("resource policy: %s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right, "resource")).toBe(wanted);
  });
});
