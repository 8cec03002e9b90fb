import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const create = "iam:CreateServiceLinkedRole";
const other = "arn:aws:iam::111122223333:role/AWSServiceRoleForAutoScaling";
const linked = "arn:aws:iam::*:role/aws-service-role/autoscaling.amazonaws.com/*";
const statement = (Action: unknown, Resource: unknown, Effect = "Allow") => ({
  Effect,
  Action,
  Resource,
});

checkCases(
  actionResourceMatching,
  [
    {
      name: "service-linked roles without their path",
      statement: [
        statement(create, other),
        statement(["iam:CreateRole", create], "arn:aws:iam::111122223333:role/app-*"),
        statement(create, other, "Deny"),
      ],
      findings: [
        {
          at: 0,
          issue_type: "statement_never_applies",
          severity: "error",
          message: /is not a service-linked role\..*does not grant/,
        },
        { at: 1, issue_type: "resource_mismatch", severity: "medium", action: create },
        { at: 2, severity: "high", message: /does not deny/ },
      ],
    },
    ...[linked, "*", "arn:aws:iam::*:role/*", [other, linked], "arn:aws:iam::1:role/${name}"].map(
      (resource) => ({
        name: `accepts ${resource}`,
        statement: statement(create, resource),
        findings: [],
      }),
    ),
    {
      name: "a launch of which NotResource exempts the image alone",
      statement: {
        Effect: "Deny",
        Action: "ec2:RunInstances",
        NotResource: "arn:aws:ec2:*::image/ami-0123456789abcdef0",
      },
      findings: [{ severity: "high", message: /against the `subnet`.*stops every launch/ }],
    },
    {
      name: "a vault by a path, whose ARN has a colon",
      statement: statement("backup:DeleteBackupVault", "arn:aws:backup:*:*:vault/*", "Deny"),
      findings: [{ severity: "high" }],
    },
    {
      name: "accepts vaults by their ARN and by a star that runs over its type",
      statement: [
        statement("backup:DeleteBackupVault", "arn:aws:backup:*:*:backup-vault:*", "Deny"),
        statement("backup:DeleteBackupVault", "arn:aws:backup:*:*:org-*", "Deny"),
      ],
      findings: [],
    },
  ],
  embeddedServices(),
);
