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

/** Severity, issue and paths of each finding of `sensitive_action`. */
async function reported(statement: readonly object[]) {
  return (await runCheck(sensitiveAction, { statement }, services)).map(
    ({ severity, issue_type, escalation_paths }) => [
      severity,
      issue_type,
      (escalation_paths ?? []).map(({ id }) => id),
    ],
  );
}

const of = (rest: string) => ({ Resource: `arn:aws:${rest}` });
const account = "eu-central-1:111122223333";

test("a path that passes a role to a part of a combination is reported with it", async () => {
  const actions = ["ecs:RegisterTaskDefinition", "ecs:RunTask"];
  const one = allow("iam:PassRole", of("iam::111122223333:role/app"));
  const found = (await reported([allow(actions), one])).filter(
    ([, issue]) => issue === "privilege_escalation",
  );
  expect(found).toEqual([["low", "privilege_escalation", ["ecs-004", "ecs-008"]]]);
});

test("a command in every agent's runtime is high, and one in a named runtime is silent", async () => {
  const action = "bedrock-agentcore:InvokeAgentRuntimeCommand";
  expect(await reported([allow(action)])).toEqual([["high", "missing_condition", ["bedrock-004"]]]);
  expect(await reported([allow(action, of(`bedrock-agentcore:${account}:runtime/app`))])).toEqual(
    [],
  );
});

test("a job of Batch alone is not a path: EventBridge and Step Functions start jobs on every queue", async () => {
  expect(await reported([allow("batch:SubmitJob")])).toEqual([]);
});

test("a shell in every agent's runtime is high", async () => {
  expect(await reported([allow("bedrock-agentcore:InvokeAgentRuntimeCommandShell")])).toEqual([
    ["high", "missing_condition", []],
  ]);
});

test.each([
  [
    "codedeploy-001",
    allow("codedeploy:CreateDeployment", of(`codedeploy:${account}:deploymentgroup:app/web`)),
    allow("codedeploy:CreateDeployment"),
    allow(["codedeploy:RegisterApplicationRevision", "codedeploy:GetDeploymentConfig"]),
  ],
  [
    "stepfunctions-002",
    allow("states:UpdateStateMachine", of(`states:${account}:stateMachine:app`)),
    allow("states:UpdateStateMachine"),
    allow("states:StartExecution"),
  ],
  [
    "bedrock-007",
    allow(
      "bedrock-agentcore:StartBrowserSession",
      of("bedrock-agentcore:eu-central-1:aws:browser/aws.browser.v1"),
    ),
    allow("bedrock-agentcore:StartBrowserSession"),
    allow("bedrock-agentcore:ConnectBrowserAutomationStream"),
  ],
])(
  "the path %s is high on every resource and low on a named one",
  async (id, named, wide, rest) => {
    expect(await reported([wide, rest])).toEqual([["high", "privilege_escalation", [id]]]);
    expect(await reported([named, rest])).toEqual([["low", "privilege_escalation", [id]]]);
  },
);
