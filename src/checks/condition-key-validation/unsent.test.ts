import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const statement = (Action: string | string[], Condition: object, Effect = "Allow") => ({
  Effect,
  Action,
  Resource: "*",
  Condition,
});
const owner = { StringEquals: { "aws:RequestTag/Owner": "ana" } };
const team = { StringEquals: { "ec2:ResourceTag/team": "web" } };

checkCases(
  conditionKeyValidation,
  [
    ...[
      "ec2:StartInstances",
      "ec2:ModifyInstanceAttribute",
      "ec2:AttachVolume",
      "ec2:RevokeSecurityGroupIngress",
    ].map((action) => ({
      name: `a tag of the request of ${action}`,
      statement: statement(action, owner),
      findings: [
        {
          issue_type: "invalid_condition_key",
          severity: "error" as const,
          action,
          message: /carry no tags, so they never carry .*: this Allow grants nothing\.$/,
          suggestion: "To test the tag that the resource has, write `aws:ResourceTag/Owner`.",
        },
      ],
    })),
    ...["ec2:CreateVolume", "ec2:RunInstances", "ec2:AllocateAddress", "ec2:CopySnapshot"].map(
      (action) => ({
        name: `accepts a tag of the request of ${action}`,
        statement: statement(action, owner),
        findings: [],
      }),
    ),
    {
      name: "accepts a tag of the request where one of the actions takes tags",
      statement: statement(["ec2:StartInstances", "ec2:RunInstances"], owner),
      findings: [],
    },
    ...[
      { StringNotEquals: { "aws:RequestTag/approved": "true" } },
      { StringNotEqualsIfExists: { "aws:RequestTag/approved": "true" } },
      { Null: { "aws:RequestTag/approved": "true" } },
      { StringEqualsIfExists: { "aws:RequestTag/approved": "false" } },
      { "ForAllValues:StringNotEquals": { "aws:TagKeys": "approved" } },
    ].map((condition) => ({
      name: `a Deny that exempts by a tag that no request has: ${JSON.stringify(condition)}`,
      statement: statement(["ec2:TerminateInstances", "ec2:StopInstances"], condition, "Deny"),
      findings: [
        {
          issue_type: "invalid_condition_key",
          severity: "high" as const,
          message: /so the test holds for all of them, and it exempts nothing from this Deny\.$/,
        },
      ],
    })),
    {
      name: "accepts a Deny that exempts by a tag, where an action takes tags, and such a test in an Allow",
      statement: [
        statement(
          ["ec2:CreateVpc", "ec2:StopInstances"],
          { StringNotEquals: { "aws:RequestTag/approved": "true" } },
          "Deny",
        ),
        statement("ec2:StopInstances", { StringNotEquals: { "aws:RequestTag/approved": "true" } }),
      ],
      findings: [],
    },
    {
      name: "accepts a tag of the resource of StartInstances",
      statement: statement("ec2:StartInstances", team),
      findings: [],
    },
    {
      name: "a tag of a resource for actions that work on none",
      statement: statement(["ec2:DescribeInstances", "ec2:DescribeVolumes"], team),
      findings: [
        {
          issue_type: "invalid_condition_key",
          severity: "error",
          message: /do not carry `ec2:ResourceTag\/team`/,
        },
      ],
    },
    {
      name: "a Deny by the tag of a resource for an action that works on none",
      statement: statement("ec2:DescribeInstances", team, "Deny"),
      findings: [{ issue_type: "invalid_condition_key", severity: "high" }],
    },
    {
      name: "only notes a tag of a resource where an action works on resources without tags",
      statement: statement("ec2:DescribeInstanceAttribute", team),
      findings: [],
    },
  ],
  embeddedServices(),
);
