import { describe, expect, test } from "vitest";
import { parseDocument } from "../../policy/document.ts";
import type { Statement } from "../../policy/model.ts";
import { normalisePolicy } from "../../policy/normalise.ts";
import {
  findForbidden,
  limitingEntries,
  meetsRequirement,
  readCondition,
} from "./condition-limits.ts";

async function statementWith(Condition: unknown, Effect = "Allow"): Promise<Statement> {
  const document = await parseDocument({ Version: "2012-10-17", Statement: { Effect, Condition } });
  const { statements } = normalisePolicy(document, {
    type: "IDENTITY_POLICY",
    typeSource: "default",
    name: null,
  });
  const [statement] = statements;
  if (!statement) throw new Error("no statement");
  return statement;
}

async function isLimited(Condition: unknown, Effect = "Allow"): Promise<boolean> {
  return limitingEntries(await statementWith(Condition, Effect)).length > 0;
}

describe("an entry limits", () => {
  test.each([
    ["a plain comparison", { StringEquals: { "a:b": "x" } }],
    ["any letter case", { STRINGEQUALS: { "A:B": "x" } }],
    ["a pattern", { StringLike: { "a:b": "x*" } }],
    ["`*` as plain text", { StringEquals: { "a:b": "*" } }],
    ["a required tag of the request", { StringLike: { "aws:RequestTag/team": "*" } }],
    ["a required tag of the caller", { StringLike: { "AWS:principaltag/team": "**" } }],
    ["required tag keys", { "ForAnyValue:StringLike": { "aws:TagKeys": "*" } }],
    ["an address range", { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } }],
    ["IfExists on a key of every request", { BoolIfExists: { "aws:SecureTransport": "true" } }],
    ["ForAnyValue", { "ForAnyValue:StringEquals": { "a:b": "x" } }],
    [
      "ForAllValues with a guard, in any letter case",
      { "ForAllValues:StringEquals": { "a:b": "x" }, NULL: { "A:B": ["False"] } },
    ],
  ])("with %s", async (_, condition) => {
    expect(await isLimited(condition)).toBe(true);
  });
});

describe("an entry does not limit", () => {
  test.each([
    ["Null", { Null: { "a:b": "false" } }],
    ["a negated operator", { StringNotEquals: { "a:b": "x" } }],
    ["a negated address", { NotIpAddress: { "aws:SourceIp": "10.0.0.0/8" } }],
    ["a value that matches everything", { StringLike: { "a:b": ["x", "**"] } }],
    ["an ARN pattern that matches everything", { ArnEquals: { "aws:SourceArn": "*" } }],
    ["every IPv4 address", { IpAddress: { "aws:SourceIp": ["10.0.0.0/8", "0.0.0.0/0"] } }],
    ["every IPv6 address", { IpAddress: { "aws:SourceIp": "::/0" } }],
    ["IfExists on a key that may be absent", { StringEqualsIfExists: { "a:b": "x" } }],
    ["ForAllValues alone", { "ForAllValues:StringEquals": { "a:b": "x" } }],
    [
      "ForAllValues with a guard that demands absence",
      { "ForAllValues:StringEquals": { "a:b": "x" }, Null: { "a:b": "true" } },
    ],
    [
      "ForAllValues with a guard for another key",
      { "ForAllValues:StringEquals": { "a:b": "x" }, Null: { "a:c": "false" } },
    ],
  ])("with %s", async (_, condition) => {
    expect(await isLimited(condition)).toBe(false);
  });
});

test("in a Deny negated operators, IfExists and ForAllValues limit", async () => {
  expect(await isLimited({ StringNotEquals: { "a:b": "x" } }, "Deny")).toBe(true);
  expect(await isLimited({ StringEqualsIfExists: { "a:b": "x" } }, "Deny")).toBe(true);
  expect(await isLimited({ "ForAllValues:StringEquals": { "a:b": "x" } }, "Deny")).toBe(true);
});

test("a statement of no known effect reads as an Allow", async () => {
  expect(await isLimited({ StringNotEquals: { "a:b": "x" } }, "Maybe")).toBe(false);
});

test("a condition counts unless it is Null or lets every request pass", async () => {
  const counts = async (condition: unknown) => readCondition(await statementWith(condition)).counts;
  expect(await counts({ StringNotEquals: { "a:b": "x" } })).toBe(true);
  expect(await counts({ StringEqualsIfExists: { "a:b": "x" } })).toBe(true);
  expect(await counts({ Null: { "a:b": "true" } })).toBe(false);
  expect(await counts({ StringLike: { "a:b": "*" } })).toBe(false);
  expect(await counts({ "ForAllValues:StringLike": { "a:b": "x" } })).toBe(false);
  expect(await counts({})).toBe(false);
  expect(await counts(undefined)).toBe(false);
});

