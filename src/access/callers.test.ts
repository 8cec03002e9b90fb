import { expect, test } from "vitest";
import { Budget } from "./budget.ts";
import {
  accountArns,
  arnsOf,
  type CallerKind,
  caller,
  isAwsIdentity,
  isPathKey,
  type Presence,
  pathKeyOf,
  presenceOf,
  readSessionArn,
  sessionCaller,
  split,
  userArns,
  valuesOf,
} from "./callers.ts";
import { matches, type Pattern, unitsOf } from "./patterns.ts";
import { run } from "./tokens.ts";

const kinds: readonly CallerKind[] = [
  "role",
  "session",
  "user",
  "root",
  "service",
  "federated",
  "canonical",
  "anonymous",
];
const account = "111122223333";

function fits(patterns: readonly Pattern[] | null, text: string): boolean {
  return patterns?.some((pattern) => matches(pattern, unitsOf(text), new Budget(100_000))) ?? true;
}

/** What each kind of caller has, in the order of `kinds`: a for always, n for never, f for free. */
const presences: Readonly<Record<string, string>> = {
  "aws:currenttime": "aaaaaaaa",
  "aws:epochtime": "aaaaaaaa",
  "aws:principalaccount": "aaaaaaaa",
  "aws:principaltype": "aaaaaaaa",
  "aws:requestedregion": "aaaaaaaa",
  "aws:securetransport": "aaaaaaaa",
  "aws:userid": "aaaaaaaa",
  "aws:sourceip": "ffffffff",
  "aws:principalarn": "aaaannfn",
  "aws:principalorgid": "ffffnnfn",
  "aws:principalorgpaths": "ffffnnfn",
  "aws:principaltag/team": "fffnnnfn",
  "aws:username": "nnannnfn",
  "aws:multifactorauthage": "ffffnnfn",
  "aws:multifactorauthpresent": "ffffnnfn",
  "aws:tokenissuetime": "aaffnnfn",
  "aws:sourceidentity": "ffffnnfn",
  "aws:principalisawsservice": "aaaaaffn",
  "aws:principalservicename": "nnnnannn",
  "aws:principalservicenameslist": "nnnnfnnn",
  "aws:federatedprovider": "ffffnffn",
};

test.each(Object.entries(presences))("which callers have %s", (key, expected) => {
  const letters: Record<Presence, string> = { always: "a", never: "n", free: "f" };
  expect(kinds.map((kind) => letters[presenceOf(caller(kind), key)]).join("")).toBe(expected);
});

test("a caller that has a key, or lacks it, is another one", () => {
  const of = caller("role");
  const parts = split(of, new Set(["aws:sourceip"]), new Set(["aws:currenttime"]));
  expect(
    ["aws:sourceip", "aws:currenttime", "aws:epochtime"].map((key) => presenceOf(parts, key)),
  ).toEqual(["always", "never", "always"]);
  expect(parts.id).toBe("role   +aws:sourceip -aws:currenttime");
  const ids = [
    of,
    caller("role", "", account),
    caller("service", "a"),
    caller("service", "b"),
    parts,
  ];
  expect(new Set(ids.map(({ id }) => id)).size).toBe(5);
});

test("roles, sessions, users and the root user are identities of IAM", () => {
  expect(kinds.filter(isAwsIdentity)).toEqual(["role", "session", "user", "root"]);
});

test("each kind has its type of principal", () => {
  const types = ["AssumedRole", "User", "Account", "Anonymous", "FederatedUser"];
  const allowed = kinds.map((kind) =>
    types.filter((type) => fits(valuesOf(caller(kind), "aws:principaltype"), type)).join(),
  );
  expect(allowed).toEqual([
    "AssumedRole",
    "AssumedRole",
    "User",
    "Account",
    types.join(),
    types.join(),
    types.join(),
    "Anonymous",
  ]);
});

test("only services are services of AWS", () => {
  const values = kinds.map((kind) =>
    ["true", "false"]
      .filter((text) => fits(valuesOf(caller(kind), "aws:principalisawsservice"), text))
      .join(),
  );
  expect(values).toEqual([
    "false",
    "false",
    "false",
    "false",
    "true",
    "false",
    "true,false",
    "true,false",
  ]);
  const sns = caller("service", "sns.amazonaws.com");
  expect(fits(valuesOf(sns, "aws:principalservicename"), "sns.amazonaws.com")).toBe(true);
  expect(fits(valuesOf(sns, "aws:principalservicename"), "s3.amazonaws.com")).toBe(false);
  expect(valuesOf(caller("federated"), "aws:principalservicename")).toBeNull();
});

test.each(["aws:principalaccount", "aws:userid"])(
  "anonymous callers have the %s anonymous",
  (key) => {
    expect(fits(valuesOf(caller("anonymous"), key), "anonymous")).toBe(true);
    expect(fits(valuesOf(caller("anonymous"), key), account)).toBe(false);
    expect(valuesOf(caller("role"), key)).toBeNull();
  },
);

