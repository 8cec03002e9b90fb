import { checkCases } from "../../test/support/check-cases.ts";
import { rcpBestPractices } from "./rcp-best-practices.ts";

const deny = (Condition?: object) => ({
  Effect: "Deny",
  Principal: "*",
  Action: "s3:*",
  Resource: "*",
  ...(Condition ? { Condition } : {}),
});
const org = { "aws:PrincipalOrgID": "o-a1b2c3d4e5" };
const spared = { "aws:PrincipalIsAWSService": "false" };
const missing = {
  at: 0,
  issue_type: "rcp_missing_service_carveout",
  severity: "high",
  field_name: "condition",
  example: /BoolIfExists/,
} as const;

checkCases(
  rcpBestPractices,
  [
    {
      name: "accepts a Deny that is not about the organization",
      statement: [deny({ Bool: { "aws:SecureTransport": "false" } })],
      findings: [],
    },
    ...[
      { "ForAnyValue:StringLike": { "aws:TagKeys": ["dp:*"] } },
      { StringEquals: { "aws:RequestTag/team": "admin" } },
    ].map((tags) => ({
      name: `accepts a Deny that keeps tags to the organization: ${Object.keys(tags)}`,
      statement: [deny({ StringNotEqualsIfExists: org, ...tags })],
      findings: [],
    })),
    ...[
      { "ForAllValues:StringLike": { "aws:TagKeys": ["dp:*"] } },
      { StringEqualsIfExists: { "aws:RequestTag/team": "admin" } },
      { Null: { "aws:TagKeys": "true" } },
    ].map((tags) => ({
      name: `takes no test of tags that holds without any for one: ${Object.keys(tags)}`,
      statement: [deny({ StringNotEqualsIfExists: org, ...tags })],
      findings: [missing],
    })),
    ...[
      { NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } },
      { StringNotEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" } },
      { StringNotEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f6a7b8" } },
      {
        NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" },
        Null: { "aws:PrincipalAccount": "false" },
      },
    ].map((condition) => ({
      name: `reports a network perimeter that stops AWS services: ${JSON.stringify(condition)}`,
      statement: [deny(condition)],
      findings: [{ ...missing, message: /requests outside.*call from none of these networks/ }],
    })),
    ...[
      { BoolIfExists: spared },
      { StringEquals: { "aws:PrincipalTag/network": "office" } },
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/*" } },
      { Null: { "aws:PrincipalOrgID": "false" } },
      { Null: { "aws:PrincipalServiceName": "true" } },
    ].map((more) => ({
      name: `accepts a network perimeter for users and roles: ${JSON.stringify(more)}`,
      statement: [deny({ NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" }, ...more })],
      findings: [],
    })),
    {
      name: "accepts a network perimeter of the sign-in alone, which no service needs",
      statement: [
        {
          ...deny({ NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } }),
          Action: ["signin:Authenticate"],
        },
      ],
      findings: [],
    },
    {
      name: "accepts a Deny of addresses that are blocked",
      statement: [deny({ IpAddress: { "aws:SourceIp": "203.0.113.0/24" } })],
      findings: [],
    },
    {
      name: "ignores Allow statements",
      statement: [{ ...deny(), Effect: "Allow" }],
      findings: [],
    },
    {
      name: "reports a Deny without a condition, and with an empty one",
      statement: [deny(), { ...deny({}), Effect: "deny" }],
      findings: [
        { at: 0, issue_type: "rcp_blanket_deny", severity: "high" as const, path: "/Statement/0" },
        { at: 1, issue_type: "rcp_blanket_deny", path: "/Statement/1/Condition" },
      ],
    },
    ...[
      "StringNotEquals",
      "StringNotEqualsIfExists",
      "stringnotequalsignorecase",
      "ForAllValues:StringNotLikeIfExists",
    ].flatMap((operator) =>
      ["aws:PrincipalOrgID", "AWS:principalorgpaths", "aws:PrincipalAccount"].map((key) => ({
        name: `reports ${operator} on ${key} that does not exempt AWS services`,
        statement: [deny({ [operator]: { [key]: "x" } })],
        findings: [
          {
            ...missing,
            message: /belong to no organization/,
            path: `/Statement/0/Condition/${operator}/${key}`,
          },
        ],
      })),
    ),
    {
      name: "accepts an exemption of services with BoolIfExists, set prefix or not",
      statement: [
        deny({ StringNotEqualsIfExists: org, BoolIfExists: spared }),
        deny({ StringNotEqualsIfExists: org, "ForAnyValue:boolifexists": spared }),
        deny({
          StringNotEqualsIfExists: org,
          BoolIfExists: { "AWS:PRINCIPALISAWSSERVICE": [false] },
        }),
      ],
      findings: [],
    },
    ...[
      { BoolIfExists: { "aws:PrincipalIsAWSService": ["false", "true"] } },
      { Null: { "aws:PrincipalIsAWSService": "true" } },
      { StringEquals: spared },
    ].map((carveOut) => ({
      name: `does not accept ${JSON.stringify(carveOut)} as the exemption, and says so`,
      statement: [deny({ StringNotEqualsIfExists: org, ...carveOut })],
      findings: [{ ...missing, message: /does not exempt/, suggestion: /^Write in place of/ }],
    })),
    {
      name: "says of an exemption that is reversed that only calls of services are denied",
      statement: [
        deny({
          StringNotEqualsIfExists: org,
          BoolIfExists: { "aws:PrincipalIsAWSService": "true" },
        }),
      ],
      findings: [
        { ...missing, message: /stops the calls that services make for themselves, and none/ },
      ],
    },
    {
      name: "accepts a Deny for requests that carry no name of a service",
      statement: [
        deny({ StringNotEqualsIfExists: org, Null: { "aws:PrincipalServiceName": "true" } }),
      ],
      findings: [],
    },
    {
      name: "reports plain Bool, even beside BoolIfExists",
      statement: [
        deny({ StringNotEquals: org, Bool: spared }),
        deny({ StringNotEquals: org, BoolIfExists: spared, Bool: spared }),
      ],
      findings: [0, 1].map((at) => ({
        at,
        issue_type: "rcp_carveout_missing_ifexists",
        severity: "high" as const,
        path: `/Statement/${at}/Condition/Bool`,
      })),
    },
    {
      name: "reads each statement alone",
      statement: [deny({ StringNotEquals: org }), deny({ BoolIfExists: spared })],
      findings: [missing],
    },
    {
      name: "follows the configured severity, except for a Deny without a condition",
      statement: [{ ...deny(), Action: "s3:PutObject" }, deny({ StringNotEquals: org })],
      options: { severity: "medium" },
      findings: [
        { issue_type: "rcp_blanket_deny", severity: "low" as const },
        { issue_type: "rcp_missing_service_carveout", severity: "medium" as const },
      ],
    },
  ].map((row) => ({ type: "RESOURCE_CONTROL_POLICY" as const, ...row })),
);

checkCases(rcpBestPractices, [
  {
    name: "does not run on other types",
    statement: [deny()],
    type: "RESOURCE_POLICY",
    findings: [],
  },
]);
