import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import { keyNode } from "../json/node.ts";
import { type Operator, parseOperator } from "../policy/condition-operator.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import { isRecord } from "../record.ts";
import { type KeyTypes, typesOfKey } from "./condition-type-mismatch/key-types.ts";
import { mismatch } from "./condition-type-mismatch/mismatch.ts";
import { hasRegions, unknownRegions } from "./condition-type-mismatch/requested-region.ts";
import { nullIfExists, unknownOperator } from "./condition-type-mismatch/unknown-operator.ts";
import { nullReports, valueReports } from "./condition-type-mismatch/value-reports.ts";
import {
  comparesWildcards,
  wildcardWithoutLike,
} from "./condition-type-mismatch/wildcard-without-like.ts";

export const conditionTypeMismatch = defineCheck({
  check_id: "condition_type_mismatch",
  default_severity: "error",
  description:
    "Condition operators exist, suit the type of the key, and compare with values of that type.",
  docstring: `Reads each operator of a condition together with its keys and values.

- **Operators.** A name AWS does not know, such as \`StringEqual\`, an unknown set prefix, and \`NullIfExists\` are
  reported. Letter case does not count.
- **Types.** Each key has a type: that of the global keys, or the one in the service reference of the actions in
  the statement. An operator of another type never matches (\`StringEquals\` on a Bool key). \`StringLike\` on an
  ARN key works, but a wildcard then runs across the parts of an ARN: a warning. \`StringEquals\` on an ARN key and
  ARN operators on free text such as tags are in order.
- **Wildcards.** \`StringEquals\` and its relatives compare \`*\` and \`?\` as plain text.
- **Regions.** A value of \`aws:RequestedRegion\` names a Region that exists, or a pattern that matches one.
- **Values.** A value must have the form of the key's type: dates, numbers, addresses and CIDR blocks, ARNs,
  \`true\` or \`false\`. Where the type of the key is unknown, the operator's own type decides. Policy variables are
  for \`policy_variables\`.

Of keys with an unknown type nothing more is checked; \`condition_key_validation\` says which keys are unknown.`,
  risk_explanation:
    "A condition of the wrong type does not hold. An Allow then grants nothing, and a Deny that was meant to protect lets everything through.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html",
  remediation_steps: [
    "Look up the type of the condition key in the service authorization reference.",
    "Use an operator of that type.",
    "Write the value in the form of that type.",
  ],
  options: z.strictObject({}),
  issue_types: {
    invalid_operator: {
      severity: "check",
      when: "The operator does not exist, or is Null with IfExists.",
    },
    type_mismatch_usable: {
      severity: "warning",
      when: "StringLike or StringNotLike on an ARN key, or Bool with true or false on a text key.",
    },
    wildcard_without_like: {
      severity: ["error", "high"],
      when: "StringEquals or a relative compares * or ? as plain text: error in a Deny or a trust policy, else high.",
    },
    invalid_region: {
      severity: ["error", "warning"],
      when: "A value of aws:RequestedRegion is not a Region: error within two edits of one, else a warning.",
    },
    type_mismatch: { severity: "check", when: "The operator's type is not that of the key." },
    invalid_value_format: {
      severity: ["error", "warning"],
      when: "A value does not have the form of the key's type (follows the check); a value of Null is not a boolean (warning).",
    },
    invalid_ip_cidr_format: {
      severity: "check",
      when: "An IP operator on another or unknown key has a value that is not an address.",
    },
    invalid_arn_format_for_operator: {
      severity: "check",
      when: "An ARN operator on another or unknown key has a value that is not an ARN.",
    },
    invalid_bool_value_for_operator: {
      severity: "check",
      when: "Bool on another or unknown key has a value that is not a boolean.",
    },
  },
  examples: {
    bad: [
      {
        title: "There is no `StringEqual`, and a Bool key takes the Bool operator.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: {
                StringEqual: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
                StringEquals: { "aws:SecureTransport": "true" },
              },
            },
          ],
        },
      },
      {
        title: "Three numbers are not an address.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Deny",
              Action: "s3:*",
              Resource: "*",
              Condition: { NotIpAddress: { "aws:SourceIp": "203.0.113" } },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "Operator, key and value agree.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: {
                StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
                Bool: { "aws:SecureTransport": "true" },
                IpAddress: { "aws:SourceIp": ["203.0.113.0/24", "2001:db8::/32"] },
                DateLessThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" },
              },
            },
          ],
        },
      },
    ],
  },

  element: "Condition",
  *runStatement(statement, context) {
    const { conditions } = statement;
    let at = 0;
    for (const operatorText of operatorsOf(statement)) {
      const operator = parseOperator(operatorText);
      if (!operator || isNullIfExists(operator)) {
        const operatorNode = keyNode(statement.at("Condition"), operatorText);
        yield operator
          ? nullIfExists({ operatorText, operatorNode }, statement)
          : unknownOperator({ operatorText, operatorNode }, statement, context);
        while (conditions[at]?.operatorText === operatorText) at++;
        continue;
      }
      for (
        let entry = conditions[at];
        entry?.operatorText === operatorText;
        entry = conditions[++at]
      ) {
        for (const report of reportsOf(entry, operator, statement, context)) {
          yield { field_name: "condition", condition_key: entry.key, ...report };
        }
      }
    }
  },
});

/** Operators of the condition in document order, as its entries are; also those without a key. */
function operatorsOf(statement: Statement): string[] {
  const condition = statement.has("Condition") ? statement.raw.Condition : undefined;
  if (!isRecord(condition)) return [];
  return Object.keys(condition).filter((operatorText) => isRecord(condition[operatorText]));
}

function isOfType({ base }: Operator, { types }: KeyTypes): boolean {
  return base.type !== null && types.includes(base.type);
}

function takesAnyText({ base }: Operator, types: KeyTypes | null): boolean {
  return base.type === "String" && types?.types.includes("String") === true;
}

function isNullIfExists({ base, ifExists }: Operator): boolean {
  return base.type === null && ifExists;
}

const none: readonly Report[] = [];

function reportsOf(
  entry: ConditionEntry,
  operator: Operator,
  statement: Statement,
  context: CheckContext,
): Iterable<Report> {
  if (operator.base.type === null) return nullReports(entry, statement, context);
  const types = typesOfKey(entry, statement, context);
  if (types === "unconfirmed") return none;
  // Most keys are texts and compared as texts, which ends here: an iterator costs more than this look.
  return takesAnyText(operator, types) && !comparesWildcards(entry, operator) && !hasRegions(entry)
    ? none
    : reportsOfType(entry, operator, types, statement, context);
}

function* reportsOfType(
  entry: ConditionEntry,
  operator: Operator,
  types: KeyTypes | null,
  statement: Statement,
  context: CheckContext,
): Iterable<Report> {
  if (types && !isOfType(operator, types)) yield* mismatch(entry, operator, types, statement);
  if (comparesWildcards(entry, operator)) {
    const report = wildcardWithoutLike(entry, operator, types, statement, context);
    if (report) yield report;
  } else {
    if (!takesAnyText(operator, types)) {
      yield* valueReports(entry, operator, types, statement, context);
    }
  }
  if (hasRegions(entry)) yield* unknownRegions(entry, operator);
}
