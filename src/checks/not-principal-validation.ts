import { z } from "zod";
import { defineCheck } from "../engine/check.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import { quoteValue } from "./shared/quote.ts";

const allowExample = `{
  "Effect": "Allow",
  "Principal": { "AWS": "arn:aws:iam::123456789012:role/Reporting" },
  "Action": "s3:GetObject",
  "Resource": "arn:aws:s3:::example-bucket/*"
}`;

const denyExample = `{
  "Effect": "Deny",
  "Principal": "*",
  "Action": "s3:*",
  "Resource": ["arn:aws:s3:::example-bucket", "arn:aws:s3:::example-bucket/*"],
  "Condition": {
    "ArnNotEquals": { "aws:PrincipalArn": "arn:aws:iam::123456789012:role/Administration" }
  }
}`;

export const notPrincipalValidation = defineCheck({
  check_id: "not_principal_validation",
  default_severity: "warning",
  description:
    "NotPrincipal is not used: with Allow it opens the resource, with Deny it is easy to get wrong.",
  docstring: `Reports every statement with \`NotPrincipal\`.

- With \`Allow\` it grants access to everyone but the principals named, anonymous callers included, and AWS refuses
  it in most places: an error, whatever severity is configured.
- With \`Deny\` it works only when the list names every part of the way in: the account, the role and each of its
  sessions. One part too few and the role that was to be spared is locked out.

\`"Principal": "*"\` with a condition \`ArnNotEquals\` on \`aws:PrincipalArn\` says the same for a Deny and has none
of these traps.`,
  risk_explanation:
    "With Allow, NotPrincipal hands the resource to everybody except a few. With Deny, a list that is one entry short locks out the people who were to keep access, sometimes beyond repair.",
  risk_category: "resource_exposure",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notprincipal.html",
  remediation_steps: [
    "In an Allow, name the principals that are meant in `Principal`.",
    'In a Deny, write `"Principal": "*"` with `ArnNotEquals` on `aws:PrincipalArn` for those to be spared.',
  ],
  options: z.strictObject({}),
  issue_types: {
    not_principal_with_allow: {
      severity: "error",
      when: "NotPrincipal stands in a statement with Effect Allow.",
    },
    not_principal_usage: {
      severity: "check",
      when: "NotPrincipal stands in any other statement.",
    },
  },
  examples: {
    bad: [
      {
        title:
          "A denial that spares one role, until somebody forgets the account and the sessions.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Deny",
              NotPrincipal: { AWS: "arn:aws:iam::123456789012:role/Administration" },
              Action: "s3:*",
              Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The same denial with a condition.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Deny",
              Principal: "*",
              Action: "s3:*",
              Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
              Condition: {
                ArnNotEquals: {
                  "aws:PrincipalArn": "arn:aws:iam::123456789012:role/Administration",
                },
              },
            },
          ],
        },
      },
    ],
  },

  *runStatement(statement, { policy, peer }) {
    if (!statement.has("NotPrincipal") || statement.raw.NotPrincipal === null) return;
    const about = { field_name: "principal", node: statement.at("NotPrincipal") } as const;
    const refused =
      policyTypeFacts[policy.type].principal !== "required" && peer("policy_type_validation");
    const also = refused
      ? " In a policy of this type it is out of place anyway, as `policy_type_validation` says."
      : "";
    if (statement.effect?.toLowerCase() === "allow") {
      yield {
        ...about,
        issue_type: "not_principal_with_allow",
        severity: "error",
        message: `\`NotPrincipal\` with \`Allow\` grants access to everyone except the principals it names, anonymous callers included; AWS does not support it.${also}`,
        suggestion:
          'Name the principals that are meant in `Principal`. To keep some out of a wider grant, add a `Deny` with `"Principal": "*"` and `ArnEquals` on `aws:PrincipalArn`.',
        example: allowExample,
        aws_issue_code: "ALLOW_WITH_NOT_PRINCIPAL",
      };
      return;
    }
    const effect = statement.has("Effect")
      ? `with ${quoteValue(statement.raw.Effect)}`
      : "without an `Effect`";
    yield {
      ...about,
      issue_type: "not_principal_usage",
      message: `\`NotPrincipal\` ${effect} must list every part of the way in (account, role and each session); one entry too few locks out those it was to spare.${also}`,
      suggestion:
        'Write `"Principal": "*"` with `ArnNotEquals` on `aws:PrincipalArn`, naming the principals to be spared.',
      example: denyExample,
    };
  },
});
