import { type CheckCase, checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { serviceWildcard } from "./service-wildcard.ts";

const allow = (Action: unknown, Condition?: object) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...(Condition ? { Condition } : {}),
});
const found = { issue_type: "overly_permissive", severity: "high", field_name: "action" } as const;
const low = { ...found, severity: "low" } as const;
const sameTag = { "aws:ResourceTag/owner": "${aws:PrincipalTag/owner}" };

checkCases(serviceWildcard, cases(), embeddedServices());

checkCases(serviceWildcard, [
  {
    name: "counts the actions of the service by what they do",
    statement: allow(["iam:*", "sts:*"]),
    findings: [
      {
        ...found,
        message:
          /^`iam:\*` grants all 7 actions .*, among them 3 that write and 2 that manage permissions /,
      },
      { ...found, message: /^`sts:\*` grants all 6 actions .*, among them 5 that write \(/ },
    ],
  },
]);

function cases(): readonly CheckCase[] {
  return [
    {
      name: "reports each service granted whole, in any letter case, at its entry",
      statement: allow(["IAM:*", "s3:Get*", "ec2:**"]),
      findings: [
        {
          ...found,
          at: 0,
          action: "IAM:*",
          path: "/Statement/0/Action/0",
          message:
            /^`IAM:\*` grants all \d+ actions of the service, among them \d+ that write and \d+ that manage permissions \(reference data of \d{4}-\d\d-\d\d\), and every action that AWS adds to it later\.$/,
          suggestion: /such as `iam:Get\*`, `iam:List\*`\.$/,
          example: null,
        },
        {
          ...found,
          action: "ec2:**",
          path: "/Statement/0/Action/2",
          suggestion: /such as `ec2:Describe\*`, `ec2:Get\*`\.$/,
        },
      ],
    },
    {
      name: "leaves alone patterns that leave something out, and `*`, `*:*` and `**`, which are more than a service",
      statement: allow(["s3:Get*", "s3:*Object", "s3:?*", "*", "*:*", "**", "s3", ":*", "a:b:*"]),
      findings: [],
    },
    {
      name: "accepts the default services",
      statement: allow(["logs:*", "XRAY:*", "cloudwatch:*"]),
      findings: [],
    },
    {
      name: "takes the allowed services from the configuration, in any letter case",
      statement: allow(["logs:*", "sqs:*"]),
      options: { allowed_services: ["SQS"] },
      findings: [{ ...found, action: "logs:*" }],
    },
    {
      name: "counts what the policy of a search domain can grant: the calls to the domain",
      type: "RESOURCE_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111122223333:role/search" },
        Action: "es:*",
        Resource: "*",
      },
      findings: [
        {
          ...low,
          message: /^`es:\*` grants 7 of \d+ actions of the service, among them 4 that write/,
          suggestion: "Name the actions that are called, such as `es:ESHttpGet`, `es:ESHttpHead`.",
        },
      ],
    },
    {
      name: "leaves alone Deny and NotAction",
      statement: [
        { Effect: "Deny", Action: "s3:*", Resource: "*" },
        { Effect: "Allow", NotAction: "s3:*", Resource: "*" },
      ],
      findings: [],
    },
    {
      name: "is medium on named resources, and low for services that are small or only read",
      statement: [
        { Effect: "Allow", Action: "s3:*", Resource: ["arn:aws:s3:::b", "arn:aws:s3:::b/*"] },
        { Effect: "Allow", Action: "s3:*", Resource: "arn:aws:s3:::*" },
        allow(["account:*", "pricing:*", "rds-db:*", "geo-places:*", "tiros:*"]),
      ],
      findings: [
        { ...found, at: 0, severity: "medium" },
        { ...found, at: 1 },
        { ...found, at: 2, action: "account:*" },
        { ...low, at: 2, action: "pricing:*", message: /, which only read / },
        { ...low, at: 2, action: "rds-db:*" },
        { ...low, at: 2, action: "geo-places:*", message: /, which only read / },
        { ...low, at: 2, action: "tiros:*" },
      ],
    },
    {
      name: "is medium for services whose people need them whole",
      statement: [allow(["support:*", "ce:*"]), allow("route53domains:*")],
      findings: [
        { ...found, at: 0, severity: "medium" },
        { ...found, at: 0, severity: "medium" },
        { ...found, at: 1 },
      ],
    },
    {
      name: "is low in the policy of a resource for named principals, medium for callers that a condition limits, and high for anyone",
      statement: [
        { ...allow("sns:*"), Principal: { AWS: "arn:aws:iam::111122223333:role/a" } },
        { ...allow("sns:*"), Principal: { Service: "s3.amazonaws.com" } },
        { ...allow("sns:*"), Principal: { AWS: "arn:aws:iam::111122223333:root" } },
        {
          ...allow("sns:*", { StringEquals: { "aws:ResourceTag/team": "web" } }),
          Principal: { AWS: "arn:aws:iam::111122223333:role/a" },
        },
        {
          ...allow("sns:*"),
          Principal: "*",
          Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
        },
        { ...allow("sns:*"), Principal: "*" },
      ],
      findings: [low, low, low, low, { ...found, severity: "medium" }, found],
    },
    {
      name: "does not report the default statement of a key policy",
      statement: [
        { ...allow("kms:*"), Principal: { AWS: "arn:aws:iam::111122223333:root" } },
        { ...allow("kms:*"), Principal: { AWS: ["111122223333", "444455556666"] } },
        { ...allow("kms:*"), Principal: { AWS: "arn:aws:iam::111122223333:role/a" } },
      ],
      findings: [
        { ...low, at: 1 },
        { ...low, at: 2 },
      ],
    },
    {
      name: "does not report what the resources do not fit, or what a Deny takes back; counts what is left",
      statement: [
        { Effect: "Allow", Action: "kms:*", Resource: "arn:aws:s3:::b" },
        allow("iam:*"),
        { Effect: "Deny", Action: "IAM:*", Resource: "*" },
        allow("sqs:*"),
        { Effect: "Deny", Action: ["sqs:Delete*", "quantum:*"], Resource: "*" },
        allow("quantum:*"),
      ],
      findings: [
        {
          ...found,
          at: 3,
          message: /grants \d+ of \d+ actions .* later and no Deny of the policy takes back\.$/,
        },
      ],
    },
    {
      name: "is low where a Deny leaves actions that only read",
      statement: [
        allow("iam:*"),
        { Effect: "Deny", NotAction: ["iam:Get*", "iam:List*"], Resource: "*" },
      ],
      findings: [{ ...low, message: /which only read .* and no Deny of the policy takes back\.$/ }],
    },
    {
      name: "reports a service it does not know",
      statement: allow("quantum:*"),
      findings: [
        {
          ...found,
          action: "quantum:*",
          message:
            "`quantum:*` grants every action of the service, those that AWS adds later included.",
          suggestion: "Name the actions that are called.",
        },
      ],
    },
    {
      name: "names the actions of a service without actions that read",
      statement: allow(["rds-db:*", "execute-api:*"]),
      findings: [
        {
          ...low,
          action: "rds-db:*",
          message: /^`rds-db:\*` grants the only action of the service /,
          suggestion: "Name the actions that are called, such as `rds-db:connect`.",
        },
        {
          ...low,
          action: "execute-api:*",
          suggestion:
            "Name the actions that are called, such as `execute-api:InvalidateCache`, `execute-api:Invoke`.",
        },
      ],
    },
    {
      name: "lowers the severity of all entries where the caller's tag limits the resources",
      statement: [
        allow(["ec2:*", "sqs:*"], { StringEquals: sameTag }),
        allow("ec2:*", {
          "ForAnyValue:StringLikeIfExists": {
            "AWS:resourcetag/Owner": ["*-shared", "${AWS:PrincipalTag/owner}-*"],
          },
        }),
      ],
      findings: [
        {
          ...low,
          at: 0,
          action: "ec2:*",
          message: / Tags of the caller limit it to resources that carry the same value\.$/,
        },
        { ...low, at: 0, action: "sqs:*" },
        {
          ...low,
          at: 1,
          action: "ec2:*",
          message:
            /to resources that carry the same value, another value that is listed or no such tag\.$/,
        },
      ],
    },
    {
      name: "is medium for a tag that is not the caller's, and not lower for negated and other operators",
      statement: [
        allow("ec2:*", { StringNotEquals: sameTag }),
        allow("ec2:*", { ArnLike: sameTag }),
        allow("ec2:*", { StringEquals: { "ec2:ResourceTag/owner": "${aws:PrincipalTag/owner}" } }),
        allow("ec2:*", { StringEquals: { "aws:ResourceTag/owner": "me" } }),
        allow("ec2:*", { StringMatches: sameTag }),
        allow("ec2:*", { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
      ],
      findings: [
        found,
        found,
        { ...found, severity: "medium", message: /grants \d+ of \d+ actions/ },
        { ...found, severity: "medium" },
        found,
        { ...found, message: /grants all \d+ actions/ },
      ],
    },
    {
      name: "is not lowered where every resource passes the test of its tag",
      statement: [
        allow("ec2:*", {
          StringLike: { "aws:ResourceTag/owner": [...Object.values(sameTag), "?*"] },
        }),
        allow("ec2:*", { "ForAllValues:StringEquals": sameTag }),
      ],
      findings: [found, found],
    },
    {
      name: "drops the lowered finding when its severity is none",
      statement: allow("ec2:*", { StringEquals: sameTag }),
      options: { abac_mitigated_severity: "none" },
      findings: [],
    },
    {
      name: "puts {action} and {service} into its own texts and leaves all else alone",
      statement: [allow("SQS:*"), allow("ec2:*", { StringEquals: sameTag })],
      options: {
        message: "{action} is all of {service} {0} {other} $&",
        abac_mitigated_message: "tags hold {service}",
        suggestion: "narrow {action}",
        example: '{"Action": "{service}:Get*"}',
      },
      findings: [
        {
          ...found,
          message: "SQS:* is all of sqs {0} {other} $&",
          suggestion: "narrow SQS:*",
          example: '{"Action": "sqs:Get*"}',
        },
        { ...low, message: "tags hold ec2" },
      ],
    },
    {
      name: "counts in a trust policy only the actions that IAM accepts there",
      type: "TRUST_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111122223333:role/deploy" },
        Action: ["sts:*", "s3:*"],
      },
      findings: [
        { ...found, action: "sts:*", message: /^`sts:\*` grants 6 of \d+ actions of the service/ },
      ],
    },
    {
      name: "puts a policy's text into its own texts as it is, replacement patterns and placeholders included",
      statement: allow("$&{service}:*"),
      options: { message: "[{action}]" },
      findings: [{ ...found, message: "[$&{service}:*]" }],
    },
  ];
}
