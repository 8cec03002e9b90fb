import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const source = { ArnEquals: { "aws:SourceArn": "arn:aws:sns:eu-west-1:111122223333:orders" } };
const send = (Condition: object, members: object = {}) => ({
  Effect: "Allow",
  Action: "sqs:SendMessage",
  Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
  Condition,
  ...members,
});

checkCases(conditionEffect, [
  ...[source, { StringEquals: { "aws:SourceAccount": "111122223333" } }].map((condition) => ({
    name: `an identity policy that requires ${JSON.stringify(condition)}`,
    statement: send(condition),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error" as const,
        message: /an identity policy belongs to a user, group or role\. .* grants nothing\.$/,
      },
    ],
  })),
  {
    name: "an optional source in an identity policy, without the advice to require it",
    statement: send({ StringEqualsIfExists: { "aws:SourceAccount": "111122223333" } }),
    findings: [
      {
        issue_type: "condition_always_true",
        suggestion: "Remove the test, or put it into the policy of the resource.",
        example: null,
      },
    ],
  },
  ...[
    {
      Principal: { AWS: "arn:aws:iam::444455556666:root" },
      Action: "events:PutEvents",
      Resource: "arn:aws:events:eu-west-1:111122223333:event-bus/central",
      Condition: {
        ArnEquals: { "aws:SourceArn": "arn:aws:events:eu-west-1:444455556666:rule/forward" },
      },
    },
    {
      Principal: { AWS: "arn:aws:iam::444455556666:role/importer" },
      Action: ["kms:Decrypt", "kms:GenerateDataKey"],
      Resource: "*",
      Condition: {
        StringLike: { "aws:SourceArn": "arn:aws:comprehend:us-west-2:111122223333:*" },
      },
    },
  ].map((statement) => ({
    name: `accepts a source that a service sends with calls for an account: ${statement.Action}`,
    type: "RESOURCE_POLICY" as const,
    statement: { Effect: "Allow", ...statement },
    findings: [],
  })),
  ...[
    { ArnEquals: { "aws:SourceArn": "arn:aws:sns:eu-west-1:444455556666:orders" } },
    { StringEquals: { "aws:SourceAccount": "444455556666" } },
  ].map((Condition) => ({
    name: `reports that accounts never send ${JSON.stringify(Condition)}`,
    type: "RESOURCE_POLICY" as const,
    statement: {
      Effect: "Allow",
      Principal: { AWS: "arn:aws:iam::444455556666:root" },
      Action: "events:PutEvents",
      Resource: "arn:aws:events:eu-west-1:111122223333:event-bus/central",
      Condition,
    },
    findings: [{ issue_type: "condition_never_true", severity: "error" as const }],
  })),
  {
    name: "a key that requests of one of the principals lack",
    type: "RESOURCE_POLICY",
    statement: send(
      { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      { Principal: { AWS: "111122223333", Service: "sns.amazonaws.com" } },
    ),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "medium",
        message: /This Allow grants nothing to `sns\.amazonaws\.com`\.$/,
      },
    ],
  },
  ...[
    { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    { StringEquals: { "aws:PrincipalAccount": "111122223333" } },
    { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
  ].map((condition) => ({
    name: `accepts ${JSON.stringify(condition)} for an account and a service`,
    type: "RESOURCE_POLICY" as const,
    statement: send(condition, {
      Principal: { AWS: "111122223333", Service: "sns.amazonaws.com" },
    }),
    findings: "StringNotEquals" in condition ? [{ issue_type: "condition_inverted" }] : [],
  })),
  {
    name: "accepts the source in the policy of the resource",
    type: "RESOURCE_POLICY",
    statement: send(source, { Principal: { Service: "sns.amazonaws.com" } }),
    findings: [],
  },
  ...[
    { ArnEquals: { "ec2:SourceInstanceARN": "arn:aws:ec2:eu-west-1:111122223333:instance/*" } },
    {
      ArnEquals: {
        "lambda:SourceFunctionArn": "arn:aws:lambda:eu-west-1:111122223333:function:orders",
      },
    },
    { StringEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f67890" } },
    { StringEquals: { "aws:SourceIdentity": "ana" } },
    { Null: { "aws:SourceArn": "true" } },
    {
      StringEquals: {
        "aws:SourceAccount": "111122223333",
        "aws:SourceArn": "arn:aws:cloudtrail:eu-west-1:111122223333:eventdatastore/3c4d5e6f",
      },
    },
  ].map((condition) => ({
    name: `accepts ${JSON.stringify(condition)} in an identity policy`,
    statement: send(condition),
    findings: [],
  })),
]);

const service = { Service: "sns.amazonaws.com" };
const sts = "sts:AssumeRole";
const trust = (Principal: object, Condition: object, Action = sts) => ({
  type: "TRUST_POLICY" as const,
  statement: { Effect: "Allow", Principal, Action, Condition },
});
const resource = (Principal: object, Condition: object, more: object = {}) => ({
  type: "RESOURCE_POLICY" as const,
  statement: send(Condition, { Principal, ...more }),
});
const never = { issue_type: "condition_never_true", severity: "error" as const };
const saml = { Federated: "arn:aws:iam::111122223333:saml-provider/okta" };
const byService = "Requests that a service makes for itself never have";
const role = "arn:aws:iam::111122223333:role/app";
const org = { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };

checkCases(conditionEffect, [
  {
    name: "an organization that is required of a service: what to test in its place",
    ...resource(service, org),
    findings: [
      {
        ...never,
        message: `${byService} \`aws:PrincipalOrgID\`. The condition never holds, so this Allow grants nothing.`,
        suggestion:
          "Test for whom the service calls: `aws:SourceArn`, `aws:SourceAccount` or `aws:SourceOrgID`.",
        aws_issue_code: "UNSUPPORTED_CONDITION_KEY_FOR_SERVICE_PRINCIPAL",
      },
    ],
  },
  {
    name: "a tag that is required of a service has no code of AWS",
    ...resource(service, { StringEquals: { "aws:PrincipalTag/team": "a" } }),
    findings: [{ ...never, aws_issue_code: null }],
  },
  {
    name: "an organization that is required of the service that assumes a role",
    ...trust(service, org),
    findings: [
      {
        ...never,
        suggestion:
          "Remove the entry: the service takes the role only for resources of the role's own account. Where the service sends `aws:SourceArn`, test that.",
        aws_issue_code: null,
      },
    ],
  },
  {
    name: "an address that is required of a service",
    ...resource(service, { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } }),
    findings: [
      {
        ...never,
        message:
          /^Requests that a service makes for itself come from addresses of AWS, so no test of `aws:SourceIp` for others holds\./,
      },
    ],
  },
  {
    name: "a key that some of the principals lack: these go into a statement of their own",
    ...resource({ AWS: role, ...service }, org),
    findings: [
      {
        severity: "medium",
        message:
          "Requests that a service makes for itself never meet a test of `aws:PrincipalOrgID`. This Allow grants nothing to `sns.amazonaws.com`.",
        suggestion: "Put `sns.amazonaws.com` into a separate statement without this test.",
      },
    ],
  },
  ...(
    [
      [
        { StringEquals: { "aws:PrincipalAccount": "111122223333" } },
        "so `aws:PrincipalAccount` has no account in them",
        "Test claims of the identity provider, such as its subject.",
      ],
      [
        { ArnLike: { "aws:PrincipalArn": role } },
        "so they never have `aws:PrincipalArn`",
        "Test claims of the identity provider, such as its subject.",
      ],
      [
        { NumericLessThan: { "aws:MultiFactorAuthAge": "3600" } },
        "so they never have `aws:MultiFactorAuthAge`",
        "Remove the entry, and ask for MFA at the identity provider.",
      ],
    ] as const
  ).map(([Condition, reason, suggestion]) => ({
    name: `an assertion is not signed by a user or role: ${JSON.stringify(Condition)}`,
    ...trust(saml, Condition, "sts:AssumeRoleWithSAML"),
    findings: [
      {
        ...never,
        message: `No user or role signs the calls that bring a token or an assertion of an identity provider, ${reason}. The condition never holds, so this Allow grants nothing.`,
        suggestion,
      },
    ],
  })),
  {
    name: "a name of a user that is required of roles",
    ...resource(
      { AWS: [role, "arn:aws:sts::111122223333:assumed-role/app/x"] },
      { StringEquals: { "aws:username": "ana" } },
    ),
    findings: [
      {
        ...never,
        message:
          /^Only IAM users have `aws:username`, and the principals of the statement are roles/,
        suggestion:
          "Name the role session with `sts:RoleSessionName` or `aws:userid`, or test a tag of the caller.",
      },
    ],
  },
  {
    name: "a value that holds the name of a user, in a statement for roles",
    ...resource(
      { AWS: role },
      { StringLike: { "aws:ResourceTag/owner": ["${ aws:UserName }", "x-${aws:username}"] } },
    ),
    findings: [
      {
        ...never,
        message: /^Only IAM users have `\$\{aws:username\}`, and/,
        suggestion:
          "Compare with a fixed value, or with a tag of the caller, such as `${aws:PrincipalTag/owner}`.",
      },
    ],
  },
  ...["444455556666", "arn:aws:iam::444455556666:user/ana"].map((AWS) => ({
    name: `a source that is required of ${AWS}`,
    ...resource({ AWS }, source),
    findings: [
      {
        ...never,
        message:
          /^Only requests of service principals have `aws:SourceArn`, and the principals of the statement are accounts, users or roles\./,
        suggestion:
          "Name the service as the principal. For callers of an account, test `aws:PrincipalAccount` or `aws:PrincipalArn`.",
      },
    ],
  })),
  ...[
    {
      name: "in a Deny",
      ...resource(service, { StringEquals: { "aws:PrincipalTag/team": "a" } }, { Effect: "Deny" }),
    },
    { name: "of no value", ...resource(service, { StringEquals: { "aws:PrincipalOrgID": [] } }) },
    {
      name: "of the certificate of IAM Roles Anywhere",
      ...trust(
        { Service: "rolesanywhere.amazonaws.com" },
        { StringEquals: { "aws:PrincipalTag/x509Subject/OU": "a" } },
      ),
    },
    {
      name: "of a tag of IAM Roles Anywhere",
      ...trust(
        { Service: "rolesanywhere.amazonaws.com" },
        { StringEquals: { "aws:PrincipalTag/team": "a" } },
      ),
    },
    {
      name: "of an external id of services of which one sends one",
      ...trust(
        { Service: ["ec2.amazonaws.com", "firehose.amazonaws.com"] },
        { StringEquals: { "aws:SourceAccount": "111122223333" } },
      ),
    },
    {
      name: "of an account of roles and a provider",
      ...trust(
        { AWS: role, ...saml },
        { StringEquals: { "aws:PrincipalAccount": "111122223333" } },
      ),
    },
    {
      name: "of a user's name of a role and a user",
      ...resource(
        { AWS: [role, "arn:aws:iam::111122223333:user/ana"] },
        { StringEquals: { "aws:username": "ana" } },
      ),
    },
    {
      name: "of one value with a user's name of a role",
      ...resource(
        { AWS: role },
        { StringEquals: { "aws:ResourceTag/owner": ["${aws:username}", "all"] } },
      ),
    },
    {
      name: "of a user's name with a default",
      ...resource(
        { AWS: role },
        { StringEquals: { "aws:ResourceTag/owner": "${aws:username, 'all'}" } },
      ),
    },
    { name: "of a source of everyone", ...resource({ AWS: "*" }, source) },
    { name: "of a source of a role and a service", ...resource({ AWS: role, ...service }, source) },
  ].map(({ name, ...one }) => ({ name: `passes a test ${name}`, ...one, findings: [] })),
  {
    name: "a source of events that an account sends with other calls, too",
    ...resource(
      { AWS: "444455556666" },
      { ArnEquals: { "aws:SourceArn": "arn:aws:events:eu-west-1:444455556666:rule/forward" } },
      { Action: ["events:PutEvents", "events:PutRule"] },
    ),
    findings: [never],
  },
  {
    name: "sources of events and of another service, of which an account sends the first alone",
    ...resource(
      { AWS: "444455556666" },
      {
        ArnEquals: {
          "aws:SourceArn": [
            "arn:aws:events:eu-west-1:444455556666:rule/forward",
            "arn:aws:sns:eu-west-1:444455556666:orders",
          ],
        },
      },
      { Action: "events:PutEvents" },
    ),
    findings: [never],
  },
  ...(
    [
      [
        "Deny",
        "NotIpAddress",
        "condition_always_true",
        ", so `NotIpAddress` holds for all of them. The addresses exempt no caller from this Deny.",
      ],
      [
        "Allow",
        "NotIpAddress",
        "condition_always_true",
        ", so `NotIpAddress` holds for all of them. This entry limits nothing.",
      ],
      [
        "Allow",
        "IpAddressIfExists",
        "condition_always_true",
        ", so `IpAddressIfExists` holds for all of them. This entry limits nothing.",
      ],
      [
        "Allow",
        "IpAddress",
        "condition_never_true",
        ". The condition never holds, so this Allow grants nothing.",
      ],
    ] as const
  ).map(([Effect, operator, issue_type, rest]) => ({
    name: `an ${Effect} of an endpoint by ${operator} on the public address`,
    type: "ENDPOINT_POLICY" as const,
    statement: send(
      { [operator]: { "aws:SourceIp": "203.0.113.0/24" } },
      { Effect, Principal: "*" },
    ),
    findings: [
      {
        issue_type,
        message: `Requests through a VPC endpoint have no \`aws:SourceIp\`${rest}`,
        suggestion: "Test `aws:VpcSourceIp`, the address inside the VPC.",
      },
    ],
  })),
  ...[
    { StringEquals: { "aws:SourceIp": "203.0.113.7" } },
    { IpAddress: { "aws:SourceIp": [] } },
    { IpAddress: { "aws:VpcSourceIp": "10.0.0.0/8" } },
  ].map((Condition) => ({
    name: `passes ${JSON.stringify(Condition)} in the policy of an endpoint`,
    type: "ENDPOINT_POLICY" as const,
    statement: send(Condition, { Principal: "*" }),
    findings: [],
  })),
]);
