import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const trust = (
  Condition: object,
  Principal: object = { Service: "pods.eks.amazonaws.com" },
  Effect = "Allow",
) => ({ Effect, Principal, Action: ["sts:AssumeRole", "sts:TagSession"], Condition });

const misspelt = "aws:RequestTag/kubernetes-namspace";

checkCases(conditionEffect, [
  {
    name: "a misspelt tag in the trust policy of a role for pods gives the name of the tag that EKS sets",
    statement: trust({ StringEquals: { [misspelt]: "shop" } }),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error",
        condition_key: misspelt,
        message:
          "EKS gives the sessions of pods no tag `kubernetes-namspace`. The condition never holds, so this Allow grants nothing.",
        suggestion: "Write `aws:RequestTag/kubernetes-namespace`.",
        example: /"aws:RequestTag\/kubernetes-namespace": "shop"/,
      },
    ],
  },
  ...[
    { name: "an own tag, which is near no tag of EKS", Condition: { "aws:RequestTag/team": "a" } },
    { name: "the tag itself", Condition: { "aws:RequestTag/kubernetes-namespace": "a" } },
    { name: "a Deny", Condition: { [misspelt]: "a" }, effect: "Deny" },
    {
      name: "a role for another service",
      Condition: { [misspelt]: "a" },
      principal: { Service: "ec2.amazonaws.com" },
    },
    {
      name: "a role for pods and for another service",
      Condition: { [misspelt]: "a" },
      principal: { Service: ["pods.eks.amazonaws.com", "ec2.amazonaws.com"] },
    },
  ].map(({ name, Condition, principal, effect }) => ({
    name: `a tag of a role for pods, without a finding: ${name}`,
    type: "TRUST_POLICY" as const,
    statement: trust({ StringEquals: Condition }, principal, effect),
    findings: [],
  })),
  {
    name: "a misspelt tag of pods under IfExists lets every session pass, and is not reported as one that none has",
    type: "TRUST_POLICY",
    statement: trust({ StringEqualsIfExists: { [misspelt]: "shop" } }),
    findings: [],
  },
  {
    name: "a misspelt tag of pods in an identity policy, which has no principals",
    type: "IDENTITY_POLICY",
    statement: {
      Effect: "Allow",
      Action: "s3:GetObject",
      Resource: "*",
      Condition: { StringEquals: { [misspelt]: "shop" } },
    },
    findings: [],
  },
]);
