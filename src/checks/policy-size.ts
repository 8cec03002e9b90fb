import { defineCheck, type Report } from "../engine/check.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import { withoutWhiteSpace } from "../json/compact.ts";
import type { Policy } from "../policy/model.ts";
import {
  limitFor,
  lookAlikeOf,
  type Measured,
  options,
  writtenBytes,
} from "./policy-size/measure.ts";
import { thousands } from "./shared/quote.ts";
import { sizeLimits } from "./shared/size-limits.ts";

export const policySize = defineCheck({
  check_id: "policy_size",
  default_severity: "error",
  description: "The policy fits the size quota of the place it goes to.",
  docstring: `Measures the document in UTF-8 bytes and compares it with the AWS quota for its type:

| Policy | Bytes |
| --- | --- |
| identity policy, as a managed policy | 6,144 |
| role trust policy | 2,048 (up to 8,192 on request) |
| service control policy | 10,240 |
| resource control policy | 5,120 |
| permissions boundary | 6,144 |
| session policy | 2,048 |
| VPC endpoint policy | 20,480 |
| resource policy | by service: S3, Lambda and DynamoDB 20,480, SNS 30,720, KMS 32,768, ECR 10,240 |

IAM does not count white space between the parts of the JSON, so the compact form is measured. Organizations
counts it: an SCP or RCP submitted as text is measured as written, one submitted as an object in compact form.
A resource policy is measured only when all its actions belong to one service whose quota is known.
A policy that a template writes into a user, group or role is measured against the quota of its inline policies
(2,048, 5,120 and 10,240 bytes). Values that a template does not give count as short as they can be.

\`policy_type\` measures against another quota, for instance \`inline_role\`; \`size_limits\` replaces the table, for
accounts with raised quotas. Where the type was guessed and the policy looks like an SCP or RCP that would be
too large, a warning says so.`,
  risk_explanation:
    "AWS refuses a policy above its quota, often late: in the deployment that needed one statement more.",
  risk_category: "validation",
  documentation_url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html",
  remediation_steps: [
    "Merge statements that differ in their actions or resources only.",
    "Replace long lists by patterns where they cover nothing more than is meant.",
    "Split the policy in two where the place takes several.",
  ],
  options,
  *optionWarnings({ policy_type, organizations_measurement, size_limits }) {
    const known = Object.keys(size_limits ?? sizeLimits);
    if (policy_type !== null && !known.includes(policy_type)) {
      yield {
        option: "policy_type",
        message: `is not a limit and is ignored; use one of ${known.join(", ")}`,
      };
    }
    if (!["as_written", "compact"].includes(organizations_measurement)) {
      yield {
        option: "organizations_measurement",
        message: "is neither as_written nor compact; as_written holds",
      };
    }
  },
  issue_types: {
    policy_size_exceeded: { severity: "check", when: "The policy is larger than its quota." },
    policy_size_type_ambiguous: {
      severity: "warning",
      when: "The policy fits the type that was guessed for it, but not the SCP or RCP it looks like.",
    },
  },
  examples: {
    bad: [
      {
        title: "A list of resources that outgrows a managed policy.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: Array.from(
                { length: 180 },
                (_, index) => `arn:aws:s3:::customer-${index + 1}-reports/*`,
              ),
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "One pattern in place of the list.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::customer-*-reports/*",
            },
          ],
        },
      },
    ],
  },

  *runPolicy(context) {
    const limit = limitFor(context);
    const lookAlike = lookAlikeOf(context);
    if (limit && limit.size > limit.bytes) {
      yield exceeded(limit, lookAlike, context.policy);
    } else if (lookAlike && lookAlike.size > lookAlike.bytes) {
      yield ambiguous(lookAlike, context.policy);
    }
  },
});

function exceeded(limit: Measured, lookAlike: Measured | null, policy: Policy): Report {
  const over = limit.size - limit.bytes;
  const { compactBytes } = policy.document;
  const hints = [`Remove at least ${bytes(over)} (${percent(over, limit.bytes)} over the limit).`];
  if (limit.asWritten && compactBytes < limit.size) {
    hints.push(
      compactBytes <= limit.bytes
        ? `Without its white space it has ${bytes(compactBytes)}, which would fit.`
        : `Without its white space it still has ${bytes(compactBytes)}.`,
    );
  }
  if (lookAlike && lookAlike.size <= lookAlike.bytes) {
    hints.push(
      `The type was guessed: if it is ${lookAlike.label}, declare it as one; it would fit the ${bytes(lookAlike.bytes)} of those.`,
    );
  }
  const measure = limit.asWritten ? ", white space included" : " without white space";
  return {
    issue_type: "policy_size_exceeded",
    message: `The policy has ${bytes(limit.size)}${measure}; ${limit.label} may have ${bytes(limit.bytes)}.${limit.note}`,
    suggestion: hints.join(" "),
    aws_issue_code: limit.code,
    fix: () => compacted(limit, policy),
  };
}

/** Only where it is enough alone: what else to take out is for the author to choose. */
function compacted(limit: Measured, { document }: Policy): FixProposal | null {
  const { text, compactBytes } = document;
  if (!limit.asWritten || text === null || compactBytes > limit.bytes) return null;
  if (writtenBytes(withoutWhiteSpace(text)) > limit.bytes) return null;
  return {
    title: "Remove the white space between the parts of the JSON",
    effect: "equivalent",
    edits: [],
    compacts: true,
    argument: "No value changes.",
  };
}

function ambiguous(lookAlike: Measured, policy: Policy): Report {
  const type = policy.type === "IDENTITY_POLICY" ? "identity policy" : "resource policy";
  const word = policy.type === "IDENTITY_POLICY" ? "scp" : "rcp";
  return {
    issue_type: "policy_size_type_ambiguous",
    severity: "warning",
    message: `The policy fits as the ${type} it was taken for. If it is meant as ${lookAlike.label}, it is too large: ${bytes(lookAlike.size)}, where ${bytes(lookAlike.bytes)} are allowed.`,
    suggestion: `Declare the type of the policy: \`${word}\` if it goes to Organizations.`,
    risk_explanation:
      "The content of a policy does not tell whether it goes to Organizations, whose quota is another one. Measured against the wrong quota, a policy passes here and is refused there.",
    remediation_steps: [
      `Submit the policy with its type declared (\`${word}\`, or the type it has).`,
      "Or set `policy_size.policy_type` to the quota that counts.",
    ],
  };
}

function bytes(count: number): string {
  return count === 1 ? "1 byte" : `${thousands(count)} bytes`;
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}%`;
}