test("keys are found in any letter case; the names of an object's methods are unknown keys", async () => {
  const condition = readCondition(await statementWith({ StringEquals: { "AWS:SourceArn": "x" } }));
  expect(condition.of("aws:SourceARN").map(({ limiting }) => limiting)).toEqual([true]);
  expect(condition.of("toString")).toEqual([]);
});

describe("a requirement is met", () => {
  const meets = async (condition: unknown, requirement: object, effect = "Allow") =>
    meetsRequirement(await statementWith(condition, effect), {
      condition_key: "a:b",
      ...requirement,
    });

  test("by any operator that compares; by negated ones in a Deny only", async () => {
    const negated = { StringNotEquals: { "a:b": "x" } };
    expect(await meets({ ArnLike: { "A:b": "x" } }, {})).toBe(true);
    expect(await meets(negated, {})).toBe(false);
    expect(await meets(negated, {}, "Deny")).toBe(true);
    expect(await meets({ Null: { "a:b": "false" } }, {}, "Deny")).toBe(false);
  });

  test("by the named operator: same base, same IfExists, same set prefix if it has one", async () => {
    const any = { operator: "StringEquals" };
    const forAny = { operator: "foranyvalue:stringequals" };
    const plain = { StringEquals: { "a:b": "x" } };
    const prefixed = { "ForAnyValue:StringEquals": { "a:b": "x" } };
    const ifExists = { StringEqualsIfExists: { "a:b": "x" } };
    expect([
      await meets(plain, any),
      await meets(prefixed, any),
      await meets(ifExists, any),
    ]).toEqual([true, true, false]);
    expect([await meets(plain, forAny), await meets(prefixed, forAny)]).toEqual([false, true]);
    expect(await meets(ifExists, { operator: "StringEqualsIfExists" })).toBe(true);
    expect(
      await meets({ Null: { "a:b": "false" } }, { operator: "Null", expected_value: false }),
    ).toBe(true);
  });

  test("by an unknown operator when it is the named one", async () => {
    expect(await meets({ FooEquals: { "a:b": "x" } }, { operator: "fooequals" })).toBe(true);
    expect(await meets({ FooEquals: { "a:b": "x" } }, { operator: "StringEquals" })).toBe(false);
  });

  test("by values that are all expected, a pattern that matches everything included", async () => {
    const star = { StringLike: { "a:b": "*" } };
    expect(await meets(star, {})).toBe(false);
    expect(await meets(star, { expected_value: "*" })).toBe(true);
    expect(await meets({ StringEquals: { "a:b": [] } }, { expected_value: "x" })).toBe(false);
    const forAll = { "ForAllValues:StringEquals": { "a:b": "x" } };
    expect(await meets(forAll, { expected_value: "x" })).toBe(false);
  });

  test("by text: numbers are their digits, booleans ignore letter case, variables are plain", async () => {
    expect(await meets({ NumericEquals: { "a:b": 5 } }, { expected_value: "5" })).toBe(true);
    expect(await meets({ NumericEquals: { "a:b": "5" } }, { expected_value: [4, 5] })).toBe(true);
    expect(await meets({ NumericEquals: { "a:b": 1e21 } }, { expected_value: 1e21 })).toBe(true);
    expect(await meets({ Bool: { "a:b": "TRUE" } }, { expected_value: true })).toBe(true);
    expect(await meets({ Bool: { "a:b": false } }, { expected_value: "False" })).toBe(true);
    const variable = "${aws:PrincipalTag/x}";
    expect(await meets({ StringEquals: { "a:b": variable } }, { expected_value: variable })).toBe(
      true,
    );
    expect(await meets({ StringEquals: { "a:b": "X" } }, { expected_value: "x" })).toBe(false);
  });
});

describe("a forbidden condition is found", () => {
  const finds = async (condition: unknown, requirement: object) => {
    const found = findForbidden(await statementWith(condition), {
      condition_key: "a:b",
      ...requirement,
    });
    return found ? (found.value?.text ?? "any") : null;
  };

  test("by one forbidden value among others, optional entries included", async () => {
    const forbidden = { expected_value: [false, "x"] };
    expect(await finds({ StringEqualsIfExists: { "a:b": ["y", "x"] } }, forbidden)).toBe("x");
    expect(await finds({ Bool: { "a:b": "FALSE" } }, forbidden)).toBe("FALSE");
    expect(await finds({ Bool: { "a:b": "true" } }, forbidden)).toBeNull();
    expect(await finds({ "ForAllValues:StringEquals": { "a:b": "x" } }, forbidden)).toBe("x");
  });

  test("by any entry when no value is named, not by Null nor negated ones", async () => {
    expect(await finds({ StringLike: { "a:b": "*" } }, {})).toBe("any");
    expect(await finds({ Null: { "a:b": "false" } }, {})).toBeNull();
    expect(await finds({ NotIpAddress: { "a:b": "0.0.0.0/0" } }, {})).toBeNull();
  });
});
