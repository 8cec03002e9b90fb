import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const bucket = "arn:aws:s3:::reports";
const deny = (Action: unknown, NotResource: unknown, more: object = {}) => ({
  Effect: "Deny",
  Action,
  NotResource,
  ...more,
});
const mismatch = { issue_type: "resource_mismatch", severity: "high" as const };

checkCases(
  actionResourceMatching,
  [
    ...["s3:GetObject", "s3:*", ["s3:ListBucket", "s3:PutObject"], "s3:Put*"].map((Action) => ({
      name: `${Action} denied everywhere but on a bucket without its objects`,
      statement: deny(Action, bucket),
      findings: [
        {
          ...mismatch,
          field_name: "not_resource" as const,
          message: /names `arn:aws:s3:::reports` and none of the objects in it/,
          suggestion: "Add `arn:aws:s3:::reports/*` to `NotResource`.",
          example: /"arn:aws:s3:::reports\/\*"/,
        },
      ],
    })),
    {
      name: "accepts a policy of the bucket itself that denies its objects",
      type: "RESOURCE_POLICY",
      statement: deny("s3:*", bucket, { Principal: "*" }),
      findings: [],
    },
    {
      name: "two buckets without their objects",
      statement: deny("s3:GetObject", [bucket, `${bucket}-two`]),
      findings: [{ ...mismatch, message: /none of the objects in them/ }],
    },
    {
      name: "ARNs that no action of the Deny works on",
      statement: [
        deny("sts:AssumeRole", "arn:aws:iam:::role/reader"),
        deny(["kms:Decrypt", "kms:Encrypt"], "arn:aws:kms:eu-west-1:111122223333:alias/data"),
      ],
      findings: [
        { at: 0, ...mismatch, message: /No entry of `NotResource`.*exempts nothing and stops it/ },
        { at: 1, ...mismatch, message: /`kms:Decrypt` and `kms:Encrypt` can work on.*stops them/ },
      ],
    },
    ...[
      deny("s3:*", [bucket, `${bucket}/*`]),
      deny("s3:GetObject", `${bucket}/*`),
      deny("s3:GetObject", `${bucket}*`),
      deny("s3:ListBucket", bucket),
      deny("s3:GetObject", "*"),
      deny("s3:GetObject", "${var}"),
      deny("s3:GetObject", "arn:aws:s3:::${bucket}"),
      deny("*", bucket),
      deny("iam:ListAccessKeys", "arn:aws:iam::*:root"),
      deny(["sts:AssumeRole", "sts:GetCallerIdentity"], "arn:aws:iam:::role/reader"),
      deny(["sts:Assume*"], "arn:aws:iam:::role/reader"),
      { ...deny("s3:GetObject", bucket), Effect: "Allow" },
    ].map((statement) => ({
      name: `accepts ${statement.Effect} of ${statement.Action} with NotResource ${statement.NotResource}`,
      statement,
      findings: [],
    })),
    {
      name: "a launch everywhere but for some images is also denied for the rest of what it needs",
      statement: deny("ec2:RunInstances", "arn:aws:ec2:*::image/ami-0a1b2c3d"),
      findings: [
        {
          ...mismatch,
          message:
            "`ec2:RunInstances` is also authorized against the `subnet`, `network-interface` and `security-group` of the launch, which `NotResource` does not exempt, so this Deny stops every launch.",
          suggestion:
            "Deny with `Resource`, such as `arn:aws:ec2:*::image/*`, and say in a condition what stays allowed.",
        },
      ],
    },
    {
      name: "the same with an exemption for a role stops the launches of the others",
      statement: deny("ec2:RunInstances", "arn:aws:ec2:*::image/*", {
        Condition: { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/platform" } },
      }),
      findings: [{ ...mismatch, message: /so this Deny stops every launch that meets its cond/ }],
    },
    ...[
      deny("ec2:RunInstances", "arn:aws:ec2:*:*:instance/*"),
      deny(
        "ec2:RunInstances",
        ["image", "subnet", "network-interface", "security-group"].map(
          (type) => `arn:aws:ec2:*:*:${type}/*`,
        ),
      ),
      deny("ec2:Run*", "arn:aws:ec2:*::image/*"),
      deny(["sts:AssumeRole", "nosuch:Action"], "arn:aws:iam:::role/reader"),
      deny(["sts:AssumeRole", "sts:GetCallerIdentity"], "arn:aws:iam:::role/reader"),
      deny("sts:Assume*", "arn:aws:iam:::role/reader"),
      deny("sts:AssumeRoot", "arn:aws:iam::111122223333:root"),
      deny("s3:GetObject", [bucket, "*"]),
      { ...deny("s3:GetObject", bucket), Effect: "Allow" },
    ].map((statement) => ({
      name: `passes ${statement.Effect} of ${statement.Action} but for ${statement.NotResource}`,
      type: "SERVICE_CONTROL_POLICY" as const,
      statement,
      findings: [],
    })),
  ],
  embeddedServices(),
);
