import { expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { QuestionKeys } from "./keys.ts";

const services = embeddedServices();
await services.load(new Set(["s3", "sts", "kms"]));

function keysOf(...tests: readonly (readonly [operator: string, key: string])[]) {
  return new QuestionKeys(
    tests.map(([operator, key]) => ({ operator, key, keyLower: key.toLowerCase(), values: [] })),
    services,
  );
}

test.each([
  ["aws:sourceip", "IPAddress", "address", false],
  ["aws:currenttime", "Date", "instant", false],
  ["aws:epochtime", "Date", "instant", false],
  ["aws:securetransport", "Bool", "text", false],
  ["aws:principalarn", "ARN", "text", false],
  ["aws:tagkeys", "String", "text", true],
  ["aws:principalorgpaths", "String", "text", true],
  ["aws:requesttag/team", "String", "text", false],
  ["aws:resourcetag/team", "String", "text", false],
  ["s3:max-keys", "Numeric", "number", false],
  ["s3:prefix", "String", "text", false],
  ["kms:encryptioncontextkeys", "String", "text", true],
  ["kms:grantisforawsresource", "Bool", "text", false],
  ["token.actions.githubusercontent.com:sub", "String", "text", false],
  ["cognito-identity.amazonaws.com:amr", "String", "text", true],
  ["sts:externalid", "String", "text", false],
])(
  "%s has the type that AWS declares, whatever operators test it",
  (name, type, family, isMultivalued) => {
    const declared = { name, spelling: name, type, family, isMultivalued };
    expect(keysOf().get(name)).toEqual(declared);
    const used = keysOf(["ForAnyValue:NumericEquals", name], ["IpAddress", name]);
    expect(used.get(name)).toEqual(declared);
  },
);

test.each([
  [["StringEquals"], "String", "text"],
  [["StringLike", "stringNotEqualsIgnoreCase"], "String", "text"],
  [["ArnLike"], "ARN", "text"],
  [["Bool"], "Bool", "text"],
  [["BinaryEquals"], "Binary", "text"],
  [["NumericLessThan", "NumericEquals"], "Numeric", "number"],
  [["DateLessThan"], "Date", "instant"],
  [["IpAddress"], "IPAddress", "address"],
  [["NotIpAddress", "IpAddress"], "IPAddress", "address"],
  [["ForAnyValue:NumericEquals"], "Numeric", "number"],
  [["forallvalues:dateequals"], "Date", "instant"],
  // Without a declaration, operators of several families leave texts.
  [["ArnLike", "StringEquals"], "String", "text"],
  [["NumericEquals", "StringEquals"], "String", "text"],
  [["NumericEquals", "DateEquals"], "String", "text"],
  [["Null"], "String", "text"],
  [["Null", "NumericEquals"], "Numeric", "number"],
  [["Foo"], "String", "text"],
  [[], "String", "text"],
] as const)("an unknown key that %j test is %s", (operators, type, family) => {
  const name = "x:unknown";
  const keys = keysOf(...operators.map((operator) => [operator, name] as const));
  expect(keys.get(name)).toMatchObject({ type, family });
});

test("an unknown key has several values where a set operator tests it", () => {
  const has = (...operators: readonly string[]) =>
    keysOf(...operators.map((operator) => [operator, "x:Unknown"] as const)).get("x:unknown")
      .isMultivalued;
  expect(has("StringEquals")).toBe(false);
  expect(has("ForAnyValue:StringEquals")).toBe(true);
  expect(has("StringEquals", "forallvalue:StringEquals")).toBe(true);
  expect(has("ForEachValue:StringEquals")).toBe(false);
});

test("a key has the spelling of the first condition, and is found once", () => {
  const keys = keysOf(["StringEquals", "X:One"], ["StringLike", "x:one"], ["Null", "s3:Prefix"]);
  expect(keys.get("x:one").spelling).toBe("X:One");
  expect(keys.get("s3:prefix").spelling).toBe("s3:Prefix");
  expect(keys.get("x:two").spelling).toBe("x:two");
  expect(keys.get("x:one")).toBe(keys.get("x:one"));
  expect(keys.tested).toEqual(["x:one", "s3:prefix"]);
  expect([keys.isTested("x:one"), keys.isTested("x:two"), keys.isTested("X:One")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a key that no condition tests has the spelling of a variable", () => {
  const conditions = [{ operator: "Null", key: "s3:Prefix", keyLower: "s3:prefix", values: [] }];
  const spellings = [
    ["aws:username", "aws:UserName"],
    ["s3:prefix", "S3:prefix"],
    ["x:one", "X:One"],
  ] as const;
  const keys = new QuestionKeys(conditions, services, new Map(spellings));
  expect(
    ["aws:username", "s3:prefix", "x:one", "x:two"].map((name) => keys.get(name).spelling),
  ).toEqual(["aws:UserName", "s3:Prefix", "X:One", "x:two"]);
  expect([keys.isTested("aws:username"), keys.tested]).toEqual([false, ["s3:prefix"]]);
});
