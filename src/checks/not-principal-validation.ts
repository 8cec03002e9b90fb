import { z } from "zod";
import { defineCheck } from "../engine/check.ts";
import type { PrincipalEntry, Statement } from "../policy/model.ts";
import { policyTypeFacts, typeInWords } from "../policy/type-facts.ts";
import { statementWithCondition } from "./shared/corrected.ts";
import { quote, quoteValue } from "./shared/quote.ts";

export const notPrincipalValidation = defineCheck({
  check_id: "not_principal_validation",
  default_severity: "warning",
  description:
    "NotPrincipal is not used: with Allow it opens the resource, with Deny it is easy to get wrong.",
  docstring: `Reports every statement with \`NotPrincipal\`.

- With \`Allow\` it grants access to everyone but the principals named, anonymous callers included, and AWS does not
  support it: an error, whatever severity is configured.
- With \`Deny\` it works only when the list names the account beside each user or role, and the role beside each of
  its sessions. Severity \`high\` where one of these is missing: the principal that was to keep access is denied.

\`"Principal": "*"\` with a condition \`ArnNotEquals\` on \`aws:PrincipalArn\` says the same for a Deny and has none
of these traps.`,
  risk_explanation:
    "With Allow, NotPrincipal gives the resource to everyone except a few. With Deny, a list that is one entry short locks out the people who were to keep access, sometimes beyond repair.",
  risk_category: "resource_exposure",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notprincipal.html",
  remediation_steps: [
    "In an Allow, name the principals that are meant in `Principal`.",
    'In a Deny, write `"Principal": "*"` with `ArnNotEquals` on `aws:PrincipalArn` for those who keep access.',
  ],
  options: z.strictObject({}),
  issue_types: {
    not_principal_with_allow: {
      severity: "error",
      when: "NotPrincipal is in a statement with Effect Allow.",
    },
    not_principal_usage: {
      severity: ["high", "warning"],
      when: "NotPrincipal is in any other statement: high where a user or role is listed without its account.",
    },
  },
  examples: {
    bad: [
      {
        title:
          "A Deny meant to exempt one role: without the account in the list, the role is denied too.",
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
        title: "The same Deny with a condition.",
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

  element: "NotPrincipal",
  *runStatement(statement, { policy, peer, severity }) {
    if (statement.raw.NotPrincipal === null) return;
    const about = { field_name: "principal", node: statement.at("NotPrincipal") } as const;
    const refused =
      policyTypeFacts[policy.type].principal !== "required" && peer("policy_type_validation");
    const also = refused ? ` ${sentence(typeInWords(policy.type))} cannot have it anyway.` : "";
    if (statement.allows) {
      yield {
        ...about,
        issue_type: "not_principal_with_allow",
        severity: "error",
        message: `\`NotPrincipal\` with \`Allow\` grants access to everyone except the principals it names, anonymous callers included; AWS does not support it.${also}`,
        suggestion:
          'Name the principals that are meant in `Principal`. To exclude some from a wider grant, add a `Deny` with `"Principal": "*"` and `ArnEquals` on `aws:PrincipalArn`.',
        aws_issue_code: "ALLOW_WITH_NOT_PRINCIPAL",
      };
      return;
    }
    const effect = statement.has("Effect")
      ? `with ${quoteValue(statement.raw.Effect)}`
      : "without an `Effect`";
    const gap = missingPart(statement.notPrincipals);
    yield {
      ...about,
      ...(gap && severity === "warning" ? { severity: "high" } : {}),
      issue_type: "not_principal_usage",
      message: `\`NotPrincipal\` ${effect} ${gap ?? "works only while it lists the account beside each user or role, and the role beside each of its sessions"}.${also}`,
      suggestion: `${refused ? "Remove it, and write" : 'Write `"Principal": "*"` with'} \`ArnNotEquals\` on \`aws:PrincipalArn\`, naming the principals that keep access.`,
      correction: () =>
        policyTypeFacts[policy.type].principal === "required"
          ? withConditionInstead(statement)
          : null,
    };
  },
});

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const identityArn =
  /^arn:([a-z-]+):(?:iam|sts)::([0-9]{12}):(?:user|role|assumed-role|federated-user)\//;

/** What the list lacks, so that AWS denies a principal that it names. */
function missingPart(principals: readonly PrincipalEntry[]): string | null {
  const listed = new Set(principals.map(({ text }) => text));
  for (const { text } of principals) {
    const [, partition = "", account = ""] = identityArn.exec(text) ?? [];
    if (account === "") continue;
    const root = `arn:${partition}:iam::${account}:root`;
    if (!listed.has(account) && !listed.has(root)) {
      return `lists ${quote(text)} without its account ${quote(root)}, so AWS denies that principal too`;
    }
    const session = /^(arn:[a-z-]+):sts::([0-9]{12}):assumed-role\/([^/]+)\//.exec(text);
    const roleEnd = session ? `/${session[3]}` : "";
    const hasRole = () =>
      [...listed].some((one) => one.includes(`iam::${account}:role/`) && one.endsWith(roleEnd));
    if (session && !hasRole()) {
      return `lists the session ${quote(text)} without its role, so AWS denies that session too`;
    }
  }
  return null;
}

/** The same Deny for `*` with a condition; null where the list holds more than accounts, users and roles. */
function withConditionInstead(statement: Statement) {
  const arns: string[] = [];
  for (const { type, text } of statement.notPrincipals) {
    const plain = /^arn:[a-z-]+:iam::[0-9]{12}:(?:root$|user\/|role\/)/.test(text);
    if (type !== "AWS" || !(plain || /^[0-9]{12}$/.test(text))) return null;
    arns.push(plain ? text : `arn:aws:iam::${text}:root`);
  }
  const taken = statement.conditions.some(({ keyLower }) => keyLower === "aws:principalarn");
  if (arns.length === 0 || taken || !statement.denies) return null;
  return statementWithCondition(
    statement,
    { ArnNotEquals: { "aws:PrincipalArn": arns.length === 1 ? arns[0] : arns } },
    { NotPrincipal: undefined, Principal: "*" },
  );
}
