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
]);
