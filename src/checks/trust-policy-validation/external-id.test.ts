import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { trust as allow } from "../../../test/support/trust-statement.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const datadog = "464622532012";
const own = "444455556666";
const asked = { StringEquals: { "sts:ExternalId": "a1b2c3d4" } };
const trust = (account: unknown, Condition?: object) =>
  allow({ AWS: account }, "sts:AssumeRole", Condition);

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
        message:
          /and no condition limits `sts:ExternalId`\. The test `StringLike` on `sts:ExternalId` matches every value\. Another customer/,
        example: null,
        fix: null,
      },
    ],
  },
  ...[
    trust(datadog, { StringEquals: { "sts:ExternalId": "a1b2c3d4" } }),
    trust("444455556666"),
    { ...trust(datadog), Action: "sts:TagSession" },
    { ...trust(datadog), Effect: "Deny" },
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

const pair = (...Statement: object[]) => ({ Version: "2012-10-17", Statement });
const root = `arn:aws:iam::${own}:root`;
const role = `arn:aws:iam::${own}:role/scanner`;

checkCases(trustPolicyValidation, [
  {
    name: "another statement lets the same account in without the external id",
    type: "TRUST_POLICY",
    policy: pair(
      { ...trust(root, asked), Sid: "Scanner" },
      trust(["arn:aws:iam::111122223333:root", root]),
    ),
    findings: [
      {
        issue_type: "missing_external_id",
        severity: "high",
        statement_index: 1,
        path: "/Statement/1/Principal/AWS/1",
        message: `Statement \`Scanner\` asks \`${root}\` for the external id, and this statement lets it assume the role without one.`,
        suggestion:
          "Repeat the test of `sts:ExternalId` here, or remove the principal from this statement.",
        example: /"sts:ExternalId": \[\s*"a1b2c3d4"/,
        fix: expect.objectContaining({ effect: "narrows" }),
      },
    ],
  },
  {
    name: "the account of a role that is asked for the external id needs none",
    type: "TRUST_POLICY",
    policy: pair(trust(own), trust(role, asked)),
    findings: [
      {
        issue_type: "missing_external_id",
        statement_index: 0,
        message: `Statement 2 asks \`${role}\` for the external id, and this statement lets its account \`${own}\` assume the role without one.`,
      },
    ],
  },
  {
    name: "the other statement takes any external id",
    type: "TRUST_POLICY",
    policy: pair(trust(root, asked), trust(root, { Null: { "sts:ExternalId": "false" } })),
    findings: [{ issue_type: "missing_external_id", statement_index: 1, example: null, fix: null }],
  },
  ...[
    ["another account", pair(trust(root, asked), trust("111122223333"))],
    ["one role of the account", pair(trust(root, asked), trust(role))],
    [
      "a further limit",
      pair(trust(root, asked), trust(root, { Bool: { "aws:MultiFactorAuthPresent": "true" } })),
    ],
    ["session tags alone", pair(trust(root, asked), allow({ AWS: root }, "sts:TagSession"))],
    ["both ask", pair(trust(root, asked), trust(root, asked))],
    [
      "the other one admits anything",
      pair(trust(root, { StringLike: { "sts:ExternalId": "*" } }), trust(root)),
    ],
    [
      "a Deny asks everyone",
      pair(trust(root, asked), trust(root), trust(datadog), {
        ...trust("*", { StringNotEquals: { "sts:ExternalId": "a1b2c3d4" } }),
        Effect: "Deny",
      }),
    ],
  ].map(([name, policy]) => ({
    name: `no statement is wider than one that asks for the external id: ${name}`,
    type: "TRUST_POLICY" as const,
    policy: policy as object,
    findings: [],
  })),
]);
