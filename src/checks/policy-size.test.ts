import { checkCases } from "../../test/support/check-cases.ts";
import { policySize } from "./policy-size.ts";

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** A policy of exactly so many bytes in compact form, by the length of its Sid. */
function sized(bytes: number, statement: object, more: readonly object[] = []): object {
  const policy = (Sid: string) => ({
    Version: "2012-10-17",
    Statement: [{ Sid, ...statement }, ...more],
  });
  return policy("x".repeat(bytes - bytesOf(policy(""))));
}

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" };
const account = { AWS: "arn:aws:iam::123456789012:root" };
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
const exceeded = { at: -1, issue_type: "policy_size_exceeded", severity: "error" } as const;

const limits = [
  ["an identity policy", 6144, read, undefined],
  ["a trust policy", 2048, trust, undefined],
  ["an SCP", 10_240, { ...read, Effect: "Deny" }, "SERVICE_CONTROL_POLICY"],
  ["an RCP", 5120, rcp, "RESOURCE_CONTROL_POLICY"],
  ["a bucket policy", 20_480, { ...read, Principal: account }, undefined],
  ["a key policy", 32_768, { ...read, Action: "kms:*", Principal: account }, undefined],
  ["a topic policy", 30_720, { ...read, Action: "sns:Publish", Principal: account }, undefined],
  ["a repository policy", 10_240, { ...read, Action: "ecr:*", Principal: account }, undefined],
] as const;

const codes = [
  ["a trust policy", 2048, trust, "TRUST_POLICY", "POLICY_SIZE_EXCEEDS_ROLE_TRUST_POLICY_QUOTA"],
  ["an SCP", 10_240, rcp, "SERVICE_CONTROL_POLICY", "POLICY_SIZE_EXCEEDS_SCP_QUOTA"],
  ["an RCP", 5120, rcp, "RESOURCE_CONTROL_POLICY", "POLICY_SIZE_EXCEEDS_RCP_QUOTA"],
  ["an endpoint policy", 20_480, rcp, "ENDPOINT_POLICY", null],
] as const;

