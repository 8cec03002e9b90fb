import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const datadog = "464622532012";
const trust = (account: string, Condition?: object, Effect = "Allow") => ({
  Effect,
  Principal: { AWS: account },
  Action: "sts:AssumeRole",
  ...(Condition ? { Condition } : {}),
});

/** What `sts:*` is told besides: the actions of identity providers are not for accounts. */
const others = [
  { issue_type: "invalid_principal_type_for_assume_action" },
  { issue_type: "missing_required_condition_for_assume_action" },
  { issue_type: "invalid_principal_type_for_assume_action" },
  { issue_type: "missing_required_condition_for_assume_action" },
] as const;

checkCases(trustPolicyValidation, [
  ...[datadog, `arn:aws:iam::${datadog}:root`, `arn:aws:iam::${datadog}:role/integrations`].map(
    (account) => ({
      name: `a vendor without an external id: ${account}`,
      type: "TRUST_POLICY" as const,
      statement: trust(account),
      findings: [
        {
          issue_type: "missing_external_id",
          severity: "high" as const,
          message: /from which Datadog takes roles.*no condition tests `sts:ExternalId`/,
        },
      ],
    }),
  ),
  {
    name: "the vendor is named, and the external id that it shows is asked for",
    type: "TRUST_POLICY",
    statement: {
      ...trust(datadog, { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
      Principal: { AWS: ["arn:aws:iam::444455556666:root", datadog] },
      Action: ["sts:TagSession", "sts:*"],
    },
    findings: [
      ...others,
      {
        issue_type: "missing_external_id",
        field_name: "principal",
        action: "sts:*",
        path: "/Statement/0/Principal/AWS/1",
        message:
          /`sts:ExternalId`\. Another customer who knows the ARN of this role can have Datadog use it\.$/,
        suggestion:
          "Require with `StringEquals` the `sts:ExternalId` that Datadog shows for your account.",
        example: /"sts:ExternalId": "example-external-id"/,
        fix: expect.objectContaining({
          effect: "narrows",
          needs_input: [expect.objectContaining({ placeholder: "<external-id>" })],
        }),
      },
    ],
  },
  {
    name: "an external id of any text",
    type: "TRUST_POLICY",
    statement: trust(datadog, { StringLike: { "sts:ExternalId": "*" } }),
    findings: [
      {
        issue_type: "missing_external_id",
        message: /and the test of `sts:ExternalId` lets every value through\. Another customer/,
        example: null,
        fix: null,
      },
    ],
  },
  ...[
    trust(datadog, { StringEquals: { "sts:ExternalId": "a1b2c3d4" } }),
    trust("444455556666"),
    { ...trust(datadog), Action: "sts:TagSession" },
    trust(datadog, undefined, "Deny"),
  ].map((statement) => ({
    name: `nothing to ask for: ${JSON.stringify(statement)}`,
    type: "TRUST_POLICY" as const,
    statement,
    findings: [],
  })),
  {
    name: "a resource policy takes no external id",
    type: "RESOURCE_POLICY",
    statement: { ...trust(datadog), Resource: "*" },
    findings: [],
  },
]);
