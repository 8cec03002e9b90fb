import { describe, expect, test } from "vitest";
import { type AccessType, readBlock, readDocument } from "./document.ts";

const all = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };
const everyone = { ...all, Principal: "*" };
const types: readonly AccessType[] = ["identity", "resource", "trust", "scp", "rcp"];

function read(statement: unknown, type: AccessType = "identity") {
  const [found] = readDocument({ Statement: statement }, type).statements;
  if (!found) throw new Error("The document has no statement.");
  return found;
}

/** The types of policy in which a statement can be read. */
function readableIn(statement: unknown): string {
  return types.filter((type) => read(statement, type).readable).join(" ");
}

describe("a document", () => {
  test.each([
    ["2012-10-17", true],
    ["2008-10-17", false],
    [undefined, false],
    ["2012-10-17 ", false],
    [20121017, false],
  ])("of the version %j has policy variables: %s", (Version, expected) => {
    for (const Statement of [[], all, "no statement"]) {
      expect(readDocument({ Version, Statement }, "identity").hasVariables).toBe(expected);
    }
  });

  test("has one statement or a list, each with its place", () => {
    const one = readDocument({ Statement: { ...all, Sid: "Read" } }, "identity");
    expect(one.readable).toBe(true);
    expect(one.statements).toMatchObject([{ index: 0, path: "/Statement", sid: "Read" }]);
    const two = readDocument({ Statement: [{ ...all, Sid: 1 }, "none"] }, "identity");
    expect(two.readable).toBe(true);
    expect(two.statements).toMatchObject([
      { index: 0, path: "/Statement/0", sid: null, readable: true },
      { index: 1, path: "/Statement/1", sid: null, readable: false },
    ]);
    expect(readDocument({ Statement: [] }, "identity")).toEqual({
      hasVariables: false,
      statements: [],
      readable: true,
    });
  });

  test.each([
    ["a text", "policy"],
    ["nothing", null],
    ["a list", [all]],
    ["an object without statements", { Version: "2008-10-17" }],
    ["an object with a text as statement", { Statement: "Allow" }],
  ])("cannot be read when it is %s", (_, raw) => {
    expect(readDocument(raw, "identity")).toEqual({
      hasVariables: false,
      statements: [],
      readable: false,
    });
  });
});

describe("an effect", () => {
  test.each([
    ["Allow", "allow"],
    ["deny", "deny"],
    [" ALLOW\n", "allow"],
    ["Permit", null],
    ["", null],
    [true, null],
    [undefined, null],
  ])("of %j", (Effect, expected) => {
    expect(read({ ...all, Effect })).toMatchObject({
      effect: expected,
      readable: expected !== null,
    });
  });
});

describe("actions", () => {
  const { Action: _, ...rest } = all;

  test.each([
    [{ Action: "s3:GetObject" }, { negated: false, entries: ["s3:GetObject"] }],
    [{ Action: ["s3:Get*", "ec2:?"] }, { negated: false, entries: ["s3:Get*", "ec2:?"] }],
    [{ Action: [] }, { negated: false, entries: [] }],
    [{ NotAction: ["s3:*"] }, { negated: true, entries: ["s3:*"] }],
    [{ NotAction: [] }, { negated: true, entries: [] }],
  ])("%j", (element, expected) => {
    expect(read({ ...rest, ...element })).toMatchObject({ readable: true, action: expected });
  });

  test.each([
    ["neither Action nor NotAction", {}],
    ["both", { Action: "s3:*", NotAction: "s3:*" }],
    ["a number", { Action: 1 }],
    ["an object", { Action: { s3: "GetObject" } }],
    ["nothing", { NotAction: null }],
    ["a list with a number", { Action: ["s3:*", 1] }],
  ])("cannot be read when there are %s", (_why, element) => {
    expect(read({ ...rest, ...element })).toMatchObject({
      readable: false,
      action: { negated: false, entries: [] },
    });
  });

  test("that are longer than any name of an action take none", () => {
    const longest = `s3:${"a".repeat(1_021)}`;
    const entries = (Action: unknown) => read({ ...all, Action }).action.entries;
    expect(entries(longest)).toEqual([longest]);
    expect(entries(`${longest}a`)).toEqual([]);
    expect(entries(["s3:*", `${longest}a`, longest])).toEqual(["s3:*", longest]);
    const { Action: _, ...others } = all;
    expect(read({ ...others, NotAction: `${longest}a` }).action).toEqual({
      negated: true,
      entries: [],
    });
  });

  test("are not too long because of their wildcards", () => {
    const entries = (Action: unknown) => read({ ...all, Action }).action.entries;
    expect(entries("*".repeat(2_000))).toEqual(["*"]);
    expect(entries(`s3:Get${"*".repeat(2_000)}Tagging`)).toEqual(["s3:Get*Tagging"]);
    const mixed = `s3:${"a*".repeat(1_021)}`;
    expect(entries(mixed)).toEqual([mixed]);
    expect(entries(`${mixed}a`)).toEqual([]);
    // Two wildcards in a name that is short enough are left as they are written.
    expect(entries("s3:**")).toEqual(["s3:**"]);
  });
});

