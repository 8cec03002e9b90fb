import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const scp = "SERVICE_CONTROL_POLICY" as const;
const allRoles = "arn:aws:iam::*:role/*";
const allUsers = "arn:aws:iam::*:user/*";
const never = { issue_type: "condition_never_true", severity: "high" as const };

const deny = (operator: string, value: string | readonly string[], more: object = {}) => ({
  Effect: "Deny",
  Action: ["cloudtrail:StopLogging", "cloudtrail:DeleteTrail"],
  Resource: "*",
  Condition: { [operator]: { "aws:PrincipalArn": value } },
  ...more,
});
const ofOrganization = (operator: string, value: string) => ({
  Effect: "Deny",
  Action: "s3:*",
  Resource: "*",
  Condition: { [operator]: { "aws:PrincipalOrgID": value } },
});

checkCases(conditionEffect, [
  ...["ArnNotLike", "ArnNotEquals", "StringNotLike", "ArnNotLikeIfExists"].map((operator) => ({
    name: `a Deny that exempts the roles of every account with ${operator}`,
    type: scp,
    statement: deny(operator, allRoles),
    findings: [
      {
        ...never,
        message:
          /exempts the roles of every account\. This Deny stops only .* users and root users\.$/,
      },
    ],
  })),
  {
    name: "a Deny that exempts the roles and the users of every account",
    type: scp,
    statement: deny("ArnNotLike", [allRoles, allUsers]),
    findings: [
      {
        ...never,
        message:
          /exempts the roles and users of every account\. This Deny stops only .* root users\.$/,
      },
    ],
  },
  {
    name: "all roles among other exemptions, and roles of the caller's account",
    type: scp,
    statement: [
      deny("ArnNotLike", ["arn:aws:iam::*:role/platform/admin", allRoles]),
      deny("ArnNotLike", "arn:aws:iam::${aws:PrincipalAccount}:role/*"),
      deny("ArnNotLike", "arn:*:iam::????????????:role/*"),
    ],
    findings: [0, 1, 2].map((at) => ({ at, ...never })),
  },
  {
    name: "all roles in an identity policy, a boundary and the policy of a resource",
    statement: deny("ArnNotLike", allRoles),
    findings: [never],
  },
  {
    name: "all roles in a permissions boundary",
    type: "PERMISSIONS_BOUNDARY",
    statement: deny("ArnNotLike", allRoles),
    findings: [never],
  },
  {
    name: "all roles and users in the policy of a resource, which strangers reach too",
    type: "RESOURCE_POLICY",
    statement: deny("ArnNotLike", [allRoles, allUsers], { Principal: "*", Action: "s3:GetObject" }),
    findings: [{ ...never, message: /This Deny stops no request of roles and users\.$/ }],
  },
  {
    name: "accepts exemptions by name, by path and by account, and a Deny of the users alone",
    type: scp,
    statement: [
      deny("ArnNotLike", "arn:aws:iam::*:role/platform/*"),
      deny("ArnNotLike", "arn:aws:iam::*:role/*-admin"),
      deny("ArnNotLike", "arn:aws:iam::111122223333:role/*"),
      deny("ArnLike", allUsers),
      deny("ArnNotLike", allUsers),
      deny("ArnNotLike", "arn:aws:iam::*:role/aws-service-role/*"),
    ],
    findings: [],
  },
  {
    name: "accepts a Deny of everything, or of IAM, for all but the roles: it is for users",
    type: scp,
    statement: [
      deny("ArnNotLike", allRoles, { Action: "*" }),
      deny("ArnNotLike", [allRoles, allUsers], { Action: undefined, NotAction: "iam:*" }),
      deny("ArnNotLike", allRoles, { Action: ["iam:CreateAccessKey", "iam:CreateUser"] }),
    ],
    findings: [],
  },
  ...["StringNotEquals", "StringNotEqualsIfExists", "StringNotLike"].map((operator) => ({
    name: `an SCP that excludes its organization with ${operator}`,
    type: scp,
    statement: ofOrganization(operator, "o-a1b2c3d4e5"),
    findings: [
      {
        ...never,
        condition_key: "aws:PrincipalOrgID",
        message:
          /^An SCP reaches only callers of the organization that it belongs to, .* this Deny stops no request\.$/,
        suggestion: /`aws:ResourceOrgID`/,
      },
    ],
  })),
  ...["o-a1b2c3d4e5/*", "o-a1b2c3d4e5/r-ab12/*"].map((path) => ({
    name: `an SCP that excludes every path of its organization: ${path}`,
    type: scp,
    statement: {
      ...ofOrganization("StringNotEquals", ""),
      Condition: { "ForAllValues:StringNotLike": { "aws:PrincipalOrgPaths": path } },
    },
    findings: [{ ...never, condition_key: "aws:PrincipalOrgPaths" }],
  })),
  {
    name: "accepts the organization of the resource, a comparison with it, and one unit of the organization",
    type: scp,
    statement: [
      {
        ...ofOrganization("StringNotEquals", ""),
        Condition: { StringNotEquals: { "aws:ResourceOrgID": "o-a1b2c3d4e5" } },
      },
      ofOrganization("StringNotEquals", "${aws:ResourceOrgID}"),
      {
        ...ofOrganization("StringNotEquals", ""),
        Condition: {
          "ForAllValues:StringNotLike": {
            "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/r-ab12/ou-ab12-11111111/*",
          },
        },
      },
    ],
    findings: [],
  },
  {
    name: "accepts the own organization in an identity policy: an account may leave it",
    statement: ofOrganization("StringNotEquals", "o-a1b2c3d4e5"),
    findings: [],
  },
  ...[
    deny("ArnNotLike", allRoles, { Action: ["**"] }),
    deny("ArnNotLike", allRoles, { Action: "*:*" }),
    deny("ArnNotLike", allRoles, { Action: ["s3:GetObject", "*"] }),
    deny("ArnNotLike", allRoles, { Effect: "Allow" }),
    deny("StringNotEquals", allRoles),
    deny("ForAnyValue:ArnNotLike", allRoles),
    deny("ArnNotLike", "x", { Condition: { StringNotLike: { "aws:PrincipalTag/arn": allRoles } } }),
  ].map((statement) => ({
    name: `no finding about roles that are exempt: ${JSON.stringify(statement)}`,
    type: "IDENTITY_POLICY" as const,
    statement,
    findings: [],
  })),
  ...[
    deny("ArnNotLike", allRoles, { Action: ["iam:CreateUser", "s3:DeleteBucket"] }),
    deny("ArnNotLike", [allRoles, allUsers], { Action: "iam:CreateUser" }),
    deny("ArnNotLike", allRoles, { Action: "s3:iam:x" }),
  ].map((statement) => ({
    name: `the roles of every account are exempt from a Deny of ${statement.Action}`,
    type: scp,
    statement,
    findings: [
      {
        ...never,
        suggestion:
          "Name the roles that are exempt, such as `arn:aws:iam::*:role/platform/break-glass`. To deny users or root users alone, name these with `ArnLike`.",
      },
    ],
  })),
  {
    name: "all roles in the policy of a resource",
    type: "RESOURCE_POLICY",
    statement: deny("ArnNotLike", allRoles, { Principal: "*", Action: "s3:GetObject" }),
    findings: [{ ...never, message: /This Deny stops no request of roles\.$/ }],
  },
  ...[
    { StringNotEquals: { "aws:PrincipalOrgID": [] } },
    { StringNotEquals: { "aws:PrincipalOrgID": ["o-a1b2c3d4e5", "${aws:ResourceOrgID}"] } },
    { Null: { "aws:PrincipalOrgID": "true" } },
    { "ForAllValues:StringNotLike": { "aws:ResourceOrgPaths": "o-a1b2c3d4e5/*" } },
    { "ForAllValues:StringNotLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/r-ab12/ou*/*" } },
  ].map((Condition) => ({
    name: `an SCP that does not exclude its own organization: ${JSON.stringify(Condition)}`,
    type: scp,
    statement: { ...ofOrganization("StringNotEquals", ""), Condition },
    findings: [],
  })),
  {
    name: "every path of the organization beside one unit",
    type: scp,
    statement: {
      ...ofOrganization("StringNotEquals", ""),
      Condition: {
        "ForAllValues:StringNotLike": {
          "aws:PrincipalOrgPaths": ["o-a1b2c3d4e5/r-ab12/ou-ab12-11111111/*", "o-a1b2c3d4e5/*"],
        },
      },
    },
    findings: [never],
  },
]);
