import { describe, expect, test } from "vitest";
import { compileExpression, Expression } from "./expression.ts";

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
  });

  test("an expression that makes a backtracking engine hang is answered", () => {
    expect(compileExpression("^(a+)+$").matchesAnywhere(`${"a".repeat(5000)}!`)).toBe(false);
  });

  test("what does not compile is refused by the schema", () => {
    expect(Expression.safeParse("(").success).toBe(false);
    expect(Expression.safeParse("(?=lookahead)").success).toBe(false);
    expect(Expression.safeParse("^s3:").success).toBe(true);
  });
});
