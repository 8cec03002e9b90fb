import { describe, expect, test } from "vitest";
import {
  allow,
  found,
  grant,
  granted,
  isPublic,
  newAccess,
  type Side,
  trust,
  type Wanted,
  when,
} from "../../test/support/access.ts";

/** Policies that meet several rules at once, decided by hand before the program was asked. */

const account = "111122223333";
const all = [allow("*", "*")];
const secure = (value: string) => ({ Bool: { "aws:SecureTransport": value } });
const tag = (operator: string, value: unknown) =>
  when({ [operator]: { "aws:PrincipalTag/team": value } });

const forbidden: readonly (readonly [string, Side, Parameters<typeof granted>[1], Wanted])[] = [
  [
    "an exception that the grant's own condition meets",
    tag("StringEquals", "security"),
    {
      actions: ["iam:PassRole"],
      unless: [{ StringLike: { "aws:PrincipalTag/team": "sec*" } }],
    },
    "holds",
  ],
  [
    "an exception with IfExists is met without the key",
    when({ Null: { "aws:PrincipalTag/team": "true" } }),
    {
      actions: ["iam:PassRole"],
      unless: [{ StringEqualsIfExists: { "aws:PrincipalTag/team": "security" } }],
    },
    "holds",
  ],
  [
    "two exceptions that leave a gap",
    all,
    {
      actions: ["iam:PassRole"],
      unless: [
        { NumericLessThan: { "aws:MultiFactorAuthAge": "60" } },
        { NumericGreaterThan: { "aws:MultiFactorAuthAge": "60" } },
      ],
    },
    "violated",
  ],
];

describe("what is forbidden", () => {
  test.each(forbidden)("%s", (_, policy, entry, wanted) => {
    expect(found(granted(policy, entry))).toEqual(wanted);
  });
});

const open: readonly (readonly [string, Side, "resource" | "trust", Wanted])[] = [
  [
    "a source account that is matched with a wildcard",
    [grant("*", { StringLike: { "aws:SourceAccount": "1111*" } })],
    "resource",
    "violated",
  ],
  [
    "an organisation, and a Deny without IfExists that adds nothing",
    [
      grant("*", { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
      { ...grant("*", secure("false")), Effect: "Deny" },
    ],
    "resource",
    "holds",
  ],
  [
    "resources of one organisation, for everyone",
    [grant("*", { "ForAnyValue:StringLike": { "aws:ResourceOrgPaths": "o-a1b2c3d4e5/*" } })],
    "resource",
    "violated",
  ],
  [
    "half of all addresses",
    [grant("*", { IpAddress: { "aws:SourceIp": "0.0.0.0/1" } })],
    "resource",
    "violated",
  ],
  [
    "one network of a provider",
    [grant("*", { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } })],
    "resource",
    "holds",
  ],
  [
    "GitHub with an owner that is not ended",
    [
      trust(
        "sts:AssumeRoleWithWebIdentity",
        { Federated: `arn:aws:iam::${account}:oidc-provider/token.actions.githubusercontent.com` },
        {
          StringEquals: { "token.actions.githubusercontent.com:aud": "sts.amazonaws.com" },
          StringLike: { "token.actions.githubusercontent.com:sub": "repo:octo-org*" },
        },
      ),
    ],
    "trust",
    "violated",
  ],
  [
    "GitHub with an owner",
    [
      trust(
        "sts:AssumeRoleWithWebIdentity",
        { Federated: `arn:aws:iam::${account}:oidc-provider/token.actions.githubusercontent.com` },
        { StringLike: { "token.actions.githubusercontent.com:sub": "repo:octo-org/*" } },
      ),
    ],
    "trust",
    "holds",
  ],
];

describe("who is let in", () => {
  test.each(open)("%s", (_, policy, type, wanted) => {
    expect(found(isPublic(policy, type))).toEqual(wanted);
  });
});

/** F15: the ARN of a witness names the account that the resource has to belong to. */
describe("the owner of a resource that a witness names", () => {
  const owned = (operator: string, value: unknown, action = "iam:PassRole", resource = "*") => {
    const policy = [allow(action, resource, { [operator]: { "aws:ResourceAccount": value } })];
    const [violation] = newAccess([], policy).violations;
    return `${violation?.kind} ${violation?.witness.resource}`;
  };

  test.each<[string, unknown, string, string, string]>([
    ["StringEquals", "444455556666", "iam:PassRole", "*", "iam::444455556666:role/example"],
    [
      "StringEquals",
      ["444455556666", "777788889999"],
      "kms:Decrypt",
      "arn:aws:kms:*:*:key/*",
      "kms:us-east-1:444455556666:key/example",
    ],
  ])("%s %j: %s on %s", (operator, value, action, resource, arn) => {
    expect(owned(operator, value, action, resource)).toBe(`grants arn:aws:${arn}`);
  });

  test("is bound by the statement alone, not by a variable of another one", () => {
    const home = "arn:aws:s3:::home/${aws:PrincipalTag/team}/*";
    const owner = (accounts: readonly string[]) => ({
      StringNotEquals: { "aws:ResourceAccount": accounts },
    });
    const queues = allow("sqs:SendMessage", "*");
    const baseline = [
      allow("s3:GetObject", home, owner(["444455556666"])),
      queues,
      { ...allow("sqs:SendMessage", "*", owner([account, "444455556666"])), Effect: "Deny" },
    ];
    const { violations } = newAccess(baseline, [allow("s3:GetObject", home), queues]);
    expect(violations.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
      "grants not_allowed_before",
      "grants denied_before",
    ]);
  });
});
