import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const inverted = { issue_type: "condition_inverted", severity: "high" as const };
const spare = { BoolIfExists: { "aws:ViaAWSService": "false" } };
const org = "o-a1b2c3d4e5";
const deny = (Condition: object, Effect = "Deny") => ({
  Effect,
  Action: "s3:*",
  Resource: "*",
  Condition,
});
const ofAll = (Condition: object) => ({ ...deny(Condition), Principal: "*" });
const network = { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" };

checkCases(conditionEffect, [
  ...(
    [
      [
        "StringEquals",
        "aws:PrincipalOrgID",
        org,
        "callers of the organization that it names and not those of all others",
      ],
      [
        "StringEquals",
        "aws:ResourceOrgID",
        org,
        "requests for resources of the organization that it names and not those of all others",
      ],
      [
        "ForAnyValue:StringLike",
        "aws:ResourceOrgPaths",
        `${org}/r-ab12/*`,
        "requests for resources of the organization that it names and not those of all others",
      ],
      [
        "StringEquals",
        "aws:SourceOrgID",
        org,
        "requests on behalf of resources of the organization that it names and not those of all others",
      ],
    ] as const
  ).map(([operator, key, value, stopped]) => ({
    name: `a Deny by ${key} stops what belongs to the organization`,
    type: "RESOURCE_CONTROL_POLICY" as const,
    statement: ofAll({ [operator]: { [key]: value } }),
    findings: [
      {
        ...inverted,
        condition_key: key,
        message: `\`${operator}\` on \`${key}\` makes this Deny stop the ${stopped}.`,
        suggestion: `Write \`${operator.replace(/Equals|Like/, "Not$&")}\`, so that it stops the others.`,
      },
    ],
  })),
  ...(
    [
      ["StringEquals", "aws:PrincipalAccount", "111122223333", "callers of the accounts"],
      [
        "StringEquals",
        "aws:ResourceAccount",
        "111122223333",
        "requests for resources of the accounts",
      ],
      ["IpAddress", "aws:SourceIp", "203.0.113.0/24", "requests from the networks"],
      ["StringEquals", "aws:SourceVpc", "vpc-0a1b2c3d4e5f6a7b8", "requests from the networks"],
    ] as const
  ).map(([operator, key, value, stopped]) => ({
    name: `a Deny by ${key} that exempts the calls of services stops what is inside the perimeter`,
    type: "RESOURCE_CONTROL_POLICY" as const,
    statement: ofAll({ [operator]: { [key]: value }, ...spare }),
    findings: [
      {
        ...inverted,
        condition_key: key,
        message: `\`${operator}\` on \`${key}\` makes this Deny stop the ${stopped} that it names and no others.`,
        example: new RegExp(`"${operator === "IpAddress" ? "NotIpAddress" : "StringNotEquals"}"`),
      },
    ],
  })),
  {
    name: "of several networks of a perimeter the first is reported, without an example that corrects it alone",
    type: "RESOURCE_CONTROL_POLICY",
    statement: ofAll({
      StringEquals: { ...network, "aws:SourceVpce": "vpce-0a1b2c3d4e5f6a7b8" },
      ...spare,
    }),
    findings: [{ ...inverted, condition_key: "aws:SourceVpc", example: null, fix: null }],
  },
  ...[
    { name: "any organization", Condition: { StringLike: { "aws:ResourceOrgID": "*" } } },
    {
      name: "any organization by several patterns",
      Condition: { StringLike: { "aws:ResourceOrgID": ["**", org] } },
    },
    {
      name: "the presence of the organization",
      Condition: { Null: { "aws:ResourceOrgID": "false" } },
    },
    {
      name: "an organization for one caller",
      Condition: {
        StringEquals: { "aws:ResourceOrgID": org },
        ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/x" },
      },
    },
    {
      name: "an Allow",
      Effect: "Allow",
      Condition: { StringEquals: { "aws:ResourceOrgID": org } },
    },
    { name: "a network that is blocked", Condition: { StringEquals: network } },
    {
      name: "a network beside what services forward",
      Condition: { StringEquals: network, Bool: { "aws:ViaAWSService": "true" } },
    },
    {
      name: "a network beside the form of the exemption",
      Condition: { StringEquals: { ...network, "aws:ViaAWSService": "false" } },
    },
    {
      name: "a network beside an unknown operator",
      Condition: { StringEquals: network, Boole: { "aws:ViaAWSService": "false" } },
    },
    {
      name: "a network for one caller",
      Condition: { StringEquals: { ...network, "aws:PrincipalTag/team": "a" }, ...spare },
    },
    {
      name: "a network outside some addresses",
      Condition: {
        StringEquals: network,
        NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" },
        ...spare,
      },
    },
    { name: "an own tag", Condition: { StringEquals: { "aws:ResourceTag/team": "a" }, ...spare } },
  ].map(({ name, Condition, Effect }) => ({
    name: `without a finding about what is inside: ${name}`,
    type: "IDENTITY_POLICY" as const,
    statement: deny(Condition, Effect),
    findings: [],
  })),
  {
    name: "a presence test beside the organization changes nothing about the Deny",
    type: "IDENTITY_POLICY",
    statement: deny({
      StringEquals: { "aws:ResourceOrgID": org },
      Null: { "aws:ResourceOrgID": "false" },
    }),
    findings: [inverted],
  },
  {
    name: "of an address and a VPC, which no request has at once, only that is reported",
    type: "RESOURCE_CONTROL_POLICY",
    statement: ofAll({
      StringEquals: network,
      IpAddress: { "aws:SourceIp": "203.0.113.0/24" },
      ...spare,
    }),
    findings: [
      {
        issue_type: "condition_never_true",
        condition_key: "aws:SourceIp",
        message: /so no request meets both tests\. The condition never holds, so this Deny stops/,
      },
    ],
  },
]);
