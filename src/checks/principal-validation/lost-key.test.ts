import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { principalValidation } from "../principal-validation.ts";

const root = { AWS: "arn:aws:iam::111122223333:root" };
const admin = { AWS: "arn:aws:iam::111122223333:role/KeyAdmin" };
const app = { AWS: "arn:aws:iam::111122223333:role/App" };
const allow = (Principal: unknown, Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Principal,
  Action,
  Resource: "*",
  ...more,
});
const use = allow(app, ["kms:Encrypt", "kms:Decrypt", "kms:GenerateDataKey*", "kms:DescribeKey"]);
const logs = allow({ Service: "logs.us-east-1.amazonaws.com" }, "kms:*", {
  Condition: { StringEquals: { "aws:SourceAccount": "111122223333" } },
});
const key = { type: "RESOURCE_POLICY", service: "kms", isWhole: true } as const;
const lost = {
  at: -1,
  issue_type: "policy_lock_out",
  severity: "high",
  path: "/Statement",
  action: "kms:PutKeyPolicy",
} as const;

const refused = {
  "no statement has the action": [use],
  "only a service is allowed the action": [logs, use],
  "NotAction leaves the action out": [
    { Effect: "Allow", Principal: root, NotAction: "kms:Put*", Resource: "*" },
  ],
  "there are Denies only": [
    { Effect: "Deny", Principal: app, Action: "kms:PutKeyPolicy", Resource: "*" },
  ],
};
const accepted = {
  "the account is allowed all actions": [allow(root, "kms:*"), use],
  "administrators are allowed a pattern, in any letter case": [allow(admin, "KMS:put*"), use],
  "administrators are allowed the action alone": [allow(admin, ["kms:PutKeyPolicy"])],
  "callers of an account are, by a condition": [
    allow("*", "kms:*", { Condition: { StringEquals: { "kms:CallerAccount": "111122223333" } } }),
  ],
  "NotAction keeps the action": [
    { Effect: "Allow", Principal: admin, NotAction: "kms:Decrypt", Resource: "*" },
  ],
  "all but one principal are allowed it": [
    { Effect: "Allow", NotPrincipal: app, Action: "kms:*", Resource: "*" },
  ],
  "a name that has the action in mind is misspelt": [allow(root, "kms:PutKeyPolcy"), use],
  "a statement has no action, or an effect that is misspelt": [
    { Effect: "Allow", Principal: root, Resource: "*" },
    { Effect: "Alow", Principal: root, Action: "kms:*", Resource: "*" },
  ],
};

checkCases(
  principalValidation,
  [
    ...Object.entries(refused).map(([name, statement]) => ({
      ...key,
      name: `a key policy in a template that lets no principal write it is reported: ${name}`,
      statement,
      findings: [lost],
    })),
    ...Object.entries(accepted).map(([name, statement]) => ({
      ...key,
      name: `a key policy that principals can write is not: ${name}`,
      statement,
      // Other faults of these policies have findings of other checks.
      findings: name.startsWith("all but one")
        ? [{ issue_type: "missing_principal_condition_any_of" }]
        : [],
    })),
    {
      name: "a key policy that may have further statements, or is of another resource, is not",
      ...key,
      isWhole: false,
      statement: [use],
      findings: [],
    },
    {
      name: "a policy of another resource is not a key policy",
      ...key,
      service: "s3",
      statement: [use],
      findings: [],
    },
    {
      name: "the finding says what KMS does, and what to allow",
      ...key,
      statement: [use],
      findings: [
        {
          message:
            "The key policy allows `kms:PutKeyPolicy` to no user, role or account, so no principal can change it. KMS refuses it unless its lockout safety check is bypassed.",
          suggestion:
            "Allow `kms:PutKeyPolicy` to the administrators of the key, or `kms:*` to the root ARN of its account.",
        },
      ],
    },
  ],
  embeddedServices(),
);