test.each(["principal", "source", "resource", "vpce"])(
  "the path of the organisation of a %s begins with its id",
  (of) => {
    const path = `aws:${of}orgpaths`;
    expect(pathKeyOf.get(`aws:${of}orgid`)).toBe(path);
    expect([isPathKey(path), isPathKey(`aws:${of}orgid`)]).toEqual([true, false]);
    expect(fits(valuesOf(caller("role"), path), "o-a/r-b/ou-c/")).toBe(true);
    expect(fits(valuesOf(caller("role"), path), "o-a")).toBe(false);
    expect(valuesOf(caller("role"), `aws:${of}orgid`)).toBeNull();
  },
);

const session = { partition: "aws", account, role: "app", session: "build" };
const sessionArn = `arn:aws:sts::${account}:assumed-role/app/build`;

test.each([
  [sessionArn, session],
  [
    `arn:aws-us-gov:sts::${account}:assumed-role/app/build`,
    { ...session, partition: "aws-us-gov" },
  ],
  [`x${sessionArn}`, null],
  [`${sessionArn}/x`, null],
  [`arn:aws:sts::${account}:assumed-role/app`, null],
  [`arn:aws:sts::${account}:assumed-role/app/*`, null],
  [`arn:aws:sts::${account}:assumed-role/a?p/build`, null],
  ["arn:aws:sts::11112222333:assumed-role/app/build", null],
  [`arn:*:sts::${account}:assumed-role/app/build`, null],
  [`arn:aws:iam::${account}:role/app`, null],
])("the ARN of a session: %s", (arn, expected) => {
  expect(readSessionArn(arn)).toEqual(expected);
});

const arns = {
  role: `arn:aws:iam::${account}:role/app`,
  rolePath: `arn:aws:iam::${account}:role/team/app`,
  roleOther: `arn:aws:iam::${account}:role/team/my-app`,
  roleColon: `arn:aws:iam::${account}:role/app:root`,
  roleChina: `arn:aws-cn:iam::${account}:role/app`,
  roleElsewhere: "arn:aws:iam::444455556666:role/app",
  user: `arn:aws:iam::${account}:user/alice`,
  userColon: `arn:aws:iam::${account}:user/staff/bo:b`,
  userPath: `arn:aws:iam::${account}:user/staff/alice`,
  userEmpty: `arn:aws:iam::${account}:user/`,
  root: `arn:aws:iam::${account}:root`,
  short: "arn:aws:iam::1111:role/app",
};
const fitting = (patterns: readonly Pattern[]) =>
  Object.entries(arns)
    .filter(([, arn]) => fits(patterns, arn))
    .map(([name]) => name)
    .join(" ");

test("the ARNs that each kind of caller may have", () => {
  const bySession = sessionCaller(sessionArn, session);
  expect(bySession).toMatchObject({ kind: "session", name: sessionArn, account, session });
  expect({
    role: fitting(arnsOf(caller("role"), [])),
    ofAccount: fitting(arnsOf(caller("role", "", "444455556666"), [])),
    user: fitting(arnsOf(caller("user"), [])),
    root: fitting(arnsOf(caller("root"), [])),
    rootElsewhere: fitting(arnsOf(caller("root", "", "444455556666"), [])),
    canonical: fitting(arnsOf(caller("canonical"), [])),
    session: fitting(arnsOf(bySession, [])),
    ofNamedRole: fitting(arnsOf(bySession, [arns.rolePath, arns.rolePath])),
    ofOtherRoles: fitting(arnsOf(bySession, [arns.roleOther, arns.roleChina, arns.roleElsewhere])),
  }).toEqual({
    role: "role rolePath roleOther roleChina roleElsewhere",
    ofAccount: "roleElsewhere",
    user: "user userPath userEmpty",
    root: "root",
    rootElsewhere: "",
    canonical:
      "role rolePath roleOther roleColon roleChina roleElsewhere user userColon userPath userEmpty root",
    session: "role rolePath",
    ofNamedRole: "rolePath",
    ofOtherRoles: "role rolePath",
  });
  expect(arnsOf(bySession, [arns.rolePath, arns.rolePath])).toHaveLength(1);
});

test("the ARNs of users with a name", () => {
  expect(fitting(userArns(unitsOf("alice")))).toBe("user userPath");
  expect(fitting(userArns([...unitsOf("al"), run]))).toBe("user userPath");
  expect(fitting(userArns(unitsOf("bob")))).toBe("");
  expect(fitting(userArns(unitsOf("alice"), "444455556666"))).toBe("");
  // The name of a user has no slash, so a star in front of it stays in the last part.
  expect(userArns(unitsOf("staff/alice"))).toEqual([]);
});

test("the ARNs of an account", () => {
  const all = Object.keys(arns).filter((name) => name !== "roleElsewhere" && name !== "short");
  expect(fitting([accountArns(unitsOf(account))])).toBe(all.join(" "));
  expect(fitting([accountArns([...unitsOf("4444"), run])])).toBe("roleElsewhere");
  expect(fits([accountArns([run])], `arn:aws:iam::1:2:role/app`)).toBe(true);
  expect(fits([accountArns([run])], `arn:aws:s3:::bucket`)).toBe(false);
});
