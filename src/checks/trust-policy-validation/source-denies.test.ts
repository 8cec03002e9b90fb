import { checkCases } from "../../../test/support/check-cases.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const queue = "arn:aws:sqs:eu-west-1:111122223333:orders";
const events = { Service: "events.amazonaws.com" };
const allow = (Principal: unknown, Condition?: object) => ({
  Effect: "Allow",
  Principal,
  Action: "sqs:SendMessage",
  Resource: queue,
  ...(Condition ? { Condition } : {}),
});
const deny = (Condition: object, members: object = {}) => ({
  Effect: "Deny",
  Principal: "*",
  Action: "sqs:*",
  Resource: queue,
  Condition,
  ...members,
});
const others = { StringNotEquals: { "aws:SourceAccount": "111122223333" } };
const ofServices = { Bool: { "aws:PrincipalIsAWSService": "true" } };
const rule = "arn:aws:events:*:111122223333:rule/*";
const deputy = { at: 0, issue_type: "confused_deputy_risk" } as const;

checkCases(trustPolicyValidation, [
  ...[
    deny(others),
    deny(others, { Principal: events, Action: "sqs:SendMessage" }),
    deny({
      StringNotEquals: { "aws:SourceOrgID": "o-a1b2c3d4e5" },
      Null: { "aws:SourceAccount": "false" },
      ...ofServices,
    }),
    deny({ ArnNotLike: { "aws:SourceArn": rule } }),
  ].map((denial) => ({
    name: `a Deny that names the source: ${JSON.stringify(denial.Condition)}`,
    type: "RESOURCE_POLICY" as const,
    statement: [allow(events), denial],
    findings: [],
  })),
  ...[
    deny({ StringEquals: { "aws:SourceAccount": "111122223333" } }),
    deny({ ...others, Bool: { "aws:SecureTransport": "false" } }),
    deny({ ...others, Bool: { "aws:PrincipalIsAWSService": "false" } }),
    deny({ StringNotLike: { "aws:SourceAccount": "*" } }),
    deny({ ArnNotLike: { "aws:SourceArn": "arn:aws:s3:::reports" } }),
    deny(others, { Action: "sqs:DeleteMessage" }),
    deny({ ArnNotLike: { "aws:SourceArn": [rule, "arn:aws:s3:::reports"] } }),
    deny({ StringNotLike: { "aws:SourceAccount": ["111122223333", "?*"] } }),
    deny({ "ForAnyValue:StringNotEquals": { "aws:SourceOrgPaths": "o-a1b2c3d4e5/*" } }),
    deny({ ...others, Bool: { "aws:SecureTransport": "true" } }),
    deny({ ...others, StringEquals: { "aws:PrincipalIsAWSService": "true" } }),
    deny({ ...others, Null: { "aws:PrincipalArn": "false" } }),
    deny({ ...others, Null: { "aws:SourceArn": "true" } }),
    deny({ ...others, StringFuzzy: { "aws:SourceAccount": "111122223333" } }),
    deny(others, { Principal: { Service: "sns.amazonaws.com" } }),
    deny(others, { Resource: "arn:aws:sqs:eu-west-1:111122223333:invoices" }),
  ].map((denial) => ({
    name: `a Deny that leaves the source open: ${JSON.stringify(denial)}`,
    type: "RESOURCE_POLICY" as const,
    statement: [allow(events), denial],
    findings: [deputy],
  })),
  {
    name: "a Deny of one action leaves the other open",
    type: "RESOURCE_POLICY",
    statement: [
      { ...allow(events), Action: ["sqs:SendMessage", "sqs:ReceiveMessage"] },
      deny(others, { Action: "sqs:SendMessage" }),
    ],
    findings: [deputy],
  },
  {
    name: "a condition that no request of the service meets keeps the service out",
    type: "RESOURCE_POLICY",
    statement: [
      allow(
        { ...events, AWS: "111122223333" },
        { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      ),
      allow(
        { ...events, AWS: "111122223333" },
        { StringEquals: { "aws:PrincipalAccount": "111122223333" } },
      ),
    ],
    findings: [{ ...deputy, at: 1 }],
  },
]);
