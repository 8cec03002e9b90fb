import { z } from "zod";
import { defineCheck, type Report } from "../engine/check.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { isReversedCarveOut, stopsOnlyServices } from "./condition-effect/service-carve-out.ts";
import { statementWithCondition } from "./shared/corrected.ts";
import { fixedBy } from "./shared/fixed-by.ts";
import { quote } from "./shared/quote.ts";
import { switchValue } from "./shared/switch-value.ts";

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

export const rcpBestPractices = defineCheck({
  check_id: "rcp_best_practices",
  default_severity: "high",
  description: "Resource control policies do not lock everyone out and let AWS services work.",
  docstring: `Reports on the Deny statements of resource control policies:

- A Deny **without a condition** takes the action away from everyone in the accounts it reaches, including their own
  administrators. Severity \`high\` where an action is a whole service such as \`s3:*\`, else \`low\`.
- A Deny for callers **outside the organization** (\`StringNotEquals\` or \`StringNotLike\` on
  \`aws:PrincipalOrgID\`, \`aws:PrincipalOrgPaths\` or \`aws:PrincipalAccount\`) also denies calls that AWS services make
  with their own principal, such as CloudTrail writing to a bucket: service principals belong to no organization. The
  same condition must exempt them with \`BoolIfExists\` \`aws:PrincipalIsAWSService\` \`false\`. The same holds for a Deny of
  requests from outside some networks (\`aws:SourceIp\`, \`aws:SourceVpc\`, \`aws:SourceVpce\`).
- With plain \`Bool\` in that place, the Deny does not apply to anonymous requests: they lack the key, and \`Bool\` does
  not match an absent key.`,
  risk_explanation:
    "An RCP applies to every principal that reaches the resources. A missing exemption stops log delivery, backups and replication across the organization; Bool in place of BoolIfExists leaves the resources open to anonymous callers.",
  risk_category: "configuration",
  documentation_url:
    "https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html",
  remediation_steps: [
    "Give every Deny a condition that says whom it is meant for.",
    "Add `BoolIfExists` `aws:PrincipalIsAWSService` `false` to the condition of a Deny for callers outside the organization.",
    "Try the RCP on a test account before attaching it to an organizational unit.",
  ],
  applies_to_policy_types: typesChecked("rcp"),
  options: z.strictObject({}),
  issue_types: {
    rcp_blanket_deny: {
      severity: ["high", "low"],
      when: "A Deny has no condition: high where an action is a whole service.",
    },
    rcp_missing_service_carveout: {
      severity: "check",
      when: "A Deny for callers outside the organization, or outside some networks, does not exempt AWS services.",
    },
    rcp_carveout_missing_ifexists: {
      severity: "check",
      when: "The exemption of AWS services uses Bool, so the Deny does not apply to anonymous requests.",
    },
  },
  examples: {
    bad: [
      {
        title: "A Deny for outsiders that also denies AWS services.",
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
        title: "The Deny exempts AWS services and still applies to anonymous requests.",
        policy_type: "RESOURCE_CONTROL_POLICY",
        policy: { Version: "2012-10-17", Statement: [canonicalStatement] },
      },
    ],
  },

  *runPolicy({ policy }) {
    for (const statement of policy.statements) {
      if (statement.effect?.toLowerCase() !== "deny") continue;
      const report = reportOn(statement);
      if (report) yield { statement, field_name: "condition", ...report };
    }
  },
});

function reportOn(statement: Statement): Report | null {
  const { conditions } = statement;
  if (conditions.length === 0) {
    return hasCondition(statement) ? null : blanketDeny(statement);
  }
  const boundary = conditions.find(drawsBoundary) ?? networkBoundary(statement);
  if (!boundary || conditions.some(asksForTags) || isOfSignIn(statement)) return null;
  const carveOuts = conditions.filter(sparesServices);
  if (carveOuts.length === 0) {
    return conditions.some(asksForServiceName) ? null : missingCarveOut(boundary, statement);
  }
  const plain = carveOuts.find(({ operator }) => operator?.ifExists === false);
  return plain ? missingIfExists(plain, statement) : null;
}

/**
 * Only people sign in, so no call of a service is denied.
 * https://docs.aws.amazon.com/signin/latest/userguide/console-access-control.html
 */
function isOfSignIn({ actions }: Statement): boolean {
  return actions.length > 0 && actions.every(({ text }) => /^signin:/i.test(text));
}

/** A condition of the wrong form is a condition too; policy_structure reports the form. */
function hasCondition(statement: Statement): boolean {
  if (!statement.has("Condition")) return false;
  const value = statement.raw.Condition;
  return typeof value !== "object" || value === null || Object.keys(value).length > 0;
}

function drawsBoundary({ operatorText, keyLower }: ConditionEntry): boolean {
  return /stringnot(?:equals|like)/i.test(operatorText) && boundaryKeys.has(keyLower);
}

const networkKeys =
  /^aws:(?:sourceip|sourcevpce?|sourcevpcarn|vpcsourceip|vpce(?:account|orgid|orgpaths))$/;

