import { checkCases } from "../../test/support/check-cases.ts";
import { policyTypeValidation } from "./policy-type-validation.ts";

const account = { AWS: "arn:aws:iam::123456789012:root" };
const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" };
const trust = {
  Effect: "Allow",
  Principal: { Service: "lambda.amazonaws.com" },
  Action: "sts:AssumeRole",
};
const rcp = {
  Effect: "Deny",
  Principal: "*",
  Action: "s3:*",
  Resource: "*",
  Condition: { Bool: { "aws:SecureTransport": "false" } },
};
const without = (statement: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(statement).filter(([name]) => !names.includes(name)));
const principal = { field_name: "principal", severity: "error" } as const;

checkCases(policyTypeValidation, [
  { name: "accepts an identity policy without principals", statement: [read], findings: [] },
  {
    name: "says nothing of a policy without statements",
    policy: { Version: "2012-10-17", Statement: [] },
    type: "RESOURCE_POLICY",
    findings: [],
  },
  {
    name: "hints at an RCP when every statement has its shape, without a Sid",
    statement: [{ ...rcp, Sid: "Tls" }, rcp],
    findings: [
      {
        at: 0,
        issue_type: "policy_type_hint",
        severity: "info",
        statement_sid: null,
        field_name: null,
        message: /RESOURCE_CONTROL_POLICY/,
        suggestion: /`rcp`/,
      },
    ],
  },
  {
    name: "does not hint when one statement has another shape",
    statement: [rcp, { ...rcp, Resource: "arn:aws:s3:::b" }],
    findings: [],
  },
  {
    name: "reports principals in an identity policy and hints at what it looks like",
    type: "IDENTITY_POLICY",
    statement: [
      { ...read, Principal: account, Sid: "A" },
      read,
      { ...read, NotPrincipal: account },
    ],
    findings: [
      { at: 0, issue_type: "policy_type_hint", message: /RESOURCE_POLICY/ },
      {
        ...principal,
        at: 0,
        issue_type: "unexpected_principal",
        statement_sid: "A",
        path: "/Statement/0/Principal",
        aws_issue_code: "UNSUPPORTED_PRINCIPAL",
      },
      {
        ...principal,
        at: 2,
        issue_type: "invalid_not_principal",
        path: "/Statement/2/NotPrincipal",
      },
    ],
  },
  {
    name: "hints at a trust policy when the content is one",
    type: "IDENTITY_POLICY",
    statement: [trust],
    findings: [
      { issue_type: "policy_type_hint", message: /TRUST_POLICY/, suggestion: /`trust`/ },
      { issue_type: "unexpected_principal" },
    ],
  },
  {
    name: "reports a statement of a resource policy without a principal",
    type: "RESOURCE_POLICY",
    statement: [{ ...read, Principal: account }, { ...read, NotPrincipal: account }, read],
    findings: [{ ...principal, at: 2, issue_type: "missing_principal", path: "/Statement/2" }],
  },
  {
    name: "reports NotPrincipal in a trust policy, once, and a missing principal",
    type: "TRUST_POLICY",
    statement: [
      { ...without(trust, "Principal"), NotPrincipal: account },
      without(trust, "Principal"),
      trust,
    ],
    findings: [
      {
        ...principal,
        at: 0,
        issue_type: "invalid_not_principal",
        aws_issue_code: "ROLE_TRUST_POLICY_SYNTAX_ERROR_NOTPRINCIPAL",
      },
      { ...principal, at: 1, issue_type: "missing_principal" },
    ],
  },
  {
    name: "reports principals in an SCP, and nothing else that SCPs may have by now",
    type: "SERVICE_CONTROL_POLICY",
    statement: [
      { ...read, Principal: "*" },
      { ...read, Effect: "Deny", NotPrincipal: account },
      { Effect: "Allow", NotAction: "iam:*Role*", NotResource: "arn:aws:s3:::b" },
    ],
    findings: [
      {
        ...principal,
        at: 0,
        issue_type: "invalid_principal",
        aws_issue_code: "SCP_SYNTAX_ERROR_PRINCIPAL",
      },
      { ...principal, at: 1, issue_type: "invalid_not_principal" },
    ],
  },
  ...[
    {
      name: "accepts an RCP that denies, in any letter case of prefixes",
      statement: [{ ...rcp, Action: ["S3:GetObject", "es:*", "opensearch:*", "events:PutEvents"] }],
      findings: [],
    },
    {
      name: "accepts AWS's own full-access statement",
      statement: [{ Effect: "Allow", Principal: "*", Action: "*", Resource: "*" }],
      findings: [],
    },
    {
      name: "reports an RCP statement that allows",
      statement: [{ ...rcp, Effect: "Allow" }],
      findings: [
        {
          issue_type: "invalid_rcp_effect",
          severity: "error" as const,
          field_name: "effect" as const,
          aws_issue_code: "RCP_SYNTAX_ERROR_ALLOW",
        },
      ],
    },
    {
      name: "leaves a missing Effect to policy_structure",
      statement: [without(rcp, "Effect")],
      findings: [],
    },
    {
      name: "reports NotPrincipal in an RCP",
      statement: [{ ...without(rcp, "Principal"), NotPrincipal: account }],
      findings: [{ ...principal, issue_type: "invalid_rcp_not_principal" }],
    },
    {
      name: "reports an RCP statement without Principal",
      statement: [without(rcp, "Principal")],
      findings: [{ ...principal, issue_type: "missing_rcp_principal" }],
    },
    {
      name: "reports any other principal, and shows it",
      statement: [{ ...rcp, Principal: { AWS: "*" } }],
      findings: [
        { ...principal, issue_type: "invalid_rcp_principal", message: /`\{"AWS":"\*"\}`/ },
      ],
    },
    {
      name: "reports the bare star as an action, at its place, and not as an unsupported service",
      statement: [{ ...rcp, Action: ["s3:*", "*"] }],
      findings: [
        {
          issue_type: "invalid_rcp_wildcard_action",
          field_name: "action" as const,
          action: null,
          path: "/Statement/0/Action/1",
          suggestion: /`s3`/,
        },
      ],
    },
    {
      name: "names all actions of services that RCPs do not cover in one finding",
      statement: [{ ...rcp, Action: ["ec2:*", "s3:*", "iam:PassRole", "nocolon", "s*:Get*"] }],
      findings: [
        {
          issue_type: "unsupported_rcp_service",
          action: null,
          message: /`ec2:\*`, `iam:PassRole`, `nocolon` and `s\*:Get\*`/,
          suggestion: /`secretsmanager`/,
        },
      ],
    },
    {
      name: "reports NotAction in an RCP",
      statement: [{ ...without(rcp, "Action"), NotAction: "s3:GetObject" }],
      findings: [
        { issue_type: "invalid_rcp_not_action", aws_issue_code: "RCP_SYNTAX_ERROR_NOTACTION" },
      ],
    },
    {
      name: "reports an RCP statement without resources",
      statement: [without(rcp, "Resource")],
      findings: [{ issue_type: "missing_rcp_resource", field_name: "resource" as const }],
    },
    {
      name: "accepts NotResource in an RCP",
      statement: [{ ...without(rcp, "Resource"), NotResource: "arn:aws:s3:::b/*" }],
      findings: [],
    },
    {
      name: "accepts additional services, trimmed and in any letter case",
      statement: [{ ...rcp, Action: "ec2:*" }],
      options: { additional_rcp_services: [" EC2 ", ""] },
      findings: [],
    },
    {
      name: "reports everything that is wrong with one statement, in order",
      statement: [{ Effect: "Allow", Action: ["*", "ec2:*"], NotAction: "s3:*" }],
      findings: [
        { issue_type: "invalid_rcp_effect" },
        { issue_type: "missing_rcp_principal" },
        { issue_type: "invalid_rcp_wildcard_action" },
        { issue_type: "unsupported_rcp_service" },
        { issue_type: "invalid_rcp_not_action" },
        { issue_type: "missing_rcp_resource" },
      ],
    },
  ].map((row) => ({ ...row, type: "RESOURCE_CONTROL_POLICY" as const })),
  {
    name: "never covers a prefix with a wildcard, whatever the option says",
    type: "RESOURCE_CONTROL_POLICY",
    options: { additional_rcp_services: ["*", "s3*"] },
    statement: [{ ...rcp, Action: ["*:Get*", "s3*:Get"] }],
    findings: [{ at: 0, issue_type: "unsupported_rcp_service" }],
  },
  ...["NotPrincipal", "NotAction", "NotResource"].map((element) => ({
    name: `does not take a statement with ${element} for the full-access statement`,
    type: "RESOURCE_CONTROL_POLICY" as const,
    statement: [{ Effect: "Allow", Principal: "*", Action: "*", Resource: "*", [element]: "s3:*" }],
    findings: [
      { issue_type: "invalid_rcp_effect" },
      ...(element === "NotPrincipal" ? [{ issue_type: "invalid_rcp_not_principal" }] : []),
      { issue_type: "invalid_rcp_wildcard_action" },
      ...(element === "NotAction" ? [{ issue_type: "invalid_rcp_not_action" }] : []),
    ],
  })),
  ...(["PERMISSIONS_BOUNDARY", "SESSION_POLICY"] as const).flatMap((type) => [
    { name: `accepts a ${type} without principals`, type, statement: [read], findings: [] },
    {
      name: `reports principals in a ${type}`,
      type,
      statement: [{ ...read, Principal: account }],
      findings: [{ at: 0, ...principal, issue_type: "unexpected_principal" }],
    },
  ]),
  {
    name: "asks for a principal in an endpoint policy",
    type: "ENDPOINT_POLICY",
    statement: [read],
    findings: [{ at: 0, ...principal, issue_type: "missing_principal" }],
  },
  ...(["PERMISSIONS_BOUNDARY", "ENDPOINT_POLICY"] as const).flatMap((type) => {
    const deny = {
      Effect: "Deny",
      Action: "iam:*",
      Resource: "*",
      ...(type === "ENDPOINT_POLICY" ? { Principal: "*" } : {}),
    };
    return [
      {
        name: `reports a ${type} without an Allow`,
        type,
        statement: [deny],
        findings: [{ at: 0, issue_type: "nothing_allowed", severity: "error" as const }],
      },
      {
        name: `accepts a ${type} that denies everything on purpose`,
        type,
        statement: [{ ...deny, Action: "*" }],
        findings: [],
      },
      {
        name: `accepts a ${type} with an Allow beside its Deny`,
        type,
        statement: [
          deny,
          { ...deny, Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" },
        ],
        findings: [],
      },
      {
        name: `takes a policy about boundaries for no ${type}`,
        type,
        statement: [{ ...deny, Action: "iam:DeleteRolePermissionsBoundary" }],
        findings: [],
      },
    ];
  }),
  ...(["SESSION_POLICY", "SERVICE_CONTROL_POLICY", "IDENTITY_POLICY"] as const).map((type) => ({
    name: `accepts a ${type} without an Allow`,
    type,
    statement: [{ Effect: "Deny", Action: "iam:*", Resource: "*" }],
    findings: [],
  })),
  {
    name: "tells of an endpoint policy that is as open as AWS's default",
    type: "ENDPOINT_POLICY",
    policy: { Statement: [{ Effect: "Allow", Principal: "*", Action: "*", Resource: "*" }] },
    findings: [
      { at: 0, issue_type: "endpoint_policy_open", severity: "info", message: /AWS's default\.$/ },
    ],
  },
  {
    name: "does not call an endpoint policy for some actions AWS's default",
    type: "ENDPOINT_POLICY",
    policy: {
      Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:ListBucket", Resource: "*" }],
    },
    findings: [
      { issue_type: "endpoint_policy_open", message: /use the actions of the statement on every/ },
    ],
  },
  ...[
    { Principal: account },
    { Resource: "arn:aws:s3:::b/*" },
    { Condition: { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } } },
    { Condition: { StringEquals: { "aws:ResourceAccount": "123456789012" } } },
    { Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } } },
    { Condition: { Bool: { "aws:PrincipalIsAWSService": "true" } } },
    { Condition: { StringEquals: { "aws:PrincipalServiceName": "logs.amazonaws.com" } } },
  ].map((limit) => ({
    name: `accepts an endpoint policy limited by ${JSON.stringify(limit)}`,
    type: "ENDPOINT_POLICY" as const,
    statement: { Effect: "Allow", Principal: "*", Action: "*", Resource: "*", ...limit },
    findings: [],
  })),
  {
    name: "tells of an endpoint policy for everyone but AWS services",
    type: "ENDPOINT_POLICY",
    statement: {
      Effect: "Allow",
      Principal: "*",
      Action: "*",
      Resource: "*",
      Condition: { Bool: { "aws:PrincipalIsAWSService": "false" } },
    },
    findings: [{ at: 0, issue_type: "endpoint_policy_open", severity: "info" }],
  },
  {
    name: "tells of an endpoint policy whose Deny keeps AWS services out",
    type: "ENDPOINT_POLICY",
    statement: [
      { Effect: "Allow", Principal: "*", Action: "*", Resource: "*" },
      {
        Effect: "Deny",
        Principal: "*",
        Action: "*",
        Resource: "*",
        Condition: { Bool: { "aws:PrincipalIsAWSService": "true" } },
      },
    ],
    findings: [{ at: 0, issue_type: "endpoint_policy_open", severity: "info" }],
  },
  {
    name: "accepts an endpoint policy whose Deny keeps others out",
    type: "ENDPOINT_POLICY",
    statement: [
      { Effect: "Allow", Principal: "*", Action: "*", Resource: "*" },
      {
        Effect: "Deny",
        Principal: "*",
        Action: "*",
        Resource: "*",
        Condition: { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      },
    ],
    findings: [],
  },
  ...[
    { AWS: "*" },
    { AWS: "123456789012" },
    { AWS: ["arn:aws:iam::123456789012:root", "arn:aws:iam::123456789012:user/team/ann"] },
    { AWS: "arn:aws:iam::123456789012:role/aws-service-role/x.amazonaws.com/Y" },
    { AWS: "arn:aws:sts::123456789012:assumed-role/Deploy/session" },
    { AWS: "arn:aws:sts::123456789012:federated-user/ann" },
    { AWS: "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E15MNIMTCFKK4C" },
    { AWS: ["AIDAJQABLZS4A3QDU576Q", "AROAEXAMPLEID12345678"] },
    { AWS: "arn:aws:iam::$" + "{AWS::AccountId}:root" },
    { Service: ["s3.amazonaws.com", "logs.eu-west-1.amazonaws.com", "EC2.amazonaws.com.cn"] },
    { Service: ["delivery.logs.amazonaws.com", "alexa-appkit.amazon.com"] },
    { Service: ["member.org.stacksets.cloudformation.amazonaws.com", "pods.eks.amazonaws.com"] },
    { CanonicalUser: "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be" },
  ].map((Principal) => ({
    name: `accepts the principal ${JSON.stringify(Principal)}`,
    type: "RESOURCE_POLICY" as const,
    statement: { ...read, Principal },
    findings: [],
  })),
  ...(
    [
      [{ AWS: "arn:aws:iam::123456789012:role/*" }, /has a wildcard/, /"aws:PrincipalArn"/],
      [{ AWS: "arn:aws:iam::*:root" }, /has a wildcard/, null],
      [{ AWS: "arn:aws:iam::123456789012:group/admins" }, /a group cannot be a principal/, null],
      [{ AWS: "12345678901" }, /this one has 11/, null],
      [{ AWS: "arn:aws:iam::1234:root" }, /not an account id of 12 digits/, null],
      [{ AWS: "arn:aws:iam::123456789012:role/my role" }, /names of IAM have no spaces/, null],
      [
        { AWS: "arn:aws:iam::123456789012:role/a, arn:aws:iam::123456789012:role/b" },
        /several principals are a list/,
        null,
      ],
      [{ AWS: "ann" }, /neither an account id nor an ARN/, null],
      [{ AWS: "lambda.amazonaws.com" }, /is an AWS service/, /"Service": "lambda/],
      [
        { AWS: "arn:aws:sts::123456789012:role/x" },
        /STS principal/,
        /"arn:aws:iam::123456789012:role/,
      ],
      [
        { AWS: "arn:aws:sts::123456789012:assumed-role/Deploy/*" },
        /has a wildcard/,
        /"arn:aws:iam::123456789012:role\/Deploy"/,
      ],
      [{ AWS: "arn:aws:iam::123456789012:instance-profile/x" }, /an IAM principal is/, null],
      [{ aws: "123456789012" }, /is not a key of `Principal`/, null],
      [{ Service: "lambda.amazon.com" }, /not the name of a service/, /lambda\.amazonaws\.com/],
      [{ Service: "lamda.amazonaws.com" }, /No service principal/, /lambda\.amazonaws\.com/],
      [{ Service: "*.amazonaws.com" }, /has a wildcard/, null],
      [{ CanonicalUser: "abc" }, /64 hexadecimal digits/, null],
      [{ Federated: "cognito-identity.amazonaws.com" }, /in a role trust policy only/, null],
      ["arn:aws:iam::123456789012:root", /the only text that AWS accepts there/, /"AWS"/],
    ] as const
  ).map(([Principal, message, example]) => ({
    name: `refuses the principal ${JSON.stringify(Principal)}`,
    type: "RESOURCE_POLICY" as const,
    statement: { ...read, Principal },
    findings: [{ at: 0, ...principal, issue_type: "invalid_principal_value", message, example }],
  })),
  {
    name: "warns of a well-formed service principal that is not known, with the date of the names",
    type: "RESOURCE_POLICY",
    statement: { ...read, Principal: { Service: "quantum-teapot.amazonaws.com" } },
    findings: [
      { issue_type: "invalid_principal_value", severity: "warning", message: /names of 20\d\d-/ },
    ],
  },
  {
    name: "refuses a canonical user outside S3",
    type: "TRUST_POLICY",
    statement: { ...trust, Principal: { CanonicalUser: "a".repeat(64) } },
    findings: [{ issue_type: "invalid_principal_value", message: /known to S3 only/ }],
  },
  {
    name: "leaves a provider in a trust policy to trust_policy_validation",
    type: "TRUST_POLICY",
    statement: {
      ...trust,
      Principal: { Federated: "nonsense" },
      Action: "sts:AssumeRoleWithWebIdentity",
    },
    findings: [],
  },
]);