checkCases(policySize, [
  ...limits.flatMap(([what, limit, statement, declared]) => [
    {
      name: `accepts ${what} of ${limit} bytes`,
      policy: sized(limit, statement),
      ...(declared ? { type: declared } : {}),
      findings: [],
    },
    {
      name: `reports ${what} of one byte more`,
      policy: sized(limit + 1, statement),
      ...(declared ? { type: declared } : {}),
      findings: [{ ...exceeded, suggestion: /Remove at least 1 byte / }],
    },
  ]),
  {
    name: "gives size, label and limit with thousands separators, and bytes and percentage over",
    policy: sized(7373, read),
    findings: [
      {
        ...exceeded,
        message: /7,373 bytes without white space; a managed policy may have 6,144 bytes/,
        suggestion: /1,229 bytes \(20\.0% over/,
        path: "",
        aws_issue_code: null,
      },
    ],
  },
  {
    name: "says so when the policy would fit as the SCP it may be",
    policy: sized(7000, read),
    findings: [{ ...exceeded, suggestion: /type was guessed.*10,240 bytes/ }],
  },
  ...codes.map(([what, limit, statement, type, aws_issue_code]) => ({
    name: `carries ${aws_issue_code ?? "no code of AWS"} for ${what}`,
    policy: sized(limit + 1, statement),
    type,
    findings: [{ ...exceeded, aws_issue_code }],
  })),
  {
    name: "carries AWS's code when it is above the largest quota of identity policies",
    policy: sized(10_241, read),
    findings: [{ ...exceeded, aws_issue_code: "POLICY_SIZE_EXCEEDS_IDENTITY_POLICY_QUOTA" }],
  },
  {
    name: "counts UTF-8 bytes, not characters, and spaces inside strings",
    policy: { ...sized(6144 - 4, read), Id: "é   " },
    findings: [exceeded],
  },
  {
    name: "does not check a resource policy of several services, or of one whose quota is unknown",
    policy: sized(40_000, { ...read, Principal: account }, [
      { ...read, Action: "sqs:SendMessage", Principal: account },
    ]),
    findings: [],
  },
  {
    name: "does not check a resource policy with the action `*`",
    policy: sized(40_000, { ...read, Action: "*", Principal: account }),
    findings: [],
  },
  {
    name: "measures the YAML text of an SCP compact: AWS never receives that text",
    text: `# ${"x".repeat(11_000)}\nVersion: "2012-10-17"\nStatement:\n  Effect: Deny\n  Action: "*"\n  Resource: "*"\n`,
    type: "SERVICE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "measures an SCP submitted as text as written, and says whether it would fit compact",
    type: "SERVICE_CONTROL_POLICY",
    text: `\uFEFF${JSON.stringify(sized(9000, read))}${" ".repeat(1241)}`,
    findings: [
      {
        ...exceeded,
        message: /10,241 bytes, white space included/,
        suggestion: /9,000 bytes, which would fit/,
      },
    ],
  },
  {
    name: "leaves the byte-order mark out",
    type: "SERVICE_CONTROL_POLICY",
    text: `\uFEFF${JSON.stringify(sized(9000, read))}${" ".repeat(1240)}`,
    findings: [],
  },
  {
    name: "measures an SCP compact on request",
    type: "SERVICE_CONTROL_POLICY",
    text: `${JSON.stringify(sized(9000, read))}${" ".repeat(5000)}`,
    options: { organizations_measurement: "compact" },
    findings: [],
  },
  {
    name: "measures an identity policy submitted as text compact",
    text: JSON.stringify(sized(6144, read), null, 20),
    type: "IDENTITY_POLICY",
    findings: [],
  },
  {
    name: "measures a boundary as a managed policy",
    type: "PERMISSIONS_BOUNDARY",
    policy: sized(6145, read),
    findings: [{ ...exceeded, message: /6,145 bytes without white space; a managed policy/ }],
  },
  {
    name: "measures a session policy without its white space",
    type: "SESSION_POLICY",
    text: `${JSON.stringify(sized(2048, read))}${" ".repeat(10)}`,
    findings: [],
  },
  {
    name: "reports a session policy that is too large",
    type: "SESSION_POLICY",
    policy: sized(2049, read),
    findings: [{ ...exceeded, message: /2,048 bytes/ }],
  },
  {
    name: "measures an endpoint policy with its white space",
    type: "ENDPOINT_POLICY",
    text: `${JSON.stringify(sized(20_000, read))}${" ".repeat(481)}`,
    findings: [{ ...exceeded, message: /20,481 bytes, white space included; a VPC endpoint/ }],
  },
  {
    name: "measures against the limit of the option whatever the type",
    policy: sized(2049, read),
    options: { policy_type: "inline_user" },
    findings: [{ ...exceeded, message: /inline policies of a user may have 2,048/ }],
  },
  {
    name: "ignores a word that is not a limit",
    policy: sized(6145, read),
    options: { policy_type: "SERVICE_CONTROL_POLICY" },
    findings: [exceeded],
  },
  {
    name: "replaces the whole table by the configured one",
    policy: sized(501, read),
    options: { size_limits: { managed: 500 } },
    findings: [exceeded],
  },
  {
    name: "does not check a type that the configured table leaves out",
    policy: sized(60_000, read),
    options: { size_limits: { scp: 100_000 } },
    findings: [],
  },
  {
    name: "leaves the table of resource policies alone",
    policy: sized(501, { ...read, Principal: account }),
    options: { size_limits: { managed: 500 } },
    findings: [],
  },
  {
    name: "warns when a guessed type fits, but the RCP it looks like would not",
    policy: sized(5121, rcp),
    findings: [
      {
        at: -1,
        issue_type: "policy_size_type_ambiguous",
        severity: "warning",
        suggestion: /`rcp`/,
      },
    ],
  },
  {
    name: "warns when a guessed identity policy would not fit as an SCP, white space included",
    text: `${JSON.stringify(sized(6000, read))}${" ".repeat(5000)}`,
    findings: [{ issue_type: "policy_size_type_ambiguous", suggestion: /`scp`/ }],
  },
  {
    name: "does not warn when the type was declared",
    policy: sized(5121, rcp),
    type: "RESOURCE_POLICY",
    findings: [],
  },
  {
    name: "does not warn when the option says what to measure against",
    policy: sized(5121, rcp),
    options: { policy_type: "managed" },
    findings: [],
  },
  {
    name: "follows the configured severity",
    policy: sized(6145, read),
    options: { severity: "warning" },
    findings: [{ issue_type: "policy_size_exceeded", severity: "warning" }],
  },
]);
