import { describe, expect, test } from "vitest";
import { documentOf, found, grant, isPublic, type Side, trust } from "../../test/support/access.ts";
import { type AccessType, readDocument } from "./document.ts";
import { strangers } from "./public.ts";

const account = "111122223333";
const web = "sts:AssumeRoleWithWebIdentity";
const fresh = "999999999999";
const provider = (name: string) => `arn:aws:iam::${account}:oidc-provider/${name}`;
const hub = provider("token.actions.githubusercontent.com");
const google = "accounts.google.com";

/** The first caller that is let in, else what the answer is. */
function letIn(policy: Side, type: AccessType = "resource"): unknown {
  const answer = isPublic(policy, type);
  const [violation] = answer.violations;
  if (!violation) return found(answer);
  const { principal } = violation.witness;
  if (principal.type === "AWS") return principal.arn.replace("arn:aws:iam::", "");
  return principal.type === "Anonymous" ? "Anonymous" : `${principal.type} ${principal.name}`;
}

/** Conditions that one kind of caller meets. */
const identity = { "aws:PrincipalIsAWSService": "false" };
const only = (type: string, more: object = {}) => ({
  StringEquals: { "aws:PrincipalType": type },
  ...(type === "Anonymous" ? {} : { Bool: identity }),
  ...more,
});
const services = { Bool: { "aws:PrincipalIsAWSService": "true" } };
const federated = { Bool: identity, Null: { "aws:PrincipalArn": "true" } };

describe("callers of a resource policy", () => {
  test.each<readonly [why: string, policy: Side, caller: unknown]>([
    ["anyone", [grant("*")], "Anonymous"],
    ["without signing in", [grant("*", only("Anonymous"))], "Anonymous"],
    ["a role", [grant("*", only("AssumedRole"))], `${fresh}:role/example-role`],
    ["a user", [grant("*", only("User"))], `${fresh}:user/alice`],
    ["a root user", [grant("*", only("Account"))], `${fresh}:root`],
    ["a service", [grant("*", services)], "Service sns.amazonaws.com"],
    [
      "a service beside one that is named",
      [grant({ Service: "sns.amazonaws.com" }), grant({ Service: "*" })],
      "Service s3.amazonaws.com",
    ],
    [
      "services that are named, all that are tried",
      [
        grant({
          Service: ["sns", "s3", "events", "lambda", "sqs", "config"].map(
            (one) => `${one}.amazonaws.com`,
          ),
        }),
      ],
      "holds",
    ],
    ["a provider that is shared", [grant({ Federated: hub })], `Federated ${hub}`],
    [
      "a provider that is named beside another",
      [grant({ Federated: [provider("example.com"), google] })],
      `Federated ${google}`,
    ],
    ["a provider of one customer", [grant({ Federated: provider("example.com") })], "holds"],
    ["a service with the name of a provider", [grant({ Service: google })], "holds"],
    ["a provider where all are let in", [grant("*", federated)], "holds"],
    [
      "a provider that is named where all are let in",
      [
        grant("*", federated),
        grant(
          { Federated: hub },
          { Null: { "aws:PrincipalIsAWSService": "true" }, Bool: identity },
        ),
      ],
      `Federated ${hub}`,
    ],
  ])("%s", (_why, policy, caller) => {
    expect(letIn(policy)).toEqual(caller);
  });
});

describe("callers of a trust policy", () => {
  const who = (Principal: unknown, Condition?: object) => [trust(web, Principal, Condition)];
  test.each<readonly [why: string, policy: Side, caller: unknown]>([
    ["anyone", who("*"), `${fresh}:role/example-role`],
    [
      "without signing in",
      who("*", {
        StringEquals: { "aws:PrincipalType": "Anonymous" },
        Null: {
          "aws:PrincipalArn": "true",
          "aws:PrincipalIsAWSService": "true",
          [`${google}:aud`]: "true",
        },
        Bool: { "aws:SecureTransport": "true" },
      }),
      `Federated ${google}`,
    ],
    ["a user", who({ AWS: "*" }, only("User")), `${fresh}:user/alice`],
    ["a root user", who({ AWS: "*" }, only("Account")), `${fresh}:root`],
    ["a service", who("*", services), "Service sns.amazonaws.com"],
    ["a provider", who("*", federated), `Federated ${google}`],
    ["a provider, in the long form", who({ AWS: "*" }, federated), `Federated ${google}`],
    ["every provider", who({ Federated: "*" }), `Federated ${google}`],
    ["a provider that is named", who({ Federated: hub }), `Federated ${hub}`],
    ["an account", who({ AWS: account }), "holds"],
    ["a provider of one customer", who({ Federated: provider("example.com") }), "holds"],
  ])("%s", (_why, policy, caller) => {
    expect(letIn(policy, "trust")).toEqual(caller);
  });
});

