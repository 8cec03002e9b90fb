import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const tagging = (value: unknown, operator = "StringEquals", key = "ec2:CreateAction") => ({
  Effect: "Allow",
  Action: "ec2:CreateTags",
  Resource: "arn:aws:ec2:eu-west-1:111122223333:*/*",
  Condition: { [operator]: { [key]: value } },
});

checkCases(conditionEffect, [
  {
    name: "a misspelt action under ec2:CreateAction gives the action that is meant",
    type: "IDENTITY_POLICY",
    statement: tagging("RunInstance"),
    findings: [
      {
        issue_type: "condition_never_true",
        message:
          "`ec2:CreateAction` never has the value `RunInstance`: `ec2` has no such action in the reference data of 2026-01-31. The condition never holds, so this Allow grants nothing.",
        suggestion: "Did you mean `RunInstances`?",
        example: /"ec2:CreateAction": "RunInstances"/,
      },
    ],
  },
  {
    name: "several unknown actions under ec2:CreateAction are named together, without an example",
    type: "IDENTITY_POLICY",
    statement: tagging(["RunInstance", "Zzyzx"]),
    findings: [{ message: /never has the values `RunInstance` and `Zzyzx`: /, example: null }],
  },
  {
    name: "an action that is near no other gives the form of the value",
    type: "IDENTITY_POLICY",
    statement: tagging("Zzyzx"),
    findings: [
      {
        suggestion:
          "Write the name of the action that creates the resource, such as `RunInstances`.",
        example: null,
      },
    ],
  },
  ...[
    { name: "the name of an action", statement: tagging("RunInstances") },
    {
      name: "one known action among several",
      statement: tagging(["RunInstances", "RunInstance"]),
    },
    { name: "a pattern", statement: tagging("Run*", "StringLike") },
    { name: "a policy variable", statement: tagging("${aws:PrincipalTag/action}") },
    { name: "a template placeholder", statement: tagging("A{{action}}") },
    { name: "a value beside a pattern", statement: tagging(["RunInstance", "Run*"], "StringLike") },
    { name: "a negated test", statement: tagging("RunInstance", "StringNotEquals") },
    { name: "no value", statement: tagging([]) },
    {
      name: "a service without reference data",
      statement: tagging("RunInstance", "StringEquals", "zzz:CreateAction"),
    },
    {
      name: "another key of the service",
      statement: tagging("RunInstance", "StringEquals", "ec2:CreateActions"),
    },
  ].map(({ name, statement }) => ({
    name: `a value of ec2:CreateAction without a finding: ${name}`,
    type: "IDENTITY_POLICY" as const,
    statement,
    findings: [],
  })),
]);
