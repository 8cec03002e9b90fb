import { checkCases } from "../../../test/support/check-cases.ts";
import { trust } from "../../../test/support/trust-statement.ts";
import { conditionEffect } from "../condition-effect.ts";

const cluster = (id: string) => `oidc.eks.eu-west-1.amazonaws.com/id/${id}`;
const [blue, green] = [cluster("AAAA1111"), cluster("BBBB2222")];
const web = "sts:AssumeRoleWithWebIdentity";
const of = (...issuers: string[]) => ({
  Federated: issuers.map((one) => `arn:aws:iam::111122223333:oidc-provider/${one}`),
});
const pod = "system:serviceaccount:shop:web";
const role = (Condition: object, principal: object = of(blue, green)) => ({
  type: "TRUST_POLICY" as const,
  statement: trust(principal, web, Condition),
});

checkCases(conditionEffect, [
  {
    name: "no token has the claims of two clusters",
    ...role({ StringEquals: { [`${blue}:sub`]: pod, [`${green}:sub`]: pod } }),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error",
        condition_key: `${green}:sub`,
        message: `A token comes from one provider, and the condition requires \`${blue}:sub\` and \`${green}:sub\`. The condition never holds, so this Allow grants nothing.`,
        suggestion: "Write a statement for each provider, with the claims of that one.",
      },
    ],
  },
  ...[
    [
      "one provider",
      { StringEquals: { [`${blue}:sub`]: pod, [`${blue}:aud`]: "sts.amazonaws.com" } },
    ],
    [
      "letter case",
      {
        StringEquals: { [`${blue}:sub`]: pod, [`${blue.toUpperCase()}:aud`]: "sts.amazonaws.com" },
      },
    ],
    [
      "an optional claim",
      { StringEquals: { [`${blue}:sub`]: pod }, StringEqualsIfExists: { [`${green}:sub`]: pod } },
    ],
    [
      "a claim that is excluded",
      { StringEquals: { [`${blue}:sub`]: pod }, StringNotEquals: { [`${green}:sub`]: pod } },
    ],
  ].map(([name, condition]) => ({
    name: `a token may have the claims: ${name}`,
    ...role(condition as object),
    findings: [],
  })),
  {
    name: "an identity policy is not for one provider",
    statement: {
      Effect: "Allow",
      Action: "s3:GetObject",
      Resource: "arn:aws:s3:::shop/*",
      Condition: { StringEquals: { [`${blue}:sub`]: pod, [`${green}:sub`]: pod } },
    },
    findings: [],
  },
]);
