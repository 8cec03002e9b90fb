import { expect } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { arnFields } from "./arn-fields.ts";

const account = "111122223333";
const deny = (Action: string, Resource: string) => ({ Effect: "Deny", Action, Resource });
const notAllowed = { issue_type: "field_not_allowed", severity: "error" } as const;
const missing = { issue_type: "missing_field", severity: "error" } as const;
/** A fix that writes this ARN, and asks for its placeholders. */
const writes = (effect: string, value: string) =>
  expect.objectContaining({
    effect,
    needs_input: (value.match(/<[a-z-]+>/g) ?? []).map((placeholder) =>
      expect.objectContaining({ placeholder }),
    ),
    patch: expect.arrayContaining([expect.objectContaining({ op: "replace", value })]),
  });

checkCases(
  arnFields,
  [
    {
      name: "reports a field that ARNs of the service do not have, and leaves it empty",
      statement: [
        deny("iam:GetRole", `arn:aws:iam:eu-west-1:${account}:role/a`),
        deny("s3:GetObject", `arn:aws:s3::${account}:b/*`),
      ],
      findings: [
        {
          ...notAllowed,
          at: 0,
          field_name: "resource",
          path: "/Statement/0/Resource",
          aws_issue_code: "ARN_REGION_NOT_ALLOWED",
          fix: writes("repairs", `arn:aws:iam::${account}:role/a`),
        },
        {
          ...notAllowed,
          at: 1,
          aws_issue_code: "ARN_ACCOUNT_NOT_ALLOWED",
          fix: writes("repairs", "arn:aws:s3:::b/*"),
        },
      ],
    },
    {
      name: "reports a field that every ARN of the service has, and asks for it",
      statement: [
        deny("sqs:SendMessage", `arn:aws:sqs::${account}:q`),
        deny("sqs:SendMessage", "arn:aws:sqs:eu-west-1::q"),
        deny("sqs:SendMessage", "arn:aws:sqs:::q"),
      ],
      findings: [
        {
          ...missing,
          at: 0,
          aws_issue_code: "MISSING_ARN_REGION",
          fix: writes("changes", `arn:aws:sqs:<region>:${account}:q`),
        },
        {
          ...missing,
          at: 1,
          aws_issue_code: "MISSING_ARN_ACCOUNT",
          fix: writes("changes", "arn:aws:sqs:eu-west-1:<account-id>:q"),
        },
        { ...missing, at: 2, fix: writes("changes", "arn:aws:sqs:<region>:<account-id>:q") },
      ],
    },
    {
      name: "reads `NotResource`, at the entry",
      statement: {
        Effect: "Deny",
        Action: "sqs:SendMessage",
        NotResource: [`arn:aws:sqs:eu-west-1:${account}:q`, "arn:aws:sqs:eu-west-1::r"],
      },
      findings: [
        {
          ...missing,
          field_name: "not_resource",
          path: "/Statement/0/NotResource/1",
          fix: writes("changes", "arn:aws:sqs:eu-west-1:<account-id>:r"),
        },
      ],
    },
    {
      name: "warns of resources of AWS, which may lack the field",
      statement: [
        deny("securityhub:GetFindings", "arn:aws:securityhub:eu-west-1::product/aws/x"),
        deny("securityhub:GetFindings", "arn:aws:securityhub:eu-west-1::hub/default"),
      ],
      findings: [
        { ...missing, at: 0, severity: "warning" },
        { ...missing, at: 1 },
      ],
    },
    {
      name: "warns of an unknown service, and writes that of the actions",
      statement: [
        deny("sqs:SendMessage", `arn:aws:sqz:eu-west-1:${account}:q`),
        deny("*", `arn:aws:sqz:eu-west-1:${account}:q`),
      ],
      findings: [
        {
          issue_type: "unknown_service",
          severity: "warning",
          at: 0,
          aws_issue_code: "INVALID_SERVICE",
          fix: writes("repairs", `arn:aws:sqs:eu-west-1:${account}:q`),
        },
        { issue_type: "unknown_service", at: 1, fix: null },
      ],
    },
    {
      name: "accepts wildcards and variables in every field",
      statement: deny("sqs:SendMessage", "arn:aws:sqs:*:*:q"),
      findings: [],
    },
  ],
  embeddedServices(),
);
