import { describe, expect, test } from "vitest";
import { testServices } from "../../../test/support/run-check.ts";
import { compileExpression } from "../../policy/expression.ts";
import { matchAction } from "../../services/match-action.ts";
import { expandAction, grantsAction, grantsExpression } from "./action-grants.ts";

const lookup = {
  match: (action: string) => matchAction(testServices, action),
  matches: (expression: string, text: string, where: "start" | "anywhere") => {
    const compiled = compileExpression(expression);
    return where === "start" ? compiled.matchesStart(text) : compiled.matchesAnywhere(text);
  },
};
const expand = (...texts: string[]) => texts.flatMap((text) => expandAction(text, lookup));

describe("an entry expands to", () => {
  test("everything", () => expect(expand("*:*", "**")).toEqual(["*", "*"]));
  test("AWS's spelling of a known action", () =>
    expect(expand("IAM:createaccesskey")).toEqual(["iam:CreateAccessKey"]));
  test("the actions that a pattern matches, `?` included, sorted", () =>
    expect(expand("iam:?reate*", "iam:CREATEROL?")).toEqual([
      "iam:CreateAccessKey",
      "iam:CreateRole",
      "iam:CreateRole",
    ]));
  test("nothing, when a pattern matches nothing", () => expect(expand("iam:Nothing*")).toEqual([]));
  test("itself, when it is unknown", () => {
    const texts = ["iam:Nothing", "quantum:Leap*", "*:Get", "nonsense", "iam:${x}*"];
    expect(expand(...texts)).toEqual(texts);
  });
});

describe("an entry grants an action of the config", () => {
  test.each([
    ["*", "iam:PassRole", true],
    ["*:*", "anything", true],
    ["IAM:passrole", "iam:PassRole", true],
    ["iam:Pass*", "iam:PassRole", true],
    ["iam:PassRol?", "iam:PassRole", true],
    ["iam:PassRole", "iam:*", true],
    ["iam:C*", "iam:*Role", true],
    ["iam:G*", "iam:*Role", false],
    ["iam:PassRole", "iam:PassRoleX", false],
    ["x:A.B", "x:A?B", true],
    ["x:AxB", "x:A.B", false],
    ["x:A*", "x:*B", false],
  ])("%s, %s: %s", (entry, wanted, expected) => {
    expect(grantsAction(entry, wanted, lookup)).toBe(expected);
  });
});

describe("an entry grants what an expression means", () => {
  test.each([
    ["*", "^never$", true],
    ["SSM:sendcommand", "^ssm:Send", true],
    ["ssm:*", "^ssm:SendCommand$", true],
    ["ssm:Get*", "^ssm:SendCommand$", false],
    ["ssm:SendCommandX", "ssm:SendCommand$", false],
    ["ssm:SendCommandX", "ssm:Send", true],
    ["x:ssm:Send", "ssm:Send", false],
    ["quantum:Leap**", "quantum:Leap$", true],
    ["quantum:*Leap", "quantum:Leap$", false],
  ])("%s, %s: %s", (entry, expression, expected) => {
    expect(grantsExpression(entry, expression, lookup)).toBe(expected);
  });

  test("takes linear time for a long run of stars", () => {
    expect(grantsExpression(`x:${"*".repeat(200_000)}a`, "^y", lookup)).toBe(false);
  });
});
