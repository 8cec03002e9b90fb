import { z } from "zod";
import { defineCheck, type Report } from "../engine/check.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { quote } from "./shared/quote.ts";

const boundaryKeys: ReadonlySet<string> = new Set([
  "aws:principalorgid",
  "aws:principalorgpaths",
  "aws:principalaccount",
]);
const serviceKey = "aws:principalisawsservice";

const canonicalCondition = {
  StringNotEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
  BoolIfExists: { "aws:PrincipalIsAWSService": "false" },
};
const canonicalStatement = {
  Sid: "KeepDataInTheOrganization",
  Effect: "Deny",
  Principal: "*",
  Action: ["s3:*", "sqs:*"],
  Resource: "*",
  Condition: canonicalCondition,
};
const example = JSON.stringify(canonicalStatement, null, 2);

export const rcpBestPractices = defineCheck({
  check_id: "rcp_best_practices",
  default_severity: "medium",
  description: "Resource control policies do not lock everyone out and let AWS services work.",
  docstring: `Looks at the denials of resource control policies:

- A denial **without a condition** takes the service away from everyone in the accounts it reaches, their own
  administrators included.
- A denial that draws a **boundary around the organization** (\`StringNotEquals\` or \`StringNotLike\` on
  \`aws:PrincipalOrgID\`, \`aws:PrincipalOrgPaths\` or \`aws:PrincipalAccount\`) also hits calls that AWS services make
  under their own name, such as CloudTrail writing to a bucket: service principals belong to no organization. The
  same condition must therefore spare them with \`BoolIfExists\` \`aws:PrincipalIsAWSService\` \`false\`.
- With plain \`Bool\` in that place, anonymous requests escape the denial: they lack the key, and a condition on
  an absent key does not hold.`,
  risk_explanation:
    "An RCP binds every principal that reaches the resources. One condition too few stops log delivery, backups and replication across the organization; one operator too strict opens the door to anonymous callers.",
  risk_category: "configuration",
  documentation_url:
    "https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html",
  remediation_steps: [
    "Give every denial a condition that says whom it is meant for.",
    "Add `BoolIfExists` `aws:PrincipalIsAWSService` `false` to the condition of an organization boundary.",
    "Try the RCP on a test account before attaching it to an organizational unit.",
  ],
  applies_to_policy_types: typesChecked("rcp"),
  options: z.strictObject({}),
  issue_types: {
    rcp_blanket_deny: { severity: "low", when: "A denial has no condition." },
    rcp_missing_service_carveout: {
      severity: "check",
      when: "A boundary around the organization does not spare AWS services.",
    },
    rcp_carveout_missing_ifexists: {
      severity: "check",
      when: "The exception for AWS services uses Bool, so anonymous requests escape the denial.",
    },
  },
  examples: {
    bad: [
      {
        title: "A boundary that also stops AWS services.",
        policy_type: "RESOURCE_CONTROL_POLICY",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              ...canonicalStatement,
              Condition: { StringNotEqualsIfExists: canonicalCondition.StringNotEqualsIfExists },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The boundary spares AWS services and still covers anonymous requests.",
        policy_type: "RESOURCE_CONTROL_POLICY",
        policy: { Version: "2012-10-17", Statement: [canonicalStatement] },
      },
    ],
  },

  *runPolicy({ policy }) {
    for (const statement of policy.statements) {
      if (statement.effect?.toLowerCase() !== "deny") continue;
      const report = judge(statement);
      if (report) yield { statement, field_name: "condition", example, ...report };
    }
  },
});

function judge(statement: Statement): Report | null {
  const { conditions } = statement;
  if (conditions.length === 0) {
    return hasCondition(statement) ? null : blanketDeny(statement);
  }
  const boundary = conditions.find(drawsBoundary);
  if (!boundary) return null;
  const carveOuts = conditions.filter(sparesServices);
  if (carveOuts.length === 0) return missingCarveOut(boundary, conditions);
  const plain = carveOuts.find(({ operator }) => operator?.ifExists === false);
  return plain ? missingIfExists(plain) : null;
}

/** Something stands there, even if it is not well-formed; policy_structure speaks of that. */
function hasCondition(statement: Statement): boolean {
  if (!statement.has("Condition")) return false;
  const value = statement.raw.Condition;
  return typeof value !== "object" || value === null || Object.keys(value).length > 0;
}

function drawsBoundary({ operatorText, keyLower }: ConditionEntry): boolean {
  return /stringnot(?:equals|like)/i.test(operatorText) && boundaryKeys.has(keyLower);
}

function sparesServices({ operator, keyLower, values }: ConditionEntry): boolean {
  return (
    operator?.base.name === "Bool" &&
    keyLower === serviceKey &&
    values.some(({ text }) => text.toLowerCase() === "false")
  );
}

function blanketDeny(statement: Statement): Report {
  return {
    issue_type: "rcp_blanket_deny",
    severity: "low",
    node: statement.at("Condition"),
    message:
      "The statement denies without a condition, so nobody at all can do this to the resources of the accounts it reaches, their administrators included.",
    suggestion:
      "Add a condition that says whom the denial is meant for, such as principals from outside the organization.",
  };
}

function missingCarveOut(boundary: ConditionEntry, conditions: readonly ConditionEntry[]): Report {
  const mention = conditions.find(({ keyLower }) => keyLower === serviceKey);
  const why = mention
    ? `${quote(mention.operatorText)} on ${quote(mention.key)}, as it stands, does not spare AWS services: it takes \`BoolIfExists\` with the value \`false\``
    : "AWS services that call under their own name belong to no organization, so it denies them too";
  return {
    issue_type: "rcp_missing_service_carveout",
    node: boundary.keyNode,
    message: `The denial draws a boundary with ${quote(boundary.key)}, but ${why}. Log delivery and other calls by AWS services will fail.`,
    suggestion: 'Add `"BoolIfExists": {"aws:PrincipalIsAWSService": "false"}` to the condition.',
    aws_issue_code: "RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY",
  };
}

function missingIfExists(plain: ConditionEntry): Report {
  return {
    issue_type: "rcp_carveout_missing_ifexists",
    node: plain.operatorNode,
    message: `${quote(plain.operatorText)} on ${quote(plain.key)} does not hold for anonymous requests, which lack the key, so the whole denial misses them.`,
    suggestion: `Write \`BoolIfExists\` in place of ${quote(plain.operatorText)}.`,
    aws_issue_code: "RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY",
  };
}
