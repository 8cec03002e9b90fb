import { checkCases } from "../../../test/support/check-cases.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const deputy = {
  issue_type: "confused_deputy_risk",
  severity: "high",
  field_name: "condition",
} as const;
/** A statement of the policy of a topic. */
const publish = (Principal: unknown, Condition: object) => ({
  Effect: "Allow",
  Principal,
  Action: "sns:Publish",
  Resource: "arn:aws:sns:eu-west-1:111122223333:t",
  Condition,
});

checkCases(trustPolicyValidation, [
  {
    name: "a service that a condition names in place of a principal needs a source as well",
    type: "RESOURCE_POLICY",
    statement: [
      publish("*", { StringEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" } }),
      publish(
        { AWS: ["arn:aws:iam::111122223333:role/a", "*"] },
        { "ForAnyValue:StringEquals": { "aws:PrincipalServiceNamesList": "events.amazonaws.com" } },
      ),
    ],
    findings: [
      {
        ...deputy,
        at: 0,
        condition_key: "aws:PrincipalServiceName",
        path: "/Statement/0/Condition/StringEquals/aws:PrincipalServiceName",
        message:
          "`sns.amazonaws.com` may use this resource on behalf of any resource of any AWS account: `aws:PrincipalServiceName` names the service and not the source.",
        suggestion: /^Add `aws:SourceArn` in the form/,
        example: /"aws:SourceAccount": "111122223333"/,
      },
      { ...deputy, at: 1, severity: "medium" },
    ],
  },
  {
    name: "and is reported with the configured severity",
    type: "RESOURCE_POLICY",
    statement: publish("*", { StringEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" } }),
    options: { severity: "low" },
    findings: [{ ...deputy, severity: "low" }],
  },
  {
    name: "but not where the source is named, callers are, or another key is tested",
    type: "RESOURCE_POLICY",
    statement: [
      publish("*", {
        StringEquals: {
          "aws:PrincipalServiceName": "sns.amazonaws.com",
          "aws:SourceAccount": "111122223333",
        },
      }),
      publish(
        { AWS: "arn:aws:iam::111122223333:role/a" },
        { StringEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" } },
      ),
      publish("*", { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
    ],
    findings: [],
  },
]);
