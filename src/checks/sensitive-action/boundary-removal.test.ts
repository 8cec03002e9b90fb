import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { sensitiveAction } from "../sensitive-action.ts";

const remove = "iam:DeleteRolePermissionsBoundary";
const roles = "arn:aws:iam::111122223333:role/app/*";
const boundary = { "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/App" };
const allow = (Action: unknown, Condition: object) => ({
  Effect: "Allow",
  Action,
  Resource: roles,
  Condition,
});

checkCases(
  sensitiveAction,
  [
    {
      name: "a test of the boundary says which one may be removed, and limits nothing",
      statement: allow(["iam:AttachRolePolicy", remove], { StringEquals: boundary }),
      findings: [
        {
          issue_type: "missing_condition",
          severity: "high",
          action: remove,
          message: /\(`iam:PermissionsBoundary` only says which boundary may be removed\)/,
          suggestion: /^Remove the action/,
          fix: null,
        },
      ],
    },
    {
      name: "a pattern that covers the removal",
      statement: allow("iam:*RolePermissionsBoundary", { ArnLike: boundary }),
      findings: [{ issue_type: "missing_condition", action: remove }],
    },
    ...[
      allow(remove, { StringEquals: { ...boundary, "aws:PrincipalTag/team": "platform" } }),
      allow(["iam:AttachRolePolicy", "iam:PutRolePermissionsBoundary"], { StringEquals: boundary }),
    ].map((statement) => ({
      name: `another test limits: ${JSON.stringify(statement.Condition)} ${statement.Action}`,
      statement,
      findings: [],
    })),
    {
      name: "a Deny takes the removal back",
      statement: [
        allow(["iam:AttachRolePolicy", remove], { StringEquals: boundary }),
        { Effect: "Deny", Action: remove, Resource: "*" },
      ],
      findings: [],
    },
  ],
  embeddedServices(),
);
