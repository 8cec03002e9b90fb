import { describe, expect, test } from "vitest";
import { type CheckCase, checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionConditionEnforcement } from "../action-condition-enforcement.ts";
import { sensitiveAction } from "../sensitive-action.ts";
import { sensitiveActionOf } from "./catalogue.ts";
import { wideOnlyActions, wideOnlyCategory } from "./wide-only.ts";

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
  ["s3:GetObjectVersion", "arn:aws:s3:::reports/*", /reads business or customer data/],
  ["rds:ModifyDBInstance", "db:orders", /hands out, creates or resets/],
  ["redshift:ModifyCluster", "cluster:sales", /hands out, creates or resets/],
  ["ssm:UpdateDocument", "document/Deploy", /raise permissions/],
  ["ssm:RegisterTaskWithMaintenanceWindow", "maintenancewindow/mw-1", /raise permissions/],
  ["secretsmanager:UpdateSecret", "secret:app/db-abc123", /removes the resource/],
  ["backup:DeleteRecoveryPoint", "recovery-point:1", /removes the resource/],
  ["s3:PutReplicationConfiguration", "arn:aws:s3:::reports", /removes the resource/],
  [
    "organizations:MoveAccount",
    "arn:aws:organizations::111122223333:account/o-a1b2c3d4e5/444455556666",
    /its protection/,
  ],
  ["network-firewall:DeleteFirewall", "firewall/edge", /its protection/],
  ["kafka:PutClusterPolicy", "cluster/orders/1", /changes who can reach/],
  ["kafka:Put*", "cluster/orders/1", /changes who can reach/],
  ["aps:PutResourcePolicy", "workspace/ws-1", /changes who can reach/],
  ["lex:CreateResourcePolicy", "bot/ABCDEFGHIJ", /changes who can reach/],
  ["ecr-public:SetRepositoryPolicy", "repository/app", /changes who can reach/],
  ["vpc-lattice:PutAuthPolicy", "service/svc-1", /changes who can reach/],
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

checkCases(
  sensitiveAction,
  [
    {
      name: "policies of resources belong to the category that a config may switch off",
      statement: allow("aps:PutResourcePolicy", "*"),
      options: { categories: ["priv_esc"] },
      findings: [],
    },
    {
      name: "the policy of X-Ray is about traces only, so it is as mild as that of CloudWatch Logs",
      statement: allow("xray:PutResourcePolicy", "*"),
      findings: [{ ...missing, severity: "medium" }],
    },
  ],
  services,
);

describe("actions that count on every resource only", () => {
  test("are actions that AWS has", () => {
    const known = new Set(actions.map(({ qualified }) => qualified.toLowerCase()));
    expect(wideOnlyActions.filter((name) => !known.has(name))).toEqual([]);
  });

  /** Actions by which AWS means the rights on a resource, by its own access level. */
  const setsPolicy =
    /^(?!kms:)[a-z0-9-]+:(?:(?:put|set|add|update)[a-z]*(?:policy|permissions?)|putbucketacl)$/;

  /** Roles of users inside a workspace, and rights that SSM for SAP keeps for its own backups of a database. */
  const others = ["grafana:UpdatePermissions", "ssm-sap:PutResourcePermission"];

  test("has every action that sets the policy of a resource, or the catalogue has it", () => {
    const silent = actions.filter(
      ({ qualified, accessLevel }) =>
        accessLevel === "permissions-management" &&
        setsPolicy.test(qualified.toLowerCase()) &&
        !sensitiveActionOf(qualified) &&
        !wideOnlyCategory(qualified),
    );
    expect(silent.map(({ qualified }) => qualified)).toEqual(others);
  });

  test.each([
    "autoscaling:PutScalingPolicy",
    "ecr:PutLifecyclePolicy",
    "logs:PutRetentionPolicy",
    "cloudfront:UpdateCachePolicy",
    "verifiedpermissions:UpdatePolicy",
    "kms:GetKeyPolicy",
    "sns:DeleteResourcePolicy",
    "organizations:DeleteResourcePolicy",
  ])("has nothing that is about other things: %s", (name) => {
    expect(wideOnlyCategory(name)).toBeUndefined();
  });
});
