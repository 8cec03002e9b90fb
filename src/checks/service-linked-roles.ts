import { z } from "zod";
import { type CodePlace, defineCheck } from "../engine/check.ts";
import { withCondition } from "../fixes/condition-block.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { splitEdits } from "./shared/fix-split.ts";
import { isTakenBack } from "./shared/left-out-codes.ts";
import { input, partitionOf } from "./shared/placeholders.ts";

/** The creation of roles for one service; other actions keep their statement. */
function forNamedService({ statement, policy }: CodePlace): FixProposal | null {
  const creating = (statement?.actions ?? []).filter(
    ({ text }) => text.toLowerCase() === "iam:createservicelinkedrole",
  );
  if (!statement || creating.length === 0) return null;
  // A second value would exclude the first: which services the pattern means, only its author knows.
  if (statement.conditions.some(({ keyLower }) => keyLower === "iam:awsservicename")) return null;
  const block = { StringEquals: { "iam:AWSServiceName": serviceInput.placeholder } };
  const Condition = withCondition(statement, block);
  if (!Condition) return null;
  const edits = splitEdits(policy, statement, creating, {
    rest: {},
    moved: {
      Resource: `arn:${partitionOf(policy)}:iam::*:role/aws-service-role/${serviceInput.placeholder}/*`,
      NotResource: undefined,
      Condition,
    },
  });
  return (
    edits && {
      title: "Name the service whose role may be created",
      effect: "narrows",
      edits,
      needs_input: [serviceInput],
      argument: "One more test in an Allow allows no further request.",
    }
  );
}

const serviceInput = input("service-principal");

const isDenied = isTakenBack("iam:CreateServiceLinkedRole");
const creation = {
  issue_type: "unrestricted_creation",
  severity: (place: CodePlace) => (isDenied(place) ? "none" : null),
} as const;

export const serviceLinkedRoles = defineCheck({
  check_id: "service_linked_roles",
  default_severity: "low",
  description: "Creating service-linked roles of every service.",
  docstring: `Reports an Allow of \`iam:CreateServiceLinkedRole\` that no resource and no condition on \`iam:AWSServiceName\` limits to named services. What a Deny of the same policy takes back is not reported.

AWS defines what such a role may do, so the risk is small: a service gets rights in the account that its owner may not expect.`,
  risk_explanation: "Any service can be given its predefined rights in the account.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html",
  remediation_steps: ["Test iam:AWSServiceName, or name the role below role/aws-service-role/."],
  applies_to_policy_types: typesChecked("grants"),
  options: z.strictObject({}),
  issue_types: {
    unrestricted_creation: {
      severity: "check",
      when: "The right to create service-linked roles is not limited to named services.",
    },
  },
  // The engine reports what AWS's own policy check finds; see src/access-analyzer/rules.
  aws_codes: {
    CREATE_SLR_WITH_STAR_IN_RESOURCE: { ...creation, fix: forNamedService },
    CREATE_SLR_WITH_STAR_IN_ACTION_AND_RESOURCE: creation,
    CREATE_SLR_WITH_STAR_IN_RESOURCE_AND_NOT_ACTION: creation,
    CREATE_SLR_WITH_NOT_RESOURCE: creation,
    CREATE_SLR_WITH_STAR_IN_ACTION_AND_NOT_RESOURCE: creation,
    CREATE_SLR_WITH_NOT_ACTION_AND_NOT_RESOURCE: creation,
  },
  examples: {
    bad: [
      {
        title: "Every service.",
        policy: {
          Version: "2012-10-17",
          Statement: [{ Effect: "Allow", Action: "iam:CreateServiceLinkedRole", Resource: "*" }],
        },
      },
    ],
    good: [
      {
        title: "One service.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "iam:CreateServiceLinkedRole",
              Resource: "*",
              Condition: { StringEquals: { "iam:AWSServiceName": "rds.amazonaws.com" } },
            },
          ],
        },
      },
    ],
  },
});