describe("the account of a caller", () => {
  const digits = (text: string) => [...text].map((one) => one.repeat(12));
  const unlike = (values: readonly string[]) => [
    grant("*", only("User", { StringNotLike: { "aws:PrincipalAccount": values } })),
  ];
  const accountLike = (values: string | readonly string[]) =>
    only("User", { StringLike: { "aws:PrincipalAccount": values } });
  const arnLike = (value: string) => only("User", { ArnLike: { "aws:PrincipalArn": value } });

  test.each<readonly [why: string, policy: Side, caller: unknown]>([
    ["is one that is not named", unlike([fresh]), "888888888888:user/alice"],
    [
      "is one that is not named anywhere",
      [{ ...grant("*", only("User")), Sid: `x${fresh}y` }],
      "888888888888:user/alice",
    ],
    ["is the last that is not named", unlike(digits("98765432")), "111111111111:user/alice"],
    [
      "is any where all of one digit are named",
      unlike(digits("987654321")),
      "111122223333:user/alice",
    ],
    ["fits a pattern of accounts", [grant("*", accountLike("4*"))], "411122223333:user/alice"],
    [
      "fits a pattern of one digit",
      [grant("*", accountLike("11112222333?"))],
      expect.stringMatching(/^11112222333\d:user\/alice$/),
    ],
    [
      "fits a pattern, but is not named",
      [
        grant(
          "*",
          accountLike(
            ["11112222333?", ..."012345678"].map((one, at) => (at ? `11112222333${one}` : one)),
          ),
        ),
      ],
      "111122223339:user/alice",
    ],
    [
      "fits a pattern of ARNs",
      [grant("*", arnLike("arn:aws:iam::4*:user/x"))],
      "411122223333:user/x",
    ],
    [
      "fits a pattern as principal",
      [grant({ AWS: "arn:aws:iam::4*:user/x" }, only("User"))],
      "411122223333:user/x",
    ],
    [
      "fits a pattern beside a name as principal",
      [grant({ AWS: [account, "arn:aws:iam::4*:user/x"] }, only("User"))],
      "411122223333:user/x",
    ],
    [
      "fits a pattern in another statement",
      [grant({ Service: "sns.amazonaws.com" }), grant("*", accountLike("4*"))],
      "411122223333:user/alice",
    ],
    [
      "fits a pattern beside a fixed account",
      [grant("*", accountLike([account, "4*"]))],
      "411122223333:user/alice",
    ],
    [
      "fits a pattern behind another condition",
      [
        grant("*", {
          ...accountLike("4*"),
          StringEquals: { "aws:SecureTransport": "true", "aws:PrincipalType": "User" },
        }),
      ],
      "411122223333:user/alice",
    ],
    ["fits none of a Deny", unlike(["*9*"]), "111122223333:user/alice"],
  ])("%s", (_why, policy, caller) => {
    expect(letIn(policy)).toEqual(caller);
  });
});

describe("a provider whose subjects have a form that is not known", () => {
  const issuer = "vstoken.actions.githubusercontent.com";
  const name = provider(issuer);
  const of = (operator: string, sub: string | readonly string[]) => ({
    [operator]: { [`${issuer}:sub`]: sub },
  });
  const doubt = { undecided: issuer };
  test.each<readonly [Condition: object | undefined, caller: unknown]>([
    [undefined, `Federated ${name}`],
    [of("StringEquals", "exact"), "holds"],
    [of("StringLike", "*"), `Federated ${name}`],
    [of("StringLike", "a*"), doubt],
    [of("StringLike", ["a*", "b"]), doubt],
    [of("StringLike", ["a*", "*"]), `Federated ${name}`],
    [of("StringLikeIfExists", "a*"), `Federated ${name}`],
    [{ ...of("StringLike", "a*"), StringEquals: { [`${issuer}:sub`]: "b" } }, "holds"],
  ])("%j", (Condition, caller) => {
    expect(letIn([trust(web, { Federated: name }, Condition)], "trust")).toEqual(caller);
    expect(letIn([grant({ Federated: name }, Condition)])).toEqual(caller);
  });

  test("is the construct that stopped the proof", () => {
    const policy = [trust(web, { Federated: name }, of("StringLike", "a*"))];
    const [first, ...others] = isPublic(policy, "trust").undecided_by;
    expect(first).toMatchObject({ construct: issuer, path: "", side: "policy", key: null });
    expect(first?.text).toContain(issuer);
    expect(others).toEqual([]);
  });
});

