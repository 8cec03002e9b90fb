import { type CheckCase, checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const byAddress = { NotIpAddress: { "aws:SourceIp": ["203.0.113.0/24"] } };
const byEndpoint = { StringNotEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f60718" } };
const direct = { BoolIfExists: { "aws:ViaAWSService": "false" } };
const deny = (Condition: object, more: object = {}) => ({
  Effect: "Deny",
  Action: "s3:*",
  Resource: "*",
  Condition: { ...Condition, ...direct },
  ...more,
});
const type = "SERVICE_CONTROL_POLICY" as const;
const found = { issue_type: "condition_always_true", severity: "high" } as const;

checkCases(conditionEffect, [
  {
    name: "a Deny outside addresses and one outside endpoints stop every request",
    type,
    statement: [deny(byAddress), deny(byEndpoint)],
    findings: [
      {
        ...found,
        at: 1,
        message:
          "`StringNotEquals` on `aws:SourceVpce` also holds for requests over the internet, which do not have the key. Statement 1 stops those through a VPC endpoint. Together the two stop every request that both are about.",
      },
    ],
  },
  {
    name: "the order of the two, IfExists and other tests of the network make no difference",
    type,
    statement: [
      deny(
        { StringNotEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f60718" } },
        { Sid: "Vpc" },
      ),
      deny(
        { NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } },
        { Action: "s3:GetObject" },
      ),
    ],
    findings: [
      {
        ...found,
        at: 1,
        message: /holds for requests through a VPC endpoint.* Statement `Vpc` stops/,
      },
    ],
  },
  {
    name: "a second Deny of fewer requests is a part of those that the first stops",
    type,
    statement: [
      deny(byAddress),
      deny({ ...byEndpoint, ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/ops" } }),
    ],
    findings: [{ ...found, at: 1 }],
  },
  ...(
    [
      ["tests in one statement", [deny({ ...byAddress, ...byEndpoint })]],
      ["other actions", [deny(byAddress), deny(byEndpoint, { Action: "sqs:*" })]],
      [
        "other resources",
        [
          deny(byAddress, { Resource: "arn:aws:s3:::reports/*" }),
          deny(byEndpoint, { Resource: "arn:aws:s3:::audit/*" }),
        ],
      ],
      [
        "other callers",
        [
          deny({ ...byAddress, ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:user/*" } }),
          deny({ ...byEndpoint, ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/*" } }),
        ],
      ],
      [
        "a Deny of requests over the internet only",
        [deny({ ...byAddress, Null: { "aws:SourceIp": "false" } }), deny(byEndpoint)],
      ],
      [
        "ForAnyValue, which fails without the key",
        [
          deny({ "ForAnyValue:NotIpAddress": { "aws:SourceIp": "203.0.113.0/24" } }),
          deny(byEndpoint),
        ],
      ],
      ["an Allow beside a Deny", [deny(byAddress, { Effect: "Allow" }), deny(byEndpoint)]],
      [
        "a positive test of the endpoint",
        [deny(byAddress), deny({ StringEquals: { "aws:PrincipalTag/vpce": "vpce-1" } })],
      ],
      ["no addresses", [deny({ NotIpAddress: { "aws:SourceIp": [] } }), deny(byEndpoint)]],
      [
        "an unknown operator beside the addresses",
        [deny({ ...byAddress, StringIs: { "aws:PrincipalTag/a": "b" } }), deny(byEndpoint)],
      ],
      [
        "all actions but some, which are not the same",
        [
          deny(byAddress, { Action: undefined, NotAction: "s3:*" }),
          deny(byEndpoint, { Action: undefined, NotAction: "sqs:*" }),
        ],
      ],
      [
        "all resources but some, which are not the same",
        [
          deny(byAddress, { Resource: undefined, NotResource: "arn:aws:s3:::a" }),
          deny(byEndpoint, { Resource: undefined, NotResource: "arn:aws:s3:::b" }),
        ],
      ],
      [
        "a VPC and an endpoint",
        [deny({ StringNotEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f60718" } }), deny(byEndpoint)],
      ],
    ] as const
  ).map(
    ([name, statement]): CheckCase => ({
      name: `leaves requests through: ${name}`,
      type,
      statement: [...statement],
      findings: [],
    }),
  ),
]);

checkCases(conditionEffect, [
  {
    name: "principals that are the same, and lists of actions that have one in common",
    type: "RESOURCE_POLICY",
    statement: [
      deny(byAddress, { Principal: { AWS: "444455556666" }, Action: ["s3:Put*", "s3:Get*"] }),
      deny(byEndpoint, { Principal: { AWS: "444455556666" }, Action: ["s3:getobject"] }),
    ],
    findings: [
      {
        ...found,
        at: 1,
        suggestion:
          "Write both tests in one statement, whose Deny then stops only requests that come from none of the networks.",
      },
    ],
  },
  ...["Principal", "NotPrincipal"].map((member) => ({
    name: `a Deny for other callers by ${member}`,
    type: "RESOURCE_POLICY" as const,
    statement: [
      deny(byAddress, { [member]: { AWS: "444455556666" } }),
      deny(byEndpoint, { [member]: { AWS: "777788889999" } }),
    ],
    findings: [],
  })),
  {
    name: "tests beside the network count in any order and spelling of the operator",
    type,
    statement: [
      deny({ ...byAddress, StringNotEquals: { "aws:PrincipalTag/team": ["a", "b"] } }),
      deny({
        stringnotequals: { "aws:PrincipalTag/team": ["b", "a"] },
        StringNotEqualsIfExists: byEndpoint.StringNotEquals,
      }),
    ],
    findings: [{ ...found, at: 1 }],
  },
]);
