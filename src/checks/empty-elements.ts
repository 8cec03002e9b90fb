import { z } from "zod";
import { type CodePlace, defineCheck } from "../engine/check.ts";
import { removeMember } from "../fixes/edits.ts";
import type { FixProposal } from "../fixes/proposal.ts";

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

export const emptyElements = defineCheck({
  check_id: "empty_elements",
  default_severity: "info",
  description: "Empty elements, which have no effect.",
  docstring: `Reports an empty \`Sid\`, \`Condition\` or \`Principal\`, and empty lists that no other check reports as a fault.

An empty \`Condition\` applies the statement to every request; an empty list of values never matches.`,
  risk_explanation: "An empty element looks like a limit that was forgotten.",
  risk_category: "configuration",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html",
  remediation_steps: ["Fill the element or remove it."],
  options: z.strictObject({}),
  issue_types: {
    empty_sid: { severity: "check", when: "A Sid is the empty text." },
    empty_condition: { severity: "check", when: "A Condition has no operators." },
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
