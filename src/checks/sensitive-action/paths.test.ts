import { describe, expect, test } from "vitest";
import { runCheck } from "../../../test/support/run-check.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { sensitiveAction } from "../sensitive-action.ts";
import { escalationPaths } from "./path-table.ts";

const services = embeddedServices();

async function pathsNamed(statement: readonly object[]): Promise<Set<string>> {
  const findings = await runCheck(sensitiveAction, { statement }, services);
  return new Set(
    findings.flatMap(({ escalation_paths }) => (escalation_paths ?? []).map(({ id }) => id)),
  );
}

const allow = (Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...more,
});

/** `iam:PassRole` as `iam:Pass?ole`, `s3:GetObject` as `s3:GetObj*`. */
function asPattern(action: string): string {
  return `${action.slice(0, -3)}*`;
}

describe.each(escalationPaths)("the path $id", ({ id, actions, passedTo }) => {
  test.each([
    ["in one statement", [allow(actions)]],
    ["over several statements", actions.map((action) => allow(action))],
    ["in another letter case", [allow(actions.map((action) => action.toUpperCase()))]],
    ["by patterns", [allow(actions.map(asPattern))]],
  ])("is named %s", async (_, statements) => {
    expect(await pathsNamed(statements)).toContain(id);
  });

  test.runIf(actions.length > 1)("is not named when one of its actions is missing", async () => {
    for (const left of actions) {
      const others = actions.filter((action) => action !== left);
      expect(await pathsNamed([allow(others)])).not.toContain(id);
    }
  });

  test("is not named when a Deny of the policy takes an action back", async () => {
    for (const action of actions) {
      const deny = { Effect: "Deny", Action: action.toLowerCase(), Resource: "*" };
      expect(await pathsNamed([allow(actions), deny])).not.toContain(id);
    }
  });

  if (passedTo.length > 0) {
    test("is not named when the role may go to other services only", async () => {
      const others = actions.filter((action) => action !== "iam:PassRole");
      const toOther = (value: string) => ({
        Condition: { StringEquals: { "iam:PassedToService": value } },
      });
      const to = (value: string) => [allow(others), allow("iam:PassRole", toOther(value))];
      expect(await pathsNamed(to("vpc-flow-logs.amazonaws.com"))).not.toContain(id);
      expect(await pathsNamed(to(passedTo[0] ?? ""))).toContain(id);
      // The suffix that some services have in the partition of China.
      expect(await pathsNamed(to(`${passedTo[0]}.cn`))).toContain(id);
    });
  }
});

test("findings about different combinations have different fingerprints", async () => {
  const findings = await runCheck(
    sensitiveAction,
    { statement: allow(["iam:*", "sts:*", "ec2:*", "lambda:*", "glue:*", "ecs:*"]) },
    services,
  );
  const prints = findings.map(({ fingerprint }) => fingerprint);
  expect(prints.length).toBeGreaterThan(10);
  expect(new Set(prints).size).toBe(prints.length);
});

test("a name lowers a combination where it limits what is gained, and two identities have to be one", async () => {
  const found = async (statement: readonly object[]) =>
    (await runCheck(sensitiveAction, { statement }, services))
      .filter(({ issue_type }) => issue_type === "privilege_escalation")
      .map(({ severity, message }) => [severity, message.slice(0, message.indexOf(":"))]);
  const role = (name: string) => ({ Resource: `arn:aws:iam::111122223333:role/${name}` });
  const lambda = allow("lambda:CreateFunction");
  expect(await found([lambda, allow("iam:PassRole")])).toEqual([
    ["high", "May create a function with a role that it passes"],
  ]);
  expect(await found([lambda, allow("iam:PassRole", role("app"))])).toEqual([
    ["low", "May create a function with a role that it passes"],
  ]);
  const attach = allow("iam:AttachRolePolicy", role("app-*"));
  const created = ["high", "May create a role and attach any managed policy to it"];
  expect(await found([attach, allow("iam:CreateRole", role("app-*"))])).toEqual([created]);
  expect(await found([attach, allow("iam:CreateRole", role("other-*"))])).toEqual([]);
  const limited = {
    ...attach,
    Condition: { ArnEquals: { "iam:PolicyARN": "arn:aws:iam::aws:policy/ReadOnlyAccess" } },
  };
  expect(await found([limited, allow("iam:CreateRole", role("app-*"))])).toEqual([]);
});
