import { expect, test } from "vitest";
import { runCheck } from "../../../../test/support/run-check.ts";
import { embeddedServices } from "../../../services/embedded.ts";
import { readServicePrincipal } from "../../policy-type-validation/service-principals.ts";
import { sensitiveAction } from "../../sensitive-action.ts";
import { servicesThatAssume } from "./pass-role.ts";
import { passRoleRows } from "./pass-role-rows.ts";

const services = embeddedServices();

test("every action of the table is in the reference, once, and every service is a known principal", () => {
  const actions = passRoleRows.flatMap((row) => row.actions);
  const unknown = actions.filter((text) => {
    const [prefix = "", name = ""] = text.split(":");
    return services.get(prefix)?.action(name)?.qualified !== text;
  });
  expect(unknown).toEqual([]);
  expect(actions.length).toBe(new Set(actions).size);
  for (const service of passRoleRows.flatMap((row) => row.services)) {
    expect(readServicePrincipal(service, services.prefixes), service).toMatchObject({
      kind: "known",
    });
  }
});

/** The findings on a PassRole and one action that uses the role. */
async function found(action: string, role: string, service: string) {
  const statement = [
    { Effect: "Allow", Action: action, Resource: "*" },
    {
      Effect: "Allow",
      Action: "iam:PassRole",
      Resource: role,
      Condition: { StringEquals: { "iam:PassedToService": service } },
    },
  ];
  const findings = await runCheck(sensitiveAction, { statement }, services);
  return findings.filter(({ issue_type }) => issue_type === "privilege_escalation");
}

test.each([
  "datasync:CreateLocationS3",
  "bedrock:CreateAgent",
  "airflow:CreateEnvironment",
  "elasticbeanstalk:CreateEnvironment",
  "synthetics:CreateCanary",
  "databrew:CreateRecipeJob",
  "appsync:CreateDataSource",
  "kinesisanalytics:CreateApplication",
  "apigateway:PATCH",
  "athena:CreateWorkGroup",
  "fis:CreateExperimentTemplate",
  "s3:CreateJob",
  "ec2:RequestSpotFleet",
  "states:TestState",
  "ecs:CreateExpressGatewayService",
  "ecs:UpdateExpressGatewayService",
  "ssm:CreateActivation",
  "ssm:UpdateManagedInstanceRole",
  "airflow-serverless:CreateWorkflow",
  "airflow-serverless:UpdateWorkflow",
  "bedrock-agentcore:CreateBrowser",
  "bedrock-agentcore:CreateHarness",
  "bedrock-agentcore:UpdateHarness",
  "appstream:CreateFleet",
  "appstream:CreateImageBuilder",
  "rds:AddRoleToDBInstance",
  "rds:AddRoleToDBCluster",
  "transfer:CreateAccess",
  "transfer:UpdateAccess",
  "lambda:RunMicrovm",
  "lambda:CreateMicrovmImage",
])("any role beside %s is reported, and one role or another service is not", async (action) => {
  const [service = ""] = servicesThatAssume(action);
  const [any] = await found(action, "*", service);
  expect(any).toMatchObject({ severity: "high" });
  expect(any?.message).toContain(`\`${action}\``);
  expect(await found(action, "arn:aws:iam::111122223333:role/loader", service)).toEqual([]);
  expect(await found(action, "*", "vpc-flow-logs.amazonaws.com")).toEqual([]);
});
