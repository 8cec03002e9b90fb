import { checkCases } from "../../../test/support/check-cases.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const datadog = "464622532012";
const trust = (account: string, Condition?: object, Effect = "Allow") => ({
  Effect,
  Principal: { AWS: account },
  Action: "sts:AssumeRole",
  ...(Condition ? { Condition } : {}),
});

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
    name: "an external id of any text",
    type: "TRUST_POLICY",
    statement: trust(datadog, { StringLike: { "sts:ExternalId": "*" } }),
    findings: [
      { issue_type: "missing_external_id", message: /the test of `sts:ExternalId` lets every/ },
    ],
  },
  ...[
    trust(datadog, { StringEquals: { "sts:ExternalId": "a1b2c3d4" } }),
    trust("444455556666"),
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
    statement: { ...trust(datadog), Action: "sqs:SendMessage", Resource: "*" },
    findings: [],
  },
]);
