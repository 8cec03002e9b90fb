import { describe, expect, test } from "vitest";
import { type CheckCase, checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionConditionEnforcement } from "../action-condition-enforcement.ts";
import { sensitiveAction } from "../sensitive-action.ts";
import { wideOnlyActions } from "./wide-only.ts";

const services = embeddedServices();
const actions = services.prefixes.flatMap((prefix) => services.get(prefix)?.actions ?? []);

const allow = (Action: string, Resource: string) => ({ Effect: "Allow", Action, Resource });
const missing = { issue_type: "missing_condition" } as const;

/** An action that is high on everything, an ARN that names one resource, and what the message says. */
const rows: readonly (readonly [string, string, RegExp])[] = [
  ["s3:DeleteObjectVersion", "arn:aws:s3:::reports/*", /changes business or customer data/],
  ["dynamodb:PartiQLSelect", "table/orders", /reads business or customer data/],
  ["dynamodb:PartiQLUpdate", "table/orders", /changes business or customer data/],
  ["events:RetrieveConnectionCredentials", "connection/crm/1", /hands out, creates or resets/],
  ["codeconnections:GetConnectionToken", "connection/1", /hands out, creates or resets/],
  ["elasticache:ModifyUser", "user:app", /hands out, creates or resets/],
  ["ssm:RegisterTaskWithMaintenanceWindow", "maintenancewindow/mw-1", /raise permissions/],
  ["secretsmanager:UpdateSecret", "secret:app/db-abc123", /removes the resource/],
  ["backup:DeleteRecoveryPoint", "recovery-point:1", /removes the resource/],
];

const named = (action: string, rest: string) => {
  const prefix = action.split(":", 1)[0];
  return rest.startsWith("arn:") ? rest : `arn:aws:${prefix}:eu-west-1:111122223333:${rest}`;
};

checkCases(
  sensitiveAction,
  rows.flatMap(([action, resource, message]): CheckCase[] => [
    {
      name: `high on every resource: ${action}`,
      statement: allow(action, "*"),
      peers: [actionConditionEnforcement],
      findings: [{ ...missing, severity: "high", message }],
    },
    {
      name: `left alone on a name: ${action}`,
      statement: allow(action, named(action, resource)),
      peers: [actionConditionEnforcement],
      findings: [],
    },
  ]),
  services,
);

describe("actions that count on every resource only", () => {
  test("are actions that AWS has", () => {
    const known = new Set(actions.map(({ qualified }) => qualified.toLowerCase()));
    expect(wideOnlyActions.filter((name) => !known.has(name))).toEqual([]);
  });
});
