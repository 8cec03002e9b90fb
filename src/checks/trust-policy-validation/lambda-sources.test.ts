import { checkCases } from "../../../test/support/check-cases.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const pull = ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"];
const Service = "lambda.amazonaws.com";
const own = "arn:aws:lambda:eu-west-1:111122223333:function:*";
const foreign = { "aws:SourceArn": "arn:aws:lambda:eu-west-1:*:function:*" };

/** A statement in the policy of a resource. */
const grant = (Principal: unknown, Action: unknown, more: object = {}) => ({
  type: "RESOURCE_POLICY" as const,
  statement: { Effect: "Allow", Principal, Action, Resource: "*", ...more },
});

checkCases(trustPolicyValidation, [
  {
    name: "Lambda pulls images for functions of any account, as a guide prints it",
    ...grant({ Service }, pull),
    findings: [{ issue_type: "confused_deputy_risk", severity: "medium" }],
  },
  {
    name: "a source in any account names none",
    ...grant({ Service }, pull, { Condition: { ArnLike: foreign } }),
    findings: [{ issue_type: "confused_deputy_risk", message: /does not limit the source/ }],
  },
  {
    name: "Lambda reads objects for functions of any account",
    ...grant({ Service }, "s3:GetObject", { Resource: "arn:aws:s3:::reports/*" }),
    findings: [{ issue_type: "confused_deputy_risk", severity: "high" }],
  },
  ...[
    grant({ Service }, pull, { Condition: { ArnLike: { "aws:SourceArn": own } } }),
    grant({ Service }, pull, { Condition: { StringLike: { "aws:sourceARN": own } } }),
    grant({ Service }, pull, {
      Condition: { StringEquals: { "aws:SourceAccount": "111122223333" } },
    }),
    grant({ Service }, pull, { Effect: "Deny" }),
    grant({ AWS: "arn:aws:iam::111122223333:role/f" }, "s3:GetObject"),
    {
      type: "TRUST_POLICY" as const,
      statement: { Effect: "Allow", Principal: { Service }, Action: "sts:AssumeRole" },
    },
  ].map((one, index) => ({
    name: `says nothing where the source is named, or the caller is not a service (${index + 1})`,
    ...one,
    findings: [],
  })),
]);