describe("resources", () => {
  const { Resource: _, ...rest } = all;

  test.each([
    ["none", {}, null],
    ["one", { Resource: "*" }, { negated: false, entries: ["*"] }],
    ["several", { Resource: ["a", "b"] }, { negated: false, entries: ["a", "b"] }],
    ["all others", { NotResource: ["a"] }, { negated: true, entries: ["a"] }],
  ])("%s", (_why, element, expected) => {
    expect(read({ ...rest, ...element })).toMatchObject({ readable: true, resource: expected });
  });

  test.each([
    ["both", { Resource: "*", NotResource: "a" }],
    ["a number", { Resource: 1 }],
    ["nothing", { Resource: null }],
    ["a list of lists", { NotResource: [["a"]] }],
  ])("cannot be read when there are %s", (_why, element) => {
    expect(read({ ...rest, ...element })).toMatchObject({
      readable: false,
      resource: { negated: false, entries: [] },
    });
  });

  test("of an API are written out in its own policy", () => {
    const Resource = ["execute-api:/prod/GET/pets", "execute-api:*", "s3:/a", "xexecute-api:/"];
    expect(read({ ...everyone, Resource }, "resource").resource?.entries).toEqual([
      "arn:*:execute-api:*:*:*/prod/GET/pets",
      "execute-api:*",
      "s3:/a",
      "xexecute-api:/",
    ]);
    const { Resource: _all, ...others } = everyone;
    expect(read({ ...others, NotResource: "execute-api:/*" }, "resource").resource).toEqual({
      negated: true,
      entries: ["arn:*:execute-api:*:*:*/*"],
    });
    expect(read({ ...all, Resource }).resource?.entries).toEqual(Resource);
    expect(read({ ...everyone, Resource }, "rcp").resource?.entries).toEqual(Resource);
    expect(read(others, "resource")).toMatchObject({ readable: true, resource: null });
  });
});

