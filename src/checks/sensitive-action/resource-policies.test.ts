import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { sensitiveAction } from "../sensitive-action.ts";

const organization = { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };
const unit = {
  "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/r-ab12/ou-ab12-11111111/*" },
};
const everyone = (Action: unknown, Condition: object) => ({
  Effect: "Allow",
  Principal: { AWS: "*" },
  Action,
  Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
  Condition,
});
const type = "RESOURCE_POLICY" as const;

checkCases(
  sensitiveAction,
  [
    ...[organization, unit].map((Condition) => ({
      name: `a whole organization may change the policy: ${JSON.stringify(Condition)}`,
      type,
      statement: everyone(["sqs:SendMessage", "sqs:AddPermission"], Condition),
      findings: [
        {
          issue_type: "missing_condition",
          severity: "high" as const,
          action: "sqs:AddPermission",
          message:
            /to a whole organization .*\(every account of the organization is let in\)\. With it every account of the organization decides who else may use the resource\.$/,
          suggestion: /instead of the whole organization/,
        },
      ],
    })),
    ...[
      everyone("sqs:SendMessage", organization),
      everyone("sqs:AddPermission", {
        ...organization,
        ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/platform" },
      }),
      everyone("kms:PutKeyPolicy", organization),
    ].map((statement) => ({
      name: `left alone: ${JSON.stringify(statement.Action)} ${JSON.stringify(statement.Condition)}`,
      type,
      statement,
      findings: [],
    })),
  ],
  embeddedServices(),
);
