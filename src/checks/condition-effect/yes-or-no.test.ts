import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

/** The forms that the guides of KMS and Systems Manager print, and their opposites. */
const allowed: readonly (readonly [action: string, condition: object])[] = [
  ["kms:CreateGrant", { Bool: { "kms:GrantIsForAWSResource": "true" } }],
  ["ssm:StartSession", { BoolIfExists: { "ssm:SessionDocumentAccessCheck": "true" } }],
];
const resources = { "kms:CreateGrant": "arn:aws:kms:eu-west-1:111122223333:key/*" };

checkCases(
  conditionEffect,
  allowed.flatMap(([Action, condition]) => {
    const Resource = resources[Action as keyof typeof resources] ?? "*";
    const opposite = JSON.parse(JSON.stringify(condition).replace('"true"', '"false"'));
    const allow = { Effect: "Allow", Action, Resource };
    return [
      {
        name: `accepts an Allow of ${Action} for the safe answer`,
        statement: { ...allow, Condition: condition },
        findings: [],
      },
      {
        name: `reports an Allow of ${Action} for the unsafe answer`,
        statement: { ...allow, Condition: opposite },
        findings: [{ issue_type: "condition_inverted", severity: "high" as const }],
      },
    ];
  }),
);
