import { checkCases } from "../../../test/support/check-cases.ts";
import { policyTypeValidation } from "../policy-type-validation.ts";

const account = (partition: string) => ({ AWS: `arn:${partition}:iam::444455556666:root` });
const read = (partition: string, Resource: unknown = "arn:aws-cn:s3:::reports/*") => ({
  Effect: "Allow",
  Principal: account(partition),
  Action: "s3:GetObject",
  Resource,
});
const assume = (partition: string) => ({
  Effect: "Allow",
  Principal: account(partition),
  Action: "sts:AssumeRole",
});
const invalid = { issue_type: "invalid_principal_value", severity: "error" } as const;

checkCases(policyTypeValidation, [
  {
    name: "a principal of another partition than the resources",
    type: "RESOURCE_POLICY",
    statement: read("aws"),
    findings: [
      {
        ...invalid,
        message:
          "`arn:aws:iam::444455556666:root` is in the partition `aws`, and the resources of the policy are in `aws-cn`. Access across accounts works within one partition only.",
        suggestion: "Name an account, user or role of `aws-cn`.",
      },
    ],
  },
  {
    name: "principals of two partitions in a trust policy",
    type: "TRUST_POLICY",
    statement: [assume("aws-us-gov"), assume("aws")],
    findings: [{ ...invalid, at: 1, message: /another principal is in `aws-us-gov`/ }],
  },
  {
    name: "accepts principals of the partition of the resources, or where none or two are named",
    type: "RESOURCE_POLICY",
    statement: [read("aws-cn")],
    findings: [],
  },
  {
    name: "accepts a principal where no resource says the partition",
    type: "RESOURCE_POLICY",
    statement: read("aws-cn", "*"),
    findings: [],
  },
  {
    name: "accepts a policy that is written for two partitions",
    type: "RESOURCE_POLICY",
    statement: read("aws", ["arn:aws-cn:s3:::reports/*", "arn:aws:s3:::reports/*"]),
    findings: [],
  },
  {
    name: "accepts one partition in a trust policy",
    type: "TRUST_POLICY",
    statement: [assume("aws-cn"), assume("aws-cn")],
    findings: [],
  },
]);
