import { z } from "zod";
import { type CodePlace, defineCheck } from "../engine/check.ts";
import { removeMember } from "../fixes/edits.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import { childNode } from "../json/node.ts";
import type { Statement } from "../policy/model.ts";
import { isRecord } from "../record.ts";
import { quote } from "./shared/quote.ts";

function withoutSid({ statement }: CodePlace): FixProposal | null {
  return (
    statement && {
      title: "Remove the empty Sid",
      effect: "repairs",
      edits: [removeMember(statement.at("Sid"))],
    }
  );
}

function withoutCondition({ statement }: CodePlace): FixProposal | null {
  return (
    statement && {
      title: "Remove the empty Condition",
      effect: "equivalent",
      edits: [removeMember(statement.at("Condition"))],
      argument: "A condition without operators holds for every request.",
    }
  );
}

/** The operators of a condition that test no key. */
function emptyOperators({ raw }: Statement): string[] {
  const condition = isRecord(raw.Condition) ? raw.Condition : {};
  return Object.entries(condition).flatMap(([operator, keys]) =>
    isRecord(keys) && Object.keys(keys).length === 0 ? [operator] : [],
  );
}

/** Removes the operators, and a condition that would be left empty. */
function withoutOperators(statement: Statement, operators: readonly string[]): FixProposal {
  const condition = statement.at("Condition");
  const isAll = isRecord(statement.raw.Condition)
    ? Object.keys(statement.raw.Condition).length === operators.length
    : false;
  return {
    title: isAll ? "Remove the empty Condition" : "Remove the empty operator",
    effect: "equivalent",
    edits: isAll
      ? [removeMember(condition)]
      : operators.map((operator) => removeMember(childNode(condition, operator))),
    argument: "An operator without keys holds for every request.",
  };
}

export const emptyElements = defineCheck({
  check_id: "empty_elements",
  default_severity: "info",
  description: "Empty elements, which have no effect.",
  docstring: `Reports an empty \`Sid\`, \`Condition\` or \`Principal\`, condition operators without keys, and empty lists that no other check reports as a fault.

An empty \`Condition\`, or an operator without keys, applies the statement to every request; an empty list of values never matches.`,
  risk_explanation: "An empty element looks like a limit that was forgotten.",
  risk_category: "configuration",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html",
  remediation_steps: ["Fill the element or remove it."],
  options: z.strictObject({}),
  issue_types: {
    empty_sid: { severity: "check", when: "A Sid is the empty text." },
    empty_condition: { severity: "check", when: "A Condition has no operators." },
    empty_operator: { severity: "check", when: "A condition operator has no keys." },
    empty_principal: { severity: "check", when: "A Principal has no members." },
    empty_list: { severity: "check", when: "A list has no entries." },
  },
  // The engine reports what AWS's own policy check finds; see src/access-analyzer/rules.
  aws_codes: {
    EMPTY_SID_VALUE: { issue_type: "empty_sid", fix: withoutSid },
    EMPTY_OBJECT_CONDITION: { issue_type: "empty_condition", fix: withoutCondition },
    EMPTY_OBJECT_PRINCIPAL: { issue_type: "empty_principal" },
    EMPTY_ARRAY_ACTION: { issue_type: "empty_list" },
    EMPTY_ARRAY_RESOURCE: { issue_type: "empty_list" },
    EMPTY_ARRAY_PRINCIPAL: { issue_type: "empty_list" },
    EMPTY_ARRAY_CONDITION: { issue_type: "empty_list" },
    EMPTY_ARRAY_CONDITION_FORALLVALUES: { issue_type: "empty_list" },
    EMPTY_ARRAY_CONDITION_FORANYVALUE: { issue_type: "empty_list" },
    EMPTY_ARRAY_CONDITION_IFEXISTS: { issue_type: "empty_list" },
  },

  element: "Condition",
  concerns: (statement) => emptyOperators(statement).length > 0,
  *runStatement(statement) {
    const operators = emptyOperators(statement);
    for (const operator of operators) {
      yield {
        issue_type: "empty_operator",
        node: childNode(statement.at("Condition"), operator),
        field_name: "condition",
        message: `${quote(operator)} has no keys, so it restricts nothing.`,
        suggestion: "Add the key and the values that are meant, or remove the operator.",
        fix: () => withoutOperators(statement, operators),
      };
    }
  },

  examples: {
    bad: [
      {
        title: "An empty statement id.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "",
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
            },
          ],
        },
      },
      {
        title: "An operator whose keys are missing restricts nothing.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: { StringEquals: {} },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The optional elements are left out.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" },
          ],
        },
      },
    ],
  },
});
