import { describe, expect, test } from "vitest";
import { compileExpression, Expression, expressionOf, isExpression } from "./expression.ts";

describe("expressions of the config", () => {
  test("letter case is ignored", () => {
    expect(compileExpression("^IAM:pass").matchesAnywhere("iam:PassRole")).toBe(true);
  });

  test("matching from the start does not look further on, and need not reach the end", () => {
    const expression = compileExpression("iam:|sts:");
    expect(expression.matchesStart("sts:AssumeRole")).toBe(true);
    expect(expression.matchesStart("xsts:AssumeRole")).toBe(false);
    expect(expression.matchesAnywhere("xsts:AssumeRole")).toBe(true);
  });

  test.each([
    ["(?P<service>s3):Get", "s3:GetObject"],
    ["(?i)S3:getobject", "s3:GetObject"],
    ["^s3:GetObject\\Z", "s3:GetObject"],
  ])("Python's spelling %s is understood", (expression, text) => {
    expect(compileExpression(expression).matchesAnywhere(text)).toBe(true);
  });

  test("a literal backslash before Z stays literal", () => {
    expect(compileExpression("a\\\\Z").matchesAnywhere("a\\Z")).toBe(true);
    // Three: a literal one, and the end of the text.
    expect(compileExpression("a\\\\\\Z").matchesAnywhere("a\\")).toBe(true);
    expect(compileExpression("a\\\\\\Z").matchesAnywhere("a\\b")).toBe(false);
  });

  test("an expression that makes a backtracking engine hang is answered", () => {
    expect(compileExpression("^(a+)+$").matchesAnywhere(`${"a".repeat(5000)}!`)).toBe(false);
  });

  test("an expression is compiled once for each text", () => {
    expect(expressionOf("^s3:")).toBe(expressionOf("^s3:"));
    expect(expressionOf("^s3:").matchesStart("S3:GetObject")).toBe(true);
    expect(expressionOf("^ec2:").matchesStart("s3:GetObject")).toBe(false);
    expect([isExpression("^s3:"), isExpression("(")]).toEqual([true, false]);
  });

  test("what does not compile is refused by the schema", () => {
    expect(Expression.safeParse("(").error?.issues.map(({ message }) => message)).toEqual([
      "must be a regular expression in RE2 syntax, which has no look-around and no back-references",
    ]);
    expect(Expression.safeParse("(?=lookahead)").success).toBe(false);
    expect(Expression.safeParse("^s3:").success).toBe(true);
  });
});
