import { expect, test } from "vitest";
import { allow, relation, type Side, trust } from "../../test/support/access.ts";

/** Whom the left policy lets in beside the callers of the right one, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const account = "111122223333";
const root = `arn:aws:iam::${account}:root`;

const assume = "sts:AssumeRole";
const web = "sts:AssumeRoleWithWebIdentity";
const provider = `arn:aws:iam::${account}:oidc-provider/token.actions.githubusercontent.com`;
const subject = (operator: string, value: string) =>
  trust(
    web,
    { Federated: provider },
    { [operator]: { "token.actions.githubusercontent.com:sub": value } },
  );

const trusts: readonly Row[] = [
  [
    "an external id",
    [trust(assume, { AWS: root }, { StringEquals: { "sts:ExternalId": "x" } })],
    "narrower",
    [trust(assume, { AWS: root })],
  ],
  [
    "a subject",
    [subject("StringEquals", "repo:octo-org/app:ref:refs/heads/main")],
    "narrower",
    [subject("StringLike", "repo:octo-org/*")],
  ],
  [
    "a star that is a character",
    [subject("StringEquals", "repo:octo-org/*")],
    "narrower",
    [subject("StringLike", "repo:octo-org/*")],
  ],
  [
    "tags of the session",
    [trust([assume, "sts:TagSession"], { AWS: root })],
    "wider",
    [trust(assume, { AWS: root })],
  ],
  [
    "a provider and an account",
    [trust(web, { Federated: provider })],
    "different",
    [trust(web, { AWS: root })],
  ],
  [
    "a service and its region",
    [trust(assume, { Service: "logs.us-east-1.amazonaws.com" })],
    "different",
    [trust(assume, { Service: "logs.amazonaws.com" })],
  ],
  [
    "MFA",
    [trust(assume, { AWS: root }, { Bool: { "aws:MultiFactorAuthPresent": "true" } })],
    "narrower",
    [trust(assume, { AWS: root }, { BoolIfExists: { "aws:MultiFactorAuthPresent": "true" } })],
  ],
];

test.each(trusts)("trust policy: %s", (_why, left, wanted, right) => {
  expect(relation(left, right, "trust")).toBe(wanted);
});

const guardrail = (statement: object): Side => [
  allow("*", "*"),
  { ...allow("*", "*"), Effect: "Deny", ...statement },
];

const guardrails: readonly Row[] = [
  [
    "an exception for roles",
    guardrail({ Condition: { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/admin" } } }),
    "wider",
    guardrail({}),
  ],
  [
    "a Deny that leaves global services out",
    guardrail({ Action: undefined, NotAction: ["iam:*", "sts:*"] }),
    "wider",
    guardrail({ Action: undefined, NotAction: ["iam:*"] }),
  ],
  [
    "root users",
    guardrail({ Condition: { StringLike: { "aws:PrincipalArn": "arn:aws:iam::*:root" } } }),
    "narrower",
    [allow("*", "*")],
  ],
];

test.each(guardrails)("service control policy: %s", (_why, left, wanted, right) => {
  const plain = (side: Side) => JSON.parse(JSON.stringify(side)) as Side;
  expect(relation(plain(left), plain(right), "scp")).toBe(wanted);
});
