import { z } from "zod";
import type { Severity } from "../../spec/severity.ts";
import { defineCheck } from "../engine/check.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { isAnyAction } from "../policy/wildcard.ts";
import { actionsOf } from "../services/statement-actions.ts";
import { pathsOfWideGrant } from "./sensitive-action/wide-paths.ts";
import { type Breadth, grantsOf } from "./shared/grants/grants.ts";
import { namesForeignAccount } from "./shared/grants/whole-account.ts";
import { principalsAreNamed } from "./shared/named-principals.ts";
import { quote } from "./shared/quote.ts";
import { textOptions } from "./shared/text-options.ts";

const suggestion =
  "List the actions that are called, such as `s3:GetObject`. Where that list would be too " +
  "long, give a service and a verb, such as `s3:Get*`.";

export const wildcardAction = defineCheck({
  check_id: "wildcard_action",
  default_severity: "medium",
  description: "An Allow statement does not grant every action.",
  docstring: `Reports an Allow statement whose \`Action\` holds \`*\`, or another spelling of the same grant such as \`*:*\`.

Such a statement covers every action that its resources know, and every action that AWS adds later. In an identity policy it is \`high\` where the resources are not named, else \`medium\`; in the policy of a resource \`medium\`, and \`high\` where the principals are not named or are a whole account that does not own the resource. A configured severity is used as it is. A condition changes who and when, not what: the finding stays. A Deny of the same policy that takes everything back ends it.

\`NotAction\` is the subject of \`not_action_not_resource\`. Where \`Resource\` is a wildcard too, \`full_wildcard\` says so in place of this check.`,
  risk_explanation:
    "The holder can do anything to the resources, including handing on the access or covering the " +
    "tracks. One leaked credential is then enough to take over everything the statement reaches.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege",
  remediation_steps: [
    "Find out which actions are used: service last accessed data, CloudTrail, or a generated policy",
    "List these actions in place of the wildcard",
    "Where a list would be too long, use a service prefix with a verb, such as s3:Get*",
  ],
  applies_to_policy_types: typesChecked("grants"),
  options: z.strictObject(textOptions()),
  issue_types: {
    overly_permissive: {
      severity: ["high", "medium"],
      when: "An Allow statement grants all actions; high on every resource, and for a resource that anyone may use, else medium.",
    },
  },
  examples: {
    bad: [
      {
        title:
          "A bucket policy for one role that hands over the whole bucket, its policy included.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "LetTheBuildRoleUseTheBucket",
              Effect: "Allow",
              Principal: { AWS: "arn:aws:iam::111122223333:role/build" },
              Action: "*",
              Resource: ["arn:aws:s3:::example-artifacts", "arn:aws:s3:::example-artifacts/*"],
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The same role gets what a build needs: to read and write objects.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "LetTheBuildRoleReadAndWrite",
              Effect: "Allow",
              Principal: { AWS: "arn:aws:iam::111122223333:role/build" },
              Action: ["s3:GetObject", "s3:PutObject"],
              Resource: "arn:aws:s3:::example-artifacts/*",
            },
          ],
        },
      },
    ],
  },

  concerns: (statement, { match }) => statement.allows && !actionsOf(statement, match).areNames,

  *runStatement(statement, context) {
    const entry = statement.actions.find(({ text }) => isAnyAction(text));
    if (!entry) return;
    const breadth = grantsOf(statement, context).breadthOfEntry(entry.text);
    if (breadth === "none") return;
    const { options, configuredSeverity } = context;
    const reach = breadth === "everything" ? "" : " that works on the resources of the statement";
    const message = `The action ${quote(entry.text)} grants every action${reach}, those that AWS adds later included.`;
    yield {
      issue_type: "overly_permissive",
      severity: configuredSeverity ?? severityOf(statement, breadth, context.policy),
      node: entry.node,
      field_name: "action",
      message: options.message ?? message,
      suggestion: options.suggestion ?? suggestion,
      escalation_paths: pathsOfWideGrant(statement, context),
      example: options.example,
    };
  },
});

/** Never below what `service_wildcard` gives for a service that is granted whole on these resources. */
function severityOf(statement: Statement, breadth: Breadth, policy: Policy): Severity {
  if (policy.type === "RESOURCE_POLICY") {
    const isForeign = namesForeignAccount(statement) && namesWhole(statement);
    return isForeign || !principalsAreNamed(statement, policy) ? "high" : "medium";
  }
  return breadth === "everything" ? "high" : "medium";
}

/** Every action includes those that change the policy of a resource, but not of an object. A star does not say whose it is. */
function namesWhole({ resources }: Statement): boolean {
  return (
    resources.every(({ text }) => text !== "*") &&
    resources.some(({ text }) => !/^arn:[^:]*:s3:::[^/]+\//.test(text))
  );
}
