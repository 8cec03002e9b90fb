import { describe, expect, test } from "vitest";
import { engineFor } from "../../../test/support/run-check.ts";
import type { Correction } from "../../engine/check.ts";
import { validatePolicy } from "../../engine/run.ts";
import { rootNode } from "../../json/node.ts";
import { objectDocument } from "../../policy/document.ts";
import type { Policy } from "../../policy/model.ts";
import { statementsOf } from "../../policy/normalise.ts";
import { serviceWildcard } from "../service-wildcard.ts";
import { correctedStatement, splitStatement, statementWithCondition } from "./corrected.ts";

const deploy = {
  Sid: "Deploy",
  Effect: "Allow",
  Action: "lambda:*",
  Resource: "*",
  Condition: { StringEquals: { "aws:RequestedRegion": "eu-west-1" } },
};

function statementOf(raw: object) {
  const [statement] = statementsOf(objectDocument({ Version: "2012-10-17", Statement: [raw] }));
  if (!statement) throw new Error("no statement");
  return statement;
}

describe("a corrected statement", () => {
  test("keeps what it does not replace, in the order of the author", () => {
    const corrected = correctedStatement(statementOf(deploy), { Action: "lambda:GetFunction" });
    expect(JSON.stringify(corrected?.value)).toBe(
      JSON.stringify({ ...deploy, Action: "lambda:GetFunction" }),
    );
  });

  test("leaves out a member that is undefined", () => {
    const corrected = correctedStatement(statementOf(deploy), { Condition: undefined });
    expect(corrected?.value).not.toHaveProperty("Condition");
  });

  test("is not made of a statement that is too long to repeat", () => {
    const long = { ...deploy, Resource: `arn:aws:s3:::${"x".repeat(9000)}` };
    expect(correctedStatement(statementOf(long), {})).toBeNull();
  });

  test.each([
    [{ "aws:requestedregion": "eu-west-2" }, { "aws:RequestedRegion": "eu-west-2" }],
    [
      { "aws:ResourceAccount": "111122223333" },
      { "aws:RequestedRegion": "eu-west-1", "aws:ResourceAccount": "111122223333" },
    ],
  ])("takes the condition %j into the block that is there", (added, expected) => {
    const corrected = statementWithCondition(statementOf(deploy), { stringequals: added });
    expect(corrected?.value).toEqual({ ...deploy, Condition: { StringEquals: expected } });
  });

  test("may have operators and keys with any name", () => {
    const odd = JSON.parse('{"Effect":"Allow","Condition":{"__proto__":{"__proto__":"1"}}}');
    const corrected = statementWithCondition(statementOf(odd), { Bool: { "aws:x": "true" } });
    expect(JSON.stringify(corrected?.value)).toBe(
      '{"Effect":"Allow","Condition":{"__proto__":{"__proto__":"1"},"Bool":{"aws:x":"true"}}}',
    );
  });
});

describe("a statement split in two", () => {
  const raw = { ...deploy, Action: ["lambda:InvokeFunction", "lambda:ListFunctions"] };
  const split = (fill: number, arn: string) => {
    const document = objectDocument({
      Version: "2012-10-17",
      Statement: [raw, { ...deploy, Sid: "x".repeat(fill) }],
    });
    const statements = statementsOf(document);
    const [statement] = statements;
    if (!statement) throw new Error("no statement");
    const policy = { type: "IDENTITY_POLICY", statements, document, node: rootNode } as Policy;
    const moved = new Set(statement.actions.slice(1));
    return splitStatement(policy, statement, moved, { rest: { Resource: arn }, moved: {} });
  };

  test("is not made where the policy would exceed its quota, with what the first part gains", () => {
    const short = "arn:aws:lambda:*:*:function:a";
    expect(split(5_400, short)).not.toBeNull();
    expect(split(5_900, short)).toBeNull();
    expect(split(5_400, short + "b".repeat(500))).toBeNull();
  });
});

/** @returns the one finding of a check that corrects each statement this way. */
async function findingWith(correction: (() => Correction | null) | undefined, example?: string) {
  const check = {
    ...serviceWildcard,
    *runStatement() {
      yield {
        issue_type: "overly_permissive",
        message: "It is wide.",
        ...(correction ? { correction } : {}),
        ...(example === undefined ? {} : { example }),
      };
    },
  };
  const document = objectDocument({ Version: "2012-10-17", Statement: [deploy] });
  const input = { document, name: null, declaredType: null, label: "" };
  const { findings } = await validatePolicy(input, engineFor([check]));
  const [finding] = findings;
  return { example: finding?.example, example_path: finding?.example_path };
}

describe("the example of a finding", () => {
  const narrow = () => correctedStatement(statementOf(deploy), { Action: "lambda:GetFunction" });

  test("is the corrected value, with the path of the value it replaces", async () => {
    const { example, example_path } = await findingWith(narrow);
    expect(example_path).toBe("/Statement/0");
    expect(JSON.parse(example ?? "")).toEqual({ ...deploy, Action: "lambda:GetFunction" });
  });

  test("is the operator's own text where there is one, without a path", async () => {
    expect(await findingWith(narrow, "Ask the platform team.")).toEqual({
      example: "Ask the platform team.",
      example_path: null,
    });
  });

  test("is absent when nothing can be pasted, or when it is longer than 8 KiB", async () => {
    const none = { example: null, example_path: null };
    expect(await findingWith(() => null)).toEqual(none);
    expect(await findingWith(undefined)).toEqual(none);
    const long = () => correctedStatement(statementOf(deploy), { Sid: "x".repeat(9000) });
    expect(await findingWith(long)).toEqual(none);
  });
});
