import { expect, test } from "vitest";
import { runCheck, testServices } from "../../../test/support/run-check.ts";
import { sensitiveAction } from "../sensitive-action.ts";

const statement = (action: string, more = {}) => ({
  ...more,
  Effect: "Allow",
  Action: action,
  Resource: "*",
});
const statements = [statement("iam:PassRole"), statement("lambda:CreateFunction")];

async function escalation(policy: object, indent?: number) {
  const text = JSON.stringify(policy, null, indent);
  const found = await runCheck(sensitiveAction, { text }, testServices);
  return found.find(({ issue_type }) => issue_type === "privilege_escalation")?.message;
}

test("statements without a Sid are named by line", async () => {
  expect(await escalation({ Statement: statements }, 2)).toMatch(
    /`iam:PassRole`.* \(line 3\).*`lambda:CreateFunction`.* \(line 8\)/,
  );
});

test("those of a policy of one line are named by number", async () => {
  expect(await escalation({ Statement: statements })).toMatch(
    /`iam:PassRole`.* \(statement 1\).*`lambda:CreateFunction`.* \(statement 2\)/,
  );
});

test("several on the same line are named by number", async () => {
  const twice = [...statements, statement("lambda:CreateFunction")];
  expect(await escalation({ Statement: twice })).toMatch(
    /`lambda:CreateFunction`.* \(statement 2, statement 3\)/,
  );
});
