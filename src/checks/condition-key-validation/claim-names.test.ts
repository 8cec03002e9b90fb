import { checkCases } from "../../../test/support/check-cases.ts";
import { trust } from "../../../test/support/trust-statement.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const issuer = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";
const arn = `arn:aws:iam::111122223333:oidc-provider/${issuer}`;
const web = "sts:AssumeRoleWithWebIdentity";
const equals = (...keys: string[]) => ({
  StringEquals: Object.fromEntries(keys.map((key) => [key, "x"])),
});
const role = (Action: string, ...keys: string[]) => ({
  type: "TRUST_POLICY" as const,
  statement: trust({ Federated: arn }, Action, equals(...keys)),
});
const invalid = { issue_type: "invalid_condition_key" };

checkCases(conditionKeyValidation, [
  ...[`https://${issuer}:sub`, `${arn}:sub`].map((key) => ({
    name: `the claim begins with the name of the provider, and not as in ${key}`,
    ...role(web, key),
    findings: [
      {
        ...invalid,
        condition_key: key,
        suggestion: `Begin the key with the name of the provider: write \`${issuer}:sub\`.`,
        example: new RegExp(`"${issuer}:sub": "x"`),
      },
    ],
  })),
  {
    name: "several claims with the ARN of the provider are one finding",
    ...role(web, `${arn}:aud`, `${arn}:sub`),
    findings: [
      {
        ...invalid,
        message: /^`.*:aud` and `.*:sub` are not condition keys of `sts:AssumeRoleWithWebIdentity`/,
        suggestion: `Begin the key with the name of the provider: write \`${issuer}:aud\`, and the others alike.`,
        example: null,
      },
    ],
  },
  {
    name: "claims of a provider come with its own action",
    ...role("sts:AssumeRole", `${issuer}:sub`),
    findings: [
      {
        ...invalid,
        suggestion:
          "Write `sts:AssumeRoleWithWebIdentity`, whose requests carry the claims of the provider.",
      },
    ],
  },
  {
    name: "a key with the ARN of another provider is no slip of this kind",
    ...role(web, "arn:aws:iam::111122223333:oidc-provider/id.example.com:sub"),
    findings: [{ ...invalid, suggestion: /^Look up/ }],
  },
]);
