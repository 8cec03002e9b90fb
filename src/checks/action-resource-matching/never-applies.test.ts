import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const allow = (Action: unknown, Resource: unknown) => ({ Effect: "Allow", Action, Resource });
const never = { issue_type: "statement_never_applies", severity: "error" as const };
const point = "arn:aws:s3:eu-west-1:111122223333:accesspoint/reports";

/** An action, the ARN that it cannot work on, and the ARN that is meant. */
const slips: readonly (readonly [string, string, string])[] = [
  ["s3:GetObject", "arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
  ["s3:GetObject", "arn:aws-cn:s3:::a", "arn:aws-cn:s3:::a/*"],
  ["s3:ListBucket", "arn:aws:s3:::reports/*", "arn:aws:s3:::reports"],
  ["s3:ListBucket", "arn:aws:s3:::reports/", "arn:aws:s3:::reports"],
  ["s3:ListBucket", `${point}/object/*`, point],
  ["s3:ListBucket", `${point}/object/`, point],
  [
    "iam:GetUser",
    "arn:aws:iam:us-east-1:111122223333:user/ana",
    "arn:aws:iam::111122223333:user/ana",
  ],
  ["s3:ListBucket", "arn:aws:s3:eu-west-1:111122223333:reports", "arn:aws:s3:::reports"],
  ["s3:GetObject", "arn:aws:s3::111122223333:reports/a/b", "arn:aws:s3:::reports/a/b"],
  [
    "route53:GetHostedZone",
    "arn:aws:route53:eu-west-1::hostedzone/Z1",
    "arn:aws:route53:::hostedzone/Z1",
  ],
];

checkCases(
  actionResourceMatching,
  [
    ...slips.map(([action, resource, meant]) => ({
      name: `${action} on ${resource} means ${meant}`,
      type: "IDENTITY_POLICY" as const,
      statement: allow(action, resource),
      findings: [{ ...never, action, suggestion: `Write \`${meant}\` as the resource.` }],
    })),
    {
      name: "two buckets in place of their objects",
      type: "IDENTITY_POLICY",
      statement: allow("s3:GetObject", ["arn:aws:s3:::a", "arn:aws:s3:::b"]),
      findings: [
        {
          ...never,
          suggestion: "Write `arn:aws:s3:::a/*` and `arn:aws:s3:::b/*` as the resource.",
          example: /"arn:aws:s3:::a\/\*",\s+"arn:aws:s3:::b\/\*"/,
        },
      ],
    },
    {
      name: "one action: what it works on",
      type: "IDENTITY_POLICY",
      statement: allow("sns:Publish", "arn:aws:sqs:eu-west-1:111122223333:q"),
      findings: [
        {
          message:
            /^No resource of the statement is one that `sns:Publish` can work on: it works on the resource type `topic` \(reference data of .*\)\. The statement as a whole grants nothing\.$/,
        },
      ],
    },
    {
      name: "two actions on one type, and one that has none",
      type: "IDENTITY_POLICY",
      statement: allow(
        ["sqs:SendMessage", "sqs:ReceiveMessage", "sqs:ListQueues"],
        "arn:aws:sns:eu-west-1:111122223333:t",
      ),
      findings: [
        {
          message:
            /^No resource of the statement is one that `sqs:SendMessage`, `sqs:ReceiveMessage` and `sqs:ListQueues` can work on: they work on the resource type `queue`, and `sqs:ListQueues` on `\*` \(/,
          suggestion: /`queue`/,
          example: null,
        },
      ],
    },
    {
      name: "an action that has no type is moved to a star, where it only lists",
      type: "IDENTITY_POLICY",
      statement: allow("sqs:ListQueues", "arn:aws:sns:eu-west-1:111122223333:t"),
      findings: [
        {
          message:
            /: the reference lists no resource type for it, so AWS compares with `\*` \(reference/,
          suggestion: "Write `*` as the resource.",
          example: /"Resource": "\*"/,
        },
      ],
    },
    {
      name: "two actions that have no type, of which one changes something",
      type: "IDENTITY_POLICY",
      statement: allow(
        ["sqs:ListQueues", "iam:CreateAccountAlias"],
        "arn:aws:sns:eu-west-1:111122223333:t",
      ),
      findings: [
        {
          message: /: the reference lists no resource type for them, so AWS compares with `\*`/,
          suggestion: 'Write `"Resource": "*"`.',
          example: null,
        },
      ],
    },
    {
      name: "a slip that helps one action of two is not the one that is meant",
      type: "IDENTITY_POLICY",
      statement: allow(["s3:GetObject", "sqs:SendMessage"], "arn:aws:s3:::reports"),
      findings: [{ ...never, example: null, suggestion: /^(?!Write)/ }],
    },
    {
      name: "an action of which others of the statement can work: how to split it",
      type: "IDENTITY_POLICY",
      statement: allow(["s3:ListAllMyBuckets", "s3:ListBucket"], "arn:aws:s3:::reports"),
      findings: [
        {
          issue_type: "resource_mismatch",
          message:
            "The reference lists no resource type for `s3:ListAllMyBuckets`, so AWS compares with `*`, and no resource of the statement is that; the statement does not grant it. For its other actions the statement can still work.",
          suggestion: 'Move `s3:ListAllMyBuckets` to a statement with `"Resource": "*"`.',
        },
      ],
    },
    {
      name: "a Deny of such an action alone",
      type: "IDENTITY_POLICY",
      statement: { ...allow("s3:ListAllMyBuckets", "arn:aws:s3:::reports"), Effect: "Deny" },
      findings: [
        { message: /no resource of the statement is that; the statement does not deny it\.$/ },
      ],
    },
  ],
  embeddedServices(),
);
