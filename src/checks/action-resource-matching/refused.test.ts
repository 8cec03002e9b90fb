import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const caller = { AWS: "arn:aws:iam::444455556666:root" };
const topic = "arn:aws:sns:eu-west-1:111122223333:alerts";
const queue = "arn:aws:sqs:eu-west-1:111122223333:orders";
const bucket = "arn:aws:s3:::reports";
const point = "arn:aws:s3:eu-west-1:111122223333:accesspoint/reports";
const cluster = "arn:aws:kafka:eu-west-1:111122223333:cluster/orders/0f3a2c1e-7";
const allow = (Action: unknown, Resource: unknown) => ({
  Effect: "Allow",
  Principal: caller,
  Action,
  Resource,
});
const mismatch = { issue_type: "resource_mismatch", severity: "error" } as const;

checkCases(
  actionResourceMatching,
  [
    ...(
      [
        ["sqs:SendMessage", "SNS", ["sns:Publish", "sqs:SendMessage"], topic],
        ["sns:Publish", "SQS", ["sqs:SendMessage", "sns:Publish"], queue],
        ["kms:Decrypt", "S3", ["s3:GetObject", "kms:Decrypt"], `${bucket}/*`],
      ] as const
    ).map(([wrong, service, actions, resource]) => ({
      name: `${service} refuses a policy with ${wrong}`,
      type: "RESOURCE_POLICY" as const,
      statement: allow(actions, resource),
      findings: [
        {
          ...mismatch,
          action: wrong,
          message: `\`${wrong}\` is an action of another service than that of the resources. ${service} refuses a policy with such an action.`,
        },
      ],
    })),
    {
      name: "S3 refuses a bucket policy with an action that no resource of its statement fits",
      type: "RESOURCE_POLICY",
      statement: allow(["s3:GetObject", "s3:GetBucketAcl"], `${bucket}/*`),
      findings: [{ ...mismatch, message: /S3 refuses a bucket policy with such a statement\.$/ }],
    },
    {
      name: "a policy whose type is not declared may be that of an endpoint, which takes any action",
      statement: allow(["s3:GetObject", "s3:GetBucketAcl"], `${bucket}/*`),
      findings: [{ issue_type: "resource_mismatch", severity: "medium" }],
    },
    {
      name: "an endpoint policy takes any action",
      type: "ENDPOINT_POLICY",
      statement: allow(["sns:Publish", "sqs:SendMessage"], topic),
      findings: [{ issue_type: "resource_mismatch", severity: "medium" }],
    },
    {
      name: "a bucket and an access point have a policy each",
      type: "RESOURCE_POLICY",
      statement: [allow("s3:GetObject", `${bucket}/*`), allow("s3:ListBucket", point)],
      findings: [
        {
          ...mismatch,
          at: 1,
          message: `The policy names two resources, \`reports\` and \`${point}\`, but it is attached to one of them and applies to that one alone.`,
        },
      ],
    },
    {
      name: "two access points have a policy each",
      type: "RESOURCE_POLICY",
      statement: [
        allow("s3:GetObject", `${point}/object/*`),
        allow("s3:ListBucket", point.replace("reports", "logs")),
      ],
      findings: [{ ...mismatch, at: 1 }],
    },
    ...[
      allow(["s3:GetObject", "s3:ListBucket"], [bucket, `${bucket}/*`]),
      allow(["s3:GetObject", "s3:ListBucket"], [point, `${point}/object/*`]),
      allow(["kafka:GetBootstrapBrokers", "kafka-cluster:Connect"], cluster),
      allow("sns:*", topic),
    ].map((statement) => ({
      name: `accepts ${JSON.stringify(statement.Action)}`,
      type: "RESOURCE_POLICY" as const,
      statement,
      findings: [],
    })),
  ],
  embeddedServices(),
);
