import { z } from "zod";
import { defineCheck } from "../engine/check.ts";
import { isRecord } from "../record.ts";
import {
  documentReports,
  duplicateReports,
  notAnObject,
  unreadableText,
} from "./policy-structure/document-reports.ts";
import { statementReports } from "./policy-structure/statement-reports.ts";

export const policyStructure = defineCheck({
  check_id: "policy_structure",
  default_severity: "error",
  description:
    "The document has the elements IAM requires, no others, no contradictory pairs, and values of the right kind.",
  docstring: `Reads the document as submitted, before anything else reads it, and reports what keeps it from
being a policy:

- text that is neither JSON nor YAML, a document that is not an object, members that appear twice;
- members IAM does not know, such as \`Actions\` or \`effect\` (names count with their letter case);
- a missing, unknown or outdated \`Version\`, a missing or empty \`Statement\`;
- in each statement: a missing or unknown \`Effect\`, no \`Action\`, no \`Resource\` where the type of the policy
  needs one, a \`Resource\` where it must not have one (trust policies), and pairs that exclude each other
  (\`Action\` with \`NotAction\`, \`Resource\` with \`NotResource\`, \`Principal\` with \`NotPrincipal\`);
- elements of the wrong JSON type and empty lists.

An element of the wrong type is reported here once; the other checks pass over it. \`Statement\` may be a
single object in place of a list. Severities are fixed: a configured one has no effect.`,
  risk_explanation:
    "AWS refuses a malformed document, or ignores the part it does not know. Either way AWS enforces another policy than the one that was written.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html",
  remediation_steps: [
    "Compare the document with the grammar of the policy language.",
    "Correct the spelling and letter case of element names, and remove members that IAM does not know.",
    "Give every statement an `Effect` of `Allow` or `Deny`, an action element and, where the type of the policy calls for it, a resource element.",
  ],
  options: z.strictObject({}),
  issue_types: {
    invalid_syntax: {
      severity: "error",
      when: "The text is neither JSON nor YAML, or nests deeper than 100 levels.",
    },
    policy_not_read: {
      severity: "warning",
      when: "A template has a policy in a place where it does not show its text, so it was not validated.",
    },
    invalid_document_type: { severity: "error", when: "The policy is not an object." },
    duplicate_element: {
      severity: "error",
      when: "An object in the text has the same member twice; the last one counts.",
    },
    unknown_policy_field: {
      severity: "error",
      when: "The document has members other than Version, Id and Statement.",
    },
    missing_version: {
      severity: ["error", "warning"],
      when: "There is no Version: an error for SCPs and RCPs, a warning for others.",
    },
    invalid_version: {
      severity: "error",
      when: "Version is not a version of the policy language.",
    },
    outdated_version: { severity: "warning", when: "Version is 2008-10-17." },
    missing_statement: { severity: "error", when: "There is no Statement." },
    invalid_statement_type: {
      severity: "error",
      when: "Statement, or an entry of it, is not of the right JSON type.",
    },
    empty_statement: { severity: "error", when: "Statement is an empty list." },
    unknown_field: { severity: "error", when: "A statement has members that IAM does not know." },
    missing_effect: { severity: "error", when: "A statement has no Effect." },
    invalid_effect: { severity: "error", when: "Effect is neither Allow nor Deny." },
    invalid_sid_type: { severity: "error", when: "Sid is not a string." },
    principal_conflict: {
      severity: "error",
      when: "A statement has both Principal and NotPrincipal.",
    },
    action_conflict: { severity: "error", when: "A statement has both Action and NotAction." },
    missing_action: { severity: "error", when: "A statement has neither Action nor NotAction." },
    unexpected_resource: {
      severity: "error",
      when: "A statement of a trust policy has Resource or NotResource.",
    },
    resource_conflict: {
      severity: "error",
      when: "A statement has both Resource and NotResource.",
    },
    missing_resource: {
      severity: ["error", "info"],
      when: "A statement has neither Resource nor NotResource: an error for identity policies and SCPs, information for resource policies.",
    },
    invalid_element_type: { severity: "error", when: "An element has the wrong JSON type." },
    empty_element: {
      severity: "error",
      when: "A list of actions, resources, principals or condition values is empty.",
    },
  },
  examples: {
    bad: [
      {
        title: "The element is `Action`, and `Effect` begins with a capital letter.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            { Effect: "allow", Actions: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" },
          ],
        },
      },
      {
        title: "A role trust policy has no `Resource`: the role it belongs to is the resource.",
        policy_type: "TRUST_POLICY",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: { Service: "lambda.amazonaws.com" },
              Action: "sts:AssumeRole",
              Resource: "*",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "Every element is in its place.",
        policy: {
          Version: "2012-10-17",
          Id: "reports",
          Statement: [
            {
              Sid: "ReadReports",
              Effect: "Allow",
              Action: ["s3:GetObject", "s3:ListBucket"],
              Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
            },
          ],
        },
      },
    ],
  },

  *runPolicy(context) {
    const { policy } = context;
    const { faults, raw } = policy.document;
    const unreadable = faults.find((fault) => fault.kind !== "duplicate");
    if (unreadable) {
      yield unreadableText(unreadable, policy.document.text);
      return;
    }
    if (!isRecord(raw)) {
      yield notAnObject(raw, policy.node);
      return;
    }
    if (faults.length > 0) yield* duplicateReports(policy);
    yield* documentReports(raw, policy);
    for (const statement of policy.statements) {
      yield* statementReports(statement, context);
      yield null;
    }
  },
});
