import { z } from "zod";
import { defineCheck } from "../engine/check.ts";

export const arnFields = defineCheck({
  check_id: "arn_fields",
  default_severity: "error",
  description:
    "The Region and the account of an ARN are there where its service has them, and only there.",
  docstring: `Reports ARNs in \`Resource\` and \`NotResource\` whose Region or account field no ARN of the service can have.

- A Region or an account where the ARNs of the service have none: the ARN matches nothing.
- An empty Region or account where every ARN of the service has one. AWS's own documents and parameters have no account,
  so this is a warning.

Wildcards and variables fit every field.`,
  risk_explanation: "The statement does not apply to the resource that its author means.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-arns",
  remediation_steps: [
    "Look the ARN format up with `query` kind `arn_formats` and fill or empty the field.",
  ],
  options: z.strictObject({}),
  issue_types: {
    field_not_allowed: {
      severity: "check",
      when: "An ARN names a Region or an account where ARNs of the service have none.",
    },
    missing_field: {
      severity: "warning",
      when: "The Region or account is empty where every ARN of the service has one.",
    },
    unknown_service: {
      severity: "warning",
      when: "The service of an ARN is not in the reference data.",
    },
  },
  // The engine reports what AWS's own policy check finds; see src/access-analyzer/rules.
  aws_codes: {
    ARN_ACCOUNT_NOT_ALLOWED: { issue_type: "field_not_allowed" },
    ARN_REGION_NOT_ALLOWED: { issue_type: "field_not_allowed" },
    INVALID_SERVICE: { issue_type: "unknown_service", severity: "warning" },
    MISSING_ARN_ACCOUNT: { issue_type: "missing_field", severity: "warning" },
    MISSING_ARN_REGION: { issue_type: "missing_field", severity: "warning" },
  },
  examples: {
    bad: [
      {
        title: "IAM has no Regions.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "iam:GetRole",
              Resource: "arn:aws:iam:eu-west-1:111122223333:role/reports",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The Region of a role is empty.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "iam:GetRole",
              Resource: "arn:aws:iam::111122223333:role/reports",
            },
          ],
        },
      },
    ],
  },
});
