import { describe, expect, test } from "vitest";
import { baseOperators, parseOperator } from "./condition-operator.ts";

describe("parseOperator", () => {
  test("reads every base operator in any letter case", () => {
    expect(baseOperators).toHaveLength(27);
    for (const base of baseOperators) {
      for (const name of [base.name, base.name.toLowerCase(), base.name.toUpperCase()]) {
        expect(parseOperator(name)).toEqual({ base, setPrefix: null, ifExists: false });
      }
    }
  });

  test("reads prefix and suffix in any letter case", () => {
    expect(parseOperator("forallvalues:STRINGLIKEifexists")).toMatchObject({
      base: { name: "StringLike" },
      setPrefix: "ForAllValues",
      ifExists: true,
    });
    expect(parseOperator("ForAnyValue:Bool")).toMatchObject({ setPrefix: "ForAnyValue" });
  });

  test("folds ASCII letters only", () => {
    expect(parseOperator("StringLi\u212Ae")).toBeNull();
  });

  test("reads NullIfExists, which a check refuses", () => {
    expect(parseOperator("NullIfExists")).toMatchObject({ base: { type: null }, ifExists: true });
  });

  test("knows the eight negated operators", () => {
    expect(baseOperators.filter(({ negated }) => negated).map(({ name }) => name)).toEqual([
      "StringNotEquals",
      "StringNotEqualsIgnoreCase",
      "StringNotLike",
      "NumericNotEquals",
      "DateNotEquals",
      "NotIpAddress",
      "ArnNotEquals",
      "ArnNotLike",
    ]);
  });

  test.each([
    "",
    "IfExists",
    "Equals",
    "StringEquals ",
    "ForSomeValues:StringLike",
    "ForAllValues:",
    "ForAllValues:ForAnyValue:StringLike",
    ":StringLike",
    "StringLikeIfExistsIfExists",
    "IfExistsStringLike",
    "StringLike:ForAnyValue",
    "ForAnyValue",
    "ForAnyValue :StringLike",
    "ForAnyValueStringLike",
    "ForAllValues:IfExists",
    "StringLikeIfExist",
    "BinaryNotEquals",
    "NotBool",
    "constructor",
    "__proto__",
  ])("does not know %j", (text) => {
    expect(parseOperator(text)).toBeNull();
  });
});
