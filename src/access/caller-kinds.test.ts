import { describe, expect, test } from "vitest";
import { callersOf, freshService, namedRoles } from "./caller-kinds.ts";
import { type AccessType, readDocument } from "./document.ts";

const account = "111122223333";
const role = `arn:aws:iam::${account}:role/team/app`;
const session = `arn:aws:sts::${account}:assumed-role/app/ci`;

/** Documents of one statement each, with the principal element that is given. */
function documents(type: AccessType, elements: readonly object[]) {
  return elements.map((element) =>
    readDocument({ Statement: { Effect: "Allow", Action: "*", Resource: "*", ...element } }, type),
  );
}

function kinds(type: AccessType, elements: readonly object[], keys: readonly string[] = []) {
  return callersOf(documents(type, elements), type, keys).map(({ kind, name }) =>
    name === "" ? kind : `${kind} ${name}`,
  );
}

describe("an identity policy is asked of a role", () => {
  test.each([
    [[]],
    [["aws:principaltag/team", "s3:prefix", "aws:sourceip"]],
    [["xaws:username", "aws:usernames", "aws:useridentity", "aws:tokenissuetimes"]],
    [["aws:federatedproviders", "aws:sourceidentitytype", "x:aws:principalarn"]],
  ])("alone with the keys %j", (keys) => {
    expect(kinds("identity", [{}], keys)).toEqual(["role"]);
  });

  test.each([
    "aws:principalarn",
    "aws:principalaccount",
    "aws:principaltype",
    "aws:principalorgid",
    "aws:principaltags",
    "aws:username",
    "aws:userid",
    "aws:tokenissuetime",
    "aws:multifactorauthpresent",
    "aws:multifactorauthage",
    "aws:federatedprovider",
    "aws:sourceidentity",
  ])("and of a user with the key %s", (key) => {
    expect(kinds("identity", [{}], ["s3:prefix", key])).toEqual(["role", "user"]);
  });
});

test("a service control policy is asked of root users as well", () => {
  expect(kinds("scp", [{}])).toEqual(["role", "user", "root"]);
});

describe("a policy with principals is asked of", () => {
  test.each([
    ["resource", "role user root anonymous"],
    ["trust", "role user root"],
    ["rcp", "role user root anonymous"],
  ] as const)("the kinds of %s", (type, expected) => {
    expect(kinds(type, [{ Principal: { AWS: account } }]).join(" ")).toBe(expected);
  });

  test.each([
    ["resource", true],
    ["trust", false],
    ["rcp", false],
  ] as const)("whom it lists, canonical users in a policy of %s: %s", (type, hasCanonical) => {
    const Principal = {
      AWS: [session, role, session],
      Service: ["sns.amazonaws.com", "sqs.amazonaws.com"],
      Federated: "accounts.google.com",
      CanonicalUser: "79a59d",
    };
    const found = kinds(type, [{ Principal }, { Principal: { Service: "sns.amazonaws.com" } }]);
    expect(found).toEqual([
      "role",
      `session ${session}`,
      "user",
      "root",
      ...(type === "trust" ? [] : ["anonymous"]),
      "service sns.amazonaws.com",
      "service sqs.amazonaws.com",
      "federated accounts.google.com",
      ...(hasCanonical ? ["canonical 79a59d"] : []),
    ]);
  });

  test("a session in the account and the partition of its ARN", () => {
    const china = session.replace("arn:aws:", "arn:aws-cn:");
    const [, found] = callersOf(documents("trust", [{ Principal: { AWS: china } }]), "trust", []);
    expect(found).toMatchObject({
      kind: "session",
      account,
      session: { partition: "aws-cn", account, role: "app", session: "ci" },
    });
  });

  const fresh = [
    "service sns.amazonaws.com",
    `federated arn:aws:iam::${account}:oidc-provider/idp1.example.com`,
  ];

  test.each([
    ["everyone", "trust", { Principal: "*" }],
    ["everyone, as AWS", "trust", { Principal: { AWS: "*" } }],
    ["every service", "trust", { Principal: { Service: "*" } }],
    ["every provider", "trust", { Principal: { Federated: "*" } }],
    ["all but one", "trust", { NotPrincipal: { AWS: account } }],
    ["no principal element", "rcp", {}],
  ] as const)("a service and a provider that are not listed, with %s", (_, type, element) => {
    expect(kinds(type, [element]).slice(-2)).toEqual(fresh);
    expect(kinds(type, [{ Principal: { AWS: account } }, element]).slice(-2)).toEqual(fresh);
  });

  test("others than those that are listed", () => {
    const provider = (number: number) =>
      `arn:aws:iam::${account}:oidc-provider/idp${number}.example.com`;
    const Principal = {
      Service: ["*", "sns.amazonaws.com", "s3.amazonaws.com", "events.amazonaws.com"],
      Federated: [provider(1), provider(2)],
    };
    expect(kinds("trust", [{ Principal }])).toEqual([
      "role",
      "user",
      "root",
      "service sns.amazonaws.com",
      "service s3.amazonaws.com",
      "service events.amazonaws.com",
      `federated ${provider(1)}`,
      `federated ${provider(2)}`,
      "service lambda.amazonaws.com",
      `federated ${provider(3)}`,
    ]);
  });

  test("a made-up service where all others are listed", () => {
    const names = ["sns", "s3", "events", "lambda", "sqs", "config"];
    const Service = ["*", ...names.map((name) => `${name}.amazonaws.com`)];
    expect(kinds("trust", [{ Principal: { Service } }]).at(-2)).toBe(
      "service example1.amazonaws.com",
    );
  });

  test("no more callers because of a statement that cannot be read", () => {
    const faulty = { Effect: "Permit", Principal: "*" };
    expect(kinds("trust", [faulty, { Principal: { AWS: account } }])).toEqual([
      "role",
      "user",
      "root",
    ]);
  });
});

test("a service that a text does not hold", () => {
  expect(freshService("")).toBe("sns.amazonaws.com");
  expect(freshService("sns.amazonaws.com s3.amazonaws.com")).toBe("events.amazonaws.com");
  const names = ["sns", "s3", "events", "lambda", "sqs", "config"];
  const all = names.map((name) => `${name}.amazonaws.com`).join();
  expect(freshService(all)).toBe("example1.amazonaws.com");
  expect(freshService(`${all} example1.amazonaws.com`)).toBe("example2.amazonaws.com");
});

test("roles that are listed as principals", () => {
  const AWS = [
    role,
    `arn:aws:iam::${account}:role/a`,
    `arn:aws-cn:iam::${account}:role/b`,
    `arn:aws:iam::${account}:user/alice`,
    `arn:aws:iam::${account}:role/`,
    `arn:aws:iam::${account}:role/*`,
    `arn:aws:iam::${account}:role/a?c`,
    `arn:aws:iam::*:role/a`,
    "arn:aws:iam::11112222333:role/a",
    `arn:*:iam::${account}:role/a`,
    `x${role}`,
    account,
    session,
  ];
  const elements = [{ Principal: { AWS } }, { NotPrincipal: { AWS: `${role}-2` } }];
  expect(namedRoles(documents("resource", elements))).toEqual([
    role,
    `arn:aws:iam::${account}:role/a`,
    `arn:aws-cn:iam::${account}:role/b`,
    `${role}-2`,
  ]);
  expect(namedRoles(documents("resource", [{ Principal: { Service: role } }]))).toEqual([]);
  expect(namedRoles(documents("identity", [{}]))).toEqual([]);
});
