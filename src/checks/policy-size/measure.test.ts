import { expect, test } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { policySize } from "../policy-size.ts";
import { options } from "./measure.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const account = { AWS: "arn:aws:iam::111122223333:root" };

/** A policy of exactly so many bytes in compact form, by the length of its Id. */
function sized(bytes: number, ...statements: readonly object[]): object {
  const policy = (Id: string) => ({ Version: "2012-10-17", Id, Statement: statements });
  return policy("x".repeat(bytes - Buffer.byteLength(JSON.stringify(policy("")))));
}

const exceeded = { at: -1, issue_type: "policy_size_exceeded" } as const;
const rcp = { Effect: "Deny", Principal: "*", Action: "s3:*", Resource: "*" };

checkCases(policySize, [
  {
    name: "writes the whole finding",
    type: "SERVICE_CONTROL_POLICY",
    policy: sized(10_242, { ...read, Effect: "Deny" }),
    findings: [
      {
        ...exceeded,
        message:
          "The policy has 10,242 bytes without white space; a service control policy may have 10,240 bytes.",
        suggestion: "Remove at least 2 bytes (0.0% over the limit).",
      },
    ],
  },
  {
    name: "says what is left of a text without its white space, where that is still too much",
    type: "RESOURCE_CONTROL_POLICY",
    text: ` ${JSON.stringify(sized(5121, rcp))}`,
    findings: [
      {
        ...exceeded,
        suggestion:
          "Remove at least 2 bytes (0.0% over the limit). Without its white space it still has 5,121 bytes.",
      },
    ],
  },
  {
    name: "says that a text without its white space has just the bytes of the quota",
    type: "RESOURCE_CONTROL_POLICY",
    text: ` ${JSON.stringify(sized(5120, rcp))}`,
    findings: [
      {
        ...exceeded,
        suggestion:
          "Remove at least 1 byte (0.0% over the limit). Without its white space it has 5,120 bytes, which would fit.",
      },
    ],
  },
  {
    name: "says nothing of white space where there is none",
    type: "RESOURCE_CONTROL_POLICY",
    text: JSON.stringify(sized(5121, rcp)),
    findings: [{ ...exceeded, suggestion: "Remove at least 1 byte (0.0% over the limit)." }],
  },
  {
    name: "says nothing of an SCP that would be too large as well",
    policy: sized(10_241, read),
    findings: [{ ...exceeded, suggestion: "Remove at least 4,097 bytes (66.7% over the limit)." }],
  },
  {
    name: "names the SCP that the policy would fit to the byte",
    policy: sized(10_240, read),
    findings: [
      {
        ...exceeded,
        suggestion:
          "Remove at least 4,096 bytes (66.7% over the limit). The type was guessed: if it is a service control policy, declare it as one; it would fit the 10,240 bytes of those.",
        aws_issue_code: null,
      },
    ],
  },
  {
    name: "writes the whole warning about an SCP",
    text: `${JSON.stringify(sized(6000, read))}${" ".repeat(4241)}`,
    findings: [
      {
        issue_type: "policy_size_type_ambiguous",
        message:
          "The policy fits as the identity policy it was taken for. If it is meant as a service control policy, it is too large: 10,241 bytes, where 10,240 bytes are allowed.",
        suggestion: "Declare the type of the policy: `scp` if it goes to Organizations.",
        risk_explanation: expect.stringMatching(/another one\. Measured against the wrong quota/),
        remediation_steps: [
          "Submit the policy with its type declared (`scp`, or the type it has).",
          "Or set `policy_size.policy_type` to the quota that counts.",
        ],
      },
    ],
  },
  {
    name: "does not warn of an SCP that fits to the byte",
    text: `${JSON.stringify(sized(6000, read))}${" ".repeat(4240)}`,
    findings: [],
  },
  {
    name: "writes the whole warning about an RCP",
    policy: sized(5121, rcp),
    findings: [
      {
        issue_type: "policy_size_type_ambiguous",
        message:
          "The policy fits as the resource policy it was taken for. If it is meant as a resource control policy, it is too large: 5,121 bytes, where 5,120 bytes are allowed.",
      },
    ],
  },
  {
    name: "does not take a resource policy that names a principal for an RCP",
    policy: sized(5121, { ...rcp, Principal: account }),
    findings: [],
  },
  {
    name: "measures an RCP without white space on request",
    type: "RESOURCE_CONTROL_POLICY",
    text: `${JSON.stringify(sized(5120, rcp))}${" ".repeat(10)}`,
    options: { organizations_measurement: "compact" },
    findings: [],
  },
  {
    name: "measures an endpoint policy with white space, whatever is set for Organizations",
    type: "ENDPOINT_POLICY",
    text: `${JSON.stringify(sized(20_480, read))} `,
    options: { organizations_measurement: "compact" },
    findings: [exceeded],
  },
  {
    name: "names a limit of the configuration that the table does not have",
    policy: sized(501, read),
    options: { policy_type: "ours", size_limits: { ours: 500 } },
    findings: [{ ...exceeded, message: /; the configured limit `ours` may have 500 bytes\.$/ }],
  },
  {
    name: "measures every type against the limit of the configuration",
    policy: sized(2049, { ...read, Principal: account }),
    options: { policy_type: "inline_user" },
    findings: [exceeded],
  },
  ...[
    ["SQS, whose quota is unknown", "sqs:SendMessage"],
    ["a name without its service", "GetObject"],
    ["a name with nothing before its colon", ":GetObject"],
  ].map(([name, Action]) => ({
    name: `does not check a resource policy of ${name}`,
    policy: sized(40_000, { ...read, Action, Principal: account }),
    findings: [],
  })),
  {
    name: "does not check a resource policy of S3 and another service, in any order",
    policy: sized(
      40_000,
      { ...read, Action: "sqs:SendMessage", Principal: account },
      { ...read, NotAction: "S3:GetObject", Action: undefined, Principal: account },
    ),
    findings: [],
  },
  {
    name: "says that a service counts white space as well",
    policy: sized(20_481, { ...read, Action: "dynamodb:GetItem", Principal: account }),
    findings: [
      {
        ...exceeded,
        message:
          "The policy has 20,481 bytes without white space; a DynamoDB resource policy may have 20,480 bytes. The service counts white space on top of that.",
      },
    ],
  },
  {
    name: "reads services in any letter case",
    policy: sized(
      20_481,
      { ...read, Principal: account },
      { ...read, Action: "S3:PutObject", Principal: account },
    ),
    findings: [
      {
        ...exceeded,
        message:
          "The policy has 20,481 bytes without white space; a bucket policy may have 20,480 bytes.",
        aws_issue_code: "POLICY_SIZE_EXCEEDS_RESOURCE_POLICY_QUOTA",
      },
    ],
  },
]);

const warningsOf = (values: object) => [
  ...(policySize.optionWarnings?.(options.parse(values)) ?? []),
];

test("options with a word of the table have no warning", () => {
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ policy_type: "managed", organizations_measurement: "compact" })).toEqual([]);
  expect(warningsOf({ organizations_measurement: "as_written" })).toEqual([]);
  expect(warningsOf({ policy_type: "ours", size_limits: { ours: 5 } })).toEqual([]);
});

test("another word has a warning that names those there are", () => {
  expect(warningsOf({ policy_type: "ours", size_limits: { theirs: 5, managed: 6 } })).toEqual([
    {
      option: "policy_type",
      message: "is not a limit and is ignored; use one of theirs, managed",
    },
  ]);
  expect(warningsOf({ organizations_measurement: "raw" })).toEqual([
    {
      option: "organizations_measurement",
      message: "is neither as_written nor compact; as_written holds",
    },
  ]);
});