/** A test by which the Deny is for users and roles alone. */
function asksForCaller({ operator, keyLower, values }: ConditionEntry): boolean {
  if (!operator || operator.ifExists || operator.base.negated) return false;
  if (!/^aws:(?:principal(?!isawsservice|service)|username|userid)/.test(keyLower)) return false;
  if (operator.base.name === "Null") {
    // Every request has `aws:PrincipalAccount`.
    return keyLower !== "aws:principalaccount" && switchValue(values) === false;
  }
  return operator.setPrefix !== "ForAllValues";
}

/** The first test for requests from outside some networks; services call from none of them. */
function networkBoundary({ conditions }: Statement): ConditionEntry | undefined {
  if (conditions.some(asksForCaller)) return undefined;
  return conditions.find(
    ({ operator, keyLower }) => operator?.base.negated === true && networkKeys.test(keyLower),
  );
}

function sparesServices({ operator, keyLower, values }: ConditionEntry): boolean {
  return operator?.base.name === "Bool" && keyLower === serviceKey && switchValue(values) === false;
}

/**
 * A test of tags that the caller sends: the Deny keeps certain tags to the organization. AWS's example:
 * https://github.com/aws-samples/data-perimeter-policy-examples, data_perimeter_governance_rcp.json
 */
function asksForTags({ operator, keyLower }: ConditionEntry): boolean {
  if (!operator || operator.base.negated || operator.ifExists || operator.base.name === "Null") {
    return false;
  }
  return keyLower === "aws:tagkeys"
    ? operator.setPrefix === "ForAnyValue"
    : keyLower.startsWith("aws:requesttag/") && operator.setPrefix !== "ForAllValues";
}

/** `Null` `true` on the service's name: only calls that no service makes match the Deny. */
function asksForServiceName({ operator, keyLower, values }: ConditionEntry): boolean {
  return (
    operator?.base.name === "Null" &&
    keyLower === "aws:principalservicename" &&
    switchValue(values) === true
  );
}

function blanketDeny(statement: Statement): Report {
  const service = statement.actions.find(({ text }) => /^[^:*?]+:\*+$/.test(text));
  const what = service
    ? `No principal can use ${quote(service.text)} on the resources of the accounts that the RCP reaches`
    : "No principal can do this to the resources of the accounts that the RCP reaches";
  return {
    issue_type: "rcp_blanket_deny",
    severity: service ? "high" : "low",
    node: statement.at("Condition"),
    message: `The statement denies without a condition. ${what}, not even their administrators.`,
    suggestion:
      "Add a condition that says whom the Deny is meant for, such as principals from outside the organization.",
  };
}

const sparing = { BoolIfExists: { "aws:PrincipalIsAWSService": "false" } };

function missingCarveOut(boundary: ConditionEntry, statement: Statement): Report {
  const mentions = statement.conditions.filter(({ keyLower }) => keyLower === serviceKey);
  const [mention] = mentions;
  const reversed = mentions.find((one) => isReversedCarveOut(one, statement));
  const why = mention
    ? `${quote(mention.operatorText)} on ${quote(mention.key)} does not exempt AWS services here: that takes \`BoolIfExists\` with the value \`false\``
    : `AWS services that call with their own principal ${networkKeys.test(boundary.keyLower) ? "call from none of these networks" : "belong to no organization"}, so it denies them too`;
  const ofNetwork = networkKeys.test(boundary.keyLower);
  return {
    issue_type: "rcp_missing_service_carveout",
    node: boundary.keyNode,
    message: reversed
      ? stopsOnlyServices(reversed, "RESOURCE_CONTROL_POLICY")
      : `The Deny applies to ${ofNetwork ? "requests" : "callers"} outside ${quote(boundary.key)}, but ${why}. Calls that they make for themselves fail.`,
    suggestion: `${mention ? `Write in place of ${quote(mention.operatorText)}` : "Add"} \`"BoolIfExists": {"aws:PrincipalIsAWSService": "false"}\`${mention ? "" : " to the condition"}.`,
    aws_issue_code: "RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY",
    ...fixedBy(() => statementWithCondition(statement, sparing, {}, mentions), {
      title: "Exempt AWS services from the Deny",
      effect: "changes",
    }),
  };
}

function missingIfExists(plain: ConditionEntry, statement: Statement): Report {
  return {
    issue_type: "rcp_carveout_missing_ifexists",
    node: plain.operatorNode,
    message: `${quote(plain.operatorText)} on ${quote(plain.key)} does not match anonymous requests, which lack the key, so the Deny does not apply to them.`,
    suggestion: `Write \`BoolIfExists\` in place of ${quote(plain.operatorText)}.`,
    aws_issue_code: "RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY",
    ...fixedBy(() => statementWithCondition(statement, sparing, {}, [plain]), {
      title: "Use BoolIfExists, so that the Deny also stops anonymous requests",
      effect: "narrows",
      argument: "With IfExists the Deny holds for every request that it held for before.",
    }),
  };
}