describe("principals", () => {
  test.each([
    ["none", {}, "identity scp rcp"],
    ["everyone", { Principal: "*" }, "resource trust rcp"],
    ["all others", { NotPrincipal: { AWS: "111122223333" } }, "resource trust rcp"],
    ["an empty object", { Principal: {} }, "resource trust rcp"],
    [
      "each known type",
      { Principal: { AWS: "a", Service: "b", Federated: "c" } },
      "resource trust rcp",
    ],
    ["both", { Principal: "*", NotPrincipal: "*" }, ""],
    ["another type", { Principal: { Anyone: "*" } }, ""],
    ["a type in small letters", { Principal: { aws: "*" } }, ""],
    ["a number", { Principal: { AWS: 1 } }, ""],
    ["a list with a number", { Principal: { AWS: ["*", 111122223333] } }, ""],
    ["a list", { Principal: ["*"] }, ""],
    ["nothing", { Principal: null }, ""],
  ])("%s can be read in: %s", (_, element, expected) => {
    expect(readableIn({ ...all, ...element })).toBe(expected);
  });

  test.each([
    ["*", [{ type: "AWS", text: "*" }]],
    ["111122223333", [{ type: "AWS", text: "111122223333" }]],
    [{}, []],
    [{ AWS: [] }, []],
    [
      { AWS: ["a", "b"], CanonicalUser: "c" },
      [
        { type: "AWS", text: "a" },
        { type: "AWS", text: "b" },
        { type: "CanonicalUser", text: "c" },
      ],
    ],
  ])("%j", (element, entries) => {
    expect(read({ ...all, Principal: element }, "resource").principal).toEqual({
      negated: false,
      entries,
    });
    expect(read({ ...all, NotPrincipal: element }, "trust").principal).toEqual({
      negated: true,
      entries,
    });
  });

  test("of a statement that cannot be read mean nothing", () => {
    const faulty = { ...everyone, Effect: "Permit", Condition: { Bool: { a: "true" } } };
    expect(read(faulty, "resource")).toEqual({
      index: 0,
      sid: null,
      effect: null,
      path: "/Statement",
      readable: false,
      action: { negated: false, entries: [] },
      resource: { negated: false, entries: [] },
      principal: null,
      conditions: [],
    });
  });
});

describe("conditions", () => {
  const condition = (operator: string, key: string, values: readonly string[]) => ({
    operator,
    key,
    keyLower: key.toLowerCase(),
    values,
  });

  test("have their values as text", () => {
    const block = {
      StringEquals: { "aws:PrincipalTag/Team": ["a", "b"], "s3:prefix": "" },
      Bool: { "aws:SecureTransport": true },
      NumericLessThan: { "s3:max-keys": [10, 1e21, "5", false] },
      Null: { "aws:TokenIssueTime": [] },
    };
    const expected = [
      condition("StringEquals", "aws:PrincipalTag/Team", ["a", "b"]),
      condition("StringEquals", "s3:prefix", [""]),
      condition("Bool", "aws:SecureTransport", ["true"]),
      condition("NumericLessThan", "s3:max-keys", ["10", "1000000000000000000000", "5", "false"]),
      condition("Null", "aws:TokenIssueTime", []),
    ];
    expect(readBlock(block)).toEqual(expected);
    expect(read({ ...all, Condition: block })).toMatchObject({
      readable: true,
      conditions: expected,
    });
  });

  test("may be missing or empty", () => {
    expect(read(all)).toMatchObject({ readable: true, conditions: [] });
    expect(read({ ...all, Condition: {} })).toMatchObject({ readable: true, conditions: [] });
    expect(readBlock({ StringEquals: {} })).toEqual([]);
  });

  test("fold the ASCII letters of a key only", () => {
    expect(readBlock({ StringEquals: { "aws:RequestTag/\u212a\u0130S": "a" } })).toMatchObject([
      { keyLower: "aws:requesttag/\u212a\u0130s" },
    ]);
  });

  test.each([
    ["a text", "true"],
    ["nothing", null],
    ["a list", [{ Bool: { a: "true" } }]],
    ["an operator with a text", { Bool: "true" }],
    ["an operator with a list", { Bool: [{ a: "true" }] }],
    ["an operator with nothing", { Bool: null }],
    ["a value that is an object", { Bool: { a: {} } }],
    ["a value that is nothing", { Bool: { a: null } }],
    ["a list in a list", { Bool: { a: [["true"]] } }],
    ["one faulty value of several", { Bool: { a: "true", b: ["true", null] } }],
  ])("cannot be read when they are %s", (_, block) => {
    expect(readBlock(block)).toBeNull();
    expect(read({ ...all, Condition: block })).toMatchObject({ readable: false, conditions: [] });
  });
});
