import { checkCases } from "../../../test/support/check-cases.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const bucket = "arn:aws:s3:::reports";
const deny = (Action: unknown, Resource: unknown, more: object = {}) => ({
  Effect: "Deny",
  Action,
  Resource,
  ...more,
});
const tls = { Condition: { Bool: { "aws:SecureTransport": "false" } } };
const mismatch = { issue_type: "resource_mismatch", severity: "high" as const };

checkCases(actionResourceMatching, [
  {
    name: "patterns of actions on ARNs of another service",
    statement: [
      deny("s3:*", "arn:aws:ec2:*:123456789012:instance/*"),
      // An Allow is left alone: no patterns are evaluated there.
      { ...deny(["sqs:*"], ["arn:aws:sns:us-east-1:123456789012:t"]), Effect: "Allow" },
    ],
    findings: [
      {
        at: 0,
        ...mismatch,
        message: /The resources are of `ec2`, but.*work on resources of `s3`.*denies nothing\.$/,
      },
    ],
  },
  ...[
    deny("s3:*", [bucket, `${bucket}/*`]),
    deny("s3:*", ["arn:aws:ec2:*:*:instance/*", `${bucket}/*`]),
    deny(["s3:*", "ec2:*"], "arn:aws:ec2:*:*:instance/*"),
    deny("s3:*", "*"),
    deny("s3:*", "arn:aws:*:*:*:*"),
    deny("*", "arn:aws:ec2:*:*:instance/*"),
  ].map((statement) => ({
    name: `patterns of actions of which one may fit: ${statement.Action} on ${statement.Resource}`,
    statement,
    findings: [],
  })),
  {
    name: "a Deny of all of S3 on the bucket without its objects",
    type: "RESOURCE_POLICY",
    statement: deny("s3:*", bucket, { Principal: "*", ...tls }),
    findings: [
      {
        ...mismatch,
        message: /names `arn:aws:s3:::reports`, the bucket, and not the objects/,
        example: /"arn:aws:s3:::reports\/\*"/,
      },
    ],
  },
  {
    name: "the same Deny for one user",
    type: "RESOURCE_POLICY",
    statement: deny("s3:*", bucket, { Principal: { AWS: "arn:aws:iam::123456789012:user/bob" } }),
    findings: [{ ...mismatch, severity: "medium" }],
  },
  ...[
    [deny("s3:*", [bucket, `${bucket}/*`], { Principal: "*", ...tls })],
    [
      deny("s3:*", bucket, { Principal: "*", ...tls }),
      deny("s3:*", `${bucket}/*`, { Principal: "*", ...tls }),
    ],
    [deny("s3:*", `${bucket}*`, { Principal: "*", ...tls })],
    [deny(["s3:DeleteBucket", "s3:PutBucketPolicy"], bucket, { Principal: "*", ...tls })],
    [{ ...deny("s3:*", bucket, { Principal: "*" }), Effect: "Allow" }],
    [deny("s3:*", "${aws:PrincipalTag/bucket}", { Principal: "*" })],
  ].map((statement) => ({
    name: `statements about buckets and objects: ${JSON.stringify(statement)}`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [],
  })),
  {
    name: "all that is said of patterns on ARNs of other services",
    type: "SERVICE_CONTROL_POLICY",
    statement: deny(["s3:*", "sqs:Send*"], ["arn:aws:ec2:*:*:instance/*", "arn:aws:iam::*:role/*"]),
    findings: [
      {
        ...mismatch,
        resource: "arn:aws:ec2:*:*:instance/*",
        path: "/Statement/0/Resource",
        message:
          "The resources are of `ec2` and `iam`, but the actions of the statement work on resources of `s3` or `sqs` (reference data of 2026-01-31). The statement as a whole denies nothing.",
        suggestion:
          "Name resources of the service of the actions, or the actions on these resources.",
      },
    ],
  },
  ...[
    deny(["s3:*", "s3:GetObject"], "arn:aws:ec2:*:*:instance/*"),
    deny("s3:*", ["arn:aws:ec2:*:*:instance/*", "not an ARN"]),
    deny("s3:*", "arn:aws:${service}:*:*:instance/*"),
    deny("s3:*", "arn:aws:e?2:*:*:instance/*"),
  ].map((statement) => ({
    name: `passes patterns that may fit: ${statement.Action} on ${statement.Resource}`,
    type: "SERVICE_CONTROL_POLICY" as const,
    statement,
    findings: String(statement.Action).includes("s3:GetObject") ? [{ action: "s3:GetObject" }] : [],
  })),
  {
    name: "a Deny of everything on one bucket says what is to be added",
    type: "SERVICE_CONTROL_POLICY",
    statement: deny(["**"], bucket),
    findings: [
      {
        ...mismatch,
        resource: bucket,
        path: "/Statement/0/Resource",
        message:
          "This Deny names `arn:aws:s3:::reports`, the bucket, and not the objects, so it does not deny reading, writing or deleting objects.",
        suggestion: "Add `arn:aws:s3:::reports/*`.",
      },
    ],
  },
  {
    name: "a Deny of everything on two buckets",
    type: "SERVICE_CONTROL_POLICY",
    statement: deny("S3:*", [bucket, `${bucket}-two`]),
    findings: [{ message: /names `arn:.*` and `arn:.*-two`, the buckets, and not the objects/ }],
  },
  {
    name: "a Deny for everyone among others is as bad as one for everyone",
    type: "RESOURCE_POLICY",
    statement: deny("s3:*", bucket, {
      Principal: { AWS: ["arn:aws:iam::123456789012:user/bob", "*"] },
    }),
    findings: [{ severity: "high" }],
  },
  {
    name: "an Allow of the objects does not say that they are kept apart",
    type: "SERVICE_CONTROL_POLICY",
    statement: [
      deny("s3:*", bucket),
      { ...deny("s3:GetObject", `${bucket}/*`), Effect: "Allow" },
      deny("sqs:*", "arn:aws:sqs:eu-west-1:111122223333:q"),
    ],
    findings: [{ at: 0, ...mismatch }],
  },
  ...[
    [deny("s3:*", bucket), deny("s3:PutObject", "*")],
    [deny("s3:*", bucket), deny("s3:PutObject", ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"])],
    [deny("s3:Get*", bucket)],
    [deny(["xs3:*"], bucket)],
    [deny("s3:*", [bucket, "arn:aws:s3:::logs/a"])],
  ].map((statement) => ({
    name: `objects are denied elsewhere, or not meant: ${JSON.stringify(statement)}`,
    type: "SERVICE_CONTROL_POLICY" as const,
    statement,
    findings: [],
  })),
]);
