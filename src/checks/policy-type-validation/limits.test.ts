import { checkCases } from "../../../test/support/check-cases.ts";
import { policyTypeValidation } from "../policy-type-validation.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const deny = { ...read, Effect: "Deny" };
const nothing = { at: 0, issue_type: "nothing_allowed", field_name: "effect" } as const;
const open = { issue_type: "endpoint_policy_open", severity: "info" } as const;
const everyone = { Effect: "Allow", Principal: "*", Action: "*", Resource: "*" };
const organization = { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };

checkCases(policyTypeValidation, [
  {
    name: "reports a boundary that only denies",
    type: "PERMISSIONS_BOUNDARY",
    statement: [deny, deny],
    findings: [
      {
        ...nothing,
        path: "/Statement/0/Effect",
        message:
          "A permissions boundary allows what its `Allow` statements name. This one has only `Deny` statements, so it allows nothing.",
        suggestion: "Add an `Allow` statement for what remains allowed beside the Denies.",
      },
    ],
  },
  {
    name: "reports an endpoint policy that only denies",
    type: "ENDPOINT_POLICY",
    statement: { ...deny, Principal: "*" },
    findings: [{ ...nothing, message: /^The policy of an endpoint allows what/ }],
  },
  ...[
    [
      "denies everything",
      { Action: ["s3:GetObject", "**"], Resource: [read.Resource, "**"] },
      false,
    ],
    [
      "denies everything under a condition",
      { Action: "*", Resource: "*", Condition: organization },
      true,
    ],
    ["denies all but every action of S3", { Action: "*x", Resource: "*" }, true],
    ["denies everything on some resources", { Action: "*", Resource: "*-reports" }, true],
    ["denies everything on resources that begin so", { Action: "*", Resource: "arn:*" }, true],
    ["denies some actions on everything", { Action: "*:Get*", Resource: "*" }, true],
    [
      "protects boundaries",
      { Action: ["s3:GetObject", "iam:DeleteRolePermissionsBoundary"] },
      false,
    ],
  ].map(([name, elements, reports]) => ({
    name: `${reports ? "reports" : "takes"} a boundary that ${name}`,
    type: "PERMISSIONS_BOUNDARY" as const,
    statement: [deny, { ...deny, ...(elements as object) }],
    findings: reports ? [nothing] : [],
  })),
  {
    name: "takes a boundary with an Allow",
    type: "PERMISSIONS_BOUNDARY",
    statement: [deny, read],
    findings: [],
  },
  {
    name: "takes an identity policy that only denies",
    type: "IDENTITY_POLICY",
    statement: deny,
    findings: [],
  },
  {
    name: "notes an endpoint that is open to everyone",
    type: "ENDPOINT_POLICY",
    statement: everyone,
    findings: [
      {
        ...open,
        at: 0,
        field_name: "principal",
        path: "/Statement/0/Principal",
        message:
          "The endpoint lets every principal reach every resource, also with credentials and in accounts that are not yours. That is AWS's default.",
        suggestion:
          "To keep data inside the organization, allow only its callers and its resources with `aws:PrincipalOrgID` and `aws:ResourceOrgID`.",
      },
    ],
  },
  ...[
    ["names a role", { Principal: { AWS: "arn:aws:iam::111122223333:role/app" } }, false],
    [
      "names everyone beside a role",
      { Principal: { AWS: ["arn:aws:iam::111122223333:role/app", "*"] } },
      true,
    ],
    [
      "names all but a role",
      { Principal: undefined, NotPrincipal: { AWS: "arn:aws:iam::111122223333:role/app" } },
      true,
    ],
    ["names resources", { Resource: "arn:aws:s3:::reports/*" }, false],
    ["names everything beside a resource", { Resource: ["arn:aws:s3:::reports/*", "*"] }, true],
    [
      "names all but some resources",
      { Resource: undefined, NotResource: "arn:aws:s3:::reports/*" },
      true,
    ],
    ["asks for the organization of callers", { Condition: organization }, false],
    [
      "asks for the organization of resources",
      { Condition: { StringEquals: { "aws:ResourceOrgID": "o-a1b2c3d4e5" } } },
      false,
    ],
    [
      "asks for a tag of callers",
      { Condition: { StringEquals: { "aws:PrincipalTag/team": "data" } } },
      false,
    ],
    ["asks for services", { Condition: { Bool: { "aws:PrincipalIsAWSService": "true" } } }, false],
    [
      "asks for a service by name",
      { Condition: { StringEquals: { "aws:PrincipalServiceName": "s3.amazonaws.com" } } },
      false,
    ],
    [
      "asks for no services",
      { Condition: { Bool: { "aws:PrincipalIsAWSService": "false" } } },
      true,
    ],
    ["asks for TLS", { Condition: { Bool: { "aws:SecureTransport": "true" } } }, true],
    [
      "asks for an address",
      { Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } } },
      false,
    ],
  ].map(([name, elements, reports]) => ({
    name: `${reports ? "notes" : "takes"} an endpoint that ${name}`,
    type: "ENDPOINT_POLICY" as const,
    statement: { ...everyone, ...(elements as object) },
    findings: reports ? [open] : [],
  })),
  {
    name: "takes an open Allow beside a Deny of others than the organization, whatever else that tests",
    type: "ENDPOINT_POLICY",
    statement: [
      everyone,
      {
        ...everyone,
        Effect: "Deny",
        Condition: {
          StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
          Bool: { "aws:PrincipalIsAWSService": "false" },
        },
      },
    ],
    findings: [],
  },
  {
    name: "notes an open Allow beside a Deny of plain HTTP",
    type: "ENDPOINT_POLICY",
    statement: [
      everyone,
      { ...everyone, Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } },
    ],
    findings: [open],
  },
]);