test("two providers whose subjects have unknown forms are two doubts", () => {
  const others = ["vstoken.actions.githubusercontent.com", "tokens.cloud.shisho.dev"];
  const policy = others.map((issuer) =>
    trust(web, { Federated: provider(issuer) }, { StringLike: { [`${issuer}:sub`]: "a*" } }),
  );
  expect(letIn(policy, "trust")).toEqual({ undecided: others.join(", ") });
});

describe("who is asked", () => {
  const of = (one: string) => ["role", "user", "root"].map((kind) => `${kind}  ${one}`);
  const some = ["anonymous  ", ...of(fresh)];
  const sns = "service sns.amazonaws.com ";
  const resource = [...some, sns];
  const withPattern = [...some, ...of(""), sns];
  const like = (key: string, ...values: string[]) => [
    grant(account),
    grant("*", { StringLike: { "aws:PrincipalOrgID": "o-*" }, StringNotLike: { [key]: values } }),
  ];

  test.each<readonly [policy: Side, type: AccessType, ids: readonly string[]]>([
    [[grant("*")], "resource", resource],
    [[{ ...grant("*"), Principal: undefined }], "resource", resource],
    [[grant({ AWS: account })], "resource", resource],
    [[grant({ AWS: "arn:aws:iam::4*:root" })], "resource", withPattern],
    [[grant({ AWS: [account, "arn:aws:iam::4?:root"] })], "resource", withPattern],
    [[grant({ Service: "s*.amazonaws.com" })], "resource", resource],
    [[grant({ Federated: "a*" })], "resource", resource],
    [like("aws:PrincipalAccount", account), "resource", resource],
    [like("aws:PrincipalAccount", "*"), "resource", resource],
    [like("aws:PrincipalAccount", account, "4*"), "resource", withPattern],
    [like("aws:PrincipalArn", "arn:aws:iam::4?:root"), "resource", withPattern],
    [like("aws:SourceArn", "arn:aws:sns:*:*:*"), "resource", resource],
    [
      [grant({ Federated: [hub, google, hub] })],
      "resource",
      [...resource, `federated ${hub} `, `federated ${google} `],
    ],
    [[grant({ Federated: provider("example.com") })], "resource", resource],
    [[grant({ Service: google })], "resource", resource],
    [[grant({ AWS: google })], "resource", resource],
    [[trust(web, "*")], "trust", [...of(fresh), sns, `federated ${google} `]],
    [[trust(web, { Federated: "*" })], "trust", [...of(fresh), sns, `federated ${google} `]],
    [[trust(web, { AWS: account })], "trust", [...of(fresh), sns]],
    [[trust(web, { Federated: hub })], "trust", [...of(fresh), sns, `federated ${hub} `]],
  ])("%j in a %s policy", (policy, type, ids) => {
    const document = readDocument(documentOf(policy), type);
    expect(strangers(document, type).map(({ id }) => id)).toEqual(ids);
  });
});

describe("callers that no list of the question has", () => {
  test("a service, where all services of the list are exempt", () => {
    const names = ["sns", "s3", "events", "lambda", "sqs", "config"];
    const exempt = { "aws:PrincipalServiceName": names.map((name) => `${name}.amazonaws.com`) };
    const statement = grant("*", { ...services, StringNotEquals: exempt });
    expect(letIn([statement])).toBe("Service example1.amazonaws.com");
  });

  test.each([
    { "aws:PrincipalTag/a": "${aws:PrincipalAccount}" },
    { "aws:PrincipalAccount": "${aws:PrincipalTag/a}" },
  ])("accounts with a pattern of a key that equals them, %j", (equal) => {
    const condition = {
      StringEquals: { ...equal, "aws:PrincipalType": "User" },
      StringLike: { "aws:PrincipalTag/a": "4*" },
    };
    expect(isPublic([grant("*", condition)]).verdict).toBe("undecided");
  });

  test.each([
    [{ "aws:PrincipalTag/a": ["x", "${aws:PrincipalArn}"] }, "2012-10-17", true],
    [{ "aws:PrincipalTag/a": "${ AWS:principalaccount}" }, "2012-10-17", true],
    [{ "aws:PrincipalTag/a": "${aws:PrincipalAccount}" }, "2008-10-17", false],
    [{ "aws:PrincipalTag/a": "${aws:username}" }, "2012-10-17", false],
    [{ "aws:PrincipalAccount": ["111122223333", "${aws:username}"] }, "2012-10-17", true],
    [{ "aws:PrincipalAccount": "${aws:username}" }, "2008-10-17", false],
  ])("%j in version %s", (equal, Version, isAsked) => {
    const policy = { Version, Statement: [grant("*", { StringEquals: equal })] };
    const asked = strangers(readDocument(policy, "resource"), "resource");
    expect(asked.some(({ kind, account }) => kind === "role" && account === null)).toBe(isAsked);
  });
});
