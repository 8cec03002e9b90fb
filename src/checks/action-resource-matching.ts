import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import { hasWildcard } from "../policy/wildcard.ts";
import type { Action } from "../services/model.ts";
import { ResourcesOfStatement } from "./action-resource-matching/resources-of-statement.ts";
import { adviceFor, neededTypes } from "./action-resource-matching/wording.ts";
import { type CountingAction, countingActions } from "./shared/counting-actions.ts";
import { quote } from "./shared/quote.ts";

const options = z.strictObject({
  allow_template_variables: z
    .boolean()
    .default(true)
    .describe(
      "Accept ${...} in any part of an ARN; settings.allow_template_variables, where set, wins over it.",
    ),
});
type Options = z.output<typeof options>;

export const actionResourceMatching = defineCheck({
  check_id: "action_resource_matching",
  default_severity: "medium",
  description:
    "For each action, at least one resource of the statement is of a type the action works on.",
  docstring: `Holds each action of a statement against its resources, with the ARN formats of the service reference, and
reports actions that none of the resources can be meant for: \`s3:GetObject\` on a bucket, \`s3:ListBucket\` on its
objects, any action of one service on an ARN of another. Actions that work on no particular resource need
\`"Resource": "*"\`.

Format and resource are compared as patterns on both sides: a resource fits when some real ARN could match both.
Left out are actions with wildcards, actions that do not exist, statements with \`*\` among their resources,
\`NotAction\` and \`NotResource\`, and ARNs that \`resource_validation\` refuses. A resource that begins with a template
variable fits everything.`,
  risk_explanation:
    "AWS accepts such a statement, and it does nothing: an Allow grants the action on no resource, a Deny stops nobody.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html",
  remediation_steps: [
    "Look up the resource types of the action in the service authorization reference.",
    "Add an ARN of one of these types to the statement, or move the action to a statement with such ARNs.",
    'Put actions without resource types into a statement with `"Resource": "*"`.',
  ],
  options,
  issue_types: {
    resource_mismatch: {
      severity: "check",
      when: "No resource of the statement is of a type the action works on.",
    },
  },
  examples: {
    bad: [
      {
        title:
          "Objects are read under the bucket's ARN, and buckets are listed on nothing but `*`.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: ["s3:GetObject", "s3:ListAllMyBuckets"],
              Resource: "arn:aws:s3:::reports",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "Each action finds a resource of its type.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: ["s3:GetObject", "s3:ListBucket"],
              Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
            },
            { Effect: "Allow", Action: "s3:ListAllMyBuckets", Resource: "*" },
          ],
        },
      },
    ],
  },

  *runStatement(statement, context: CheckContext<Options>) {
    const { resources } = statement;
    if (resources.length === 0 || resources.some(({ text }) => text === "*")) return;
    const plain = countingActions(statement, context).filter(
      ({ entry }) => !hasWildcard(entry.text),
    );
    if (plain.length === 0) return;
    const variables = context.options.allow_template_variables;
    const fit = new ResourcesOfStatement(resources, variables, context.policy.type);
    if (fit.judgeable === 0 || fit.anything) return;

    const texts = resources.map(({ text }) => text);
    const [first] = resources;
    const about = {
      issue_type: "resource_mismatch",
      field_name: "resource",
      resource: texts.length <= 3 ? texts.join(", ") : `${texts[0]}...`,
      node: first && resources.length === 1 ? first.node : statement.at("Resource"),
    } as const;
    for (const counting of plain) {
      const [action] = counting.actions;
      if (!action || fit.fits(counting.service, action)) continue;
      yield {
        ...about,
        action: counting.entry.text,
        ...mismatch(counting, action, texts, context),
      };
    }
  },
});

function mismatch(
  { entry, service }: CountingAction,
  action: Action,
  resources: readonly string[],
  context: CheckContext<Options>,
): Pick<Report, "message" | "suggestion"> {
  if (action.resourceTypes.length === 0) {
    return {
      message: `${quote(entry.text)} works on no particular resource: AWS supports \`*\` only, so with these resources the statement does nothing for it.`,
      suggestion: `Move ${quote(entry.text)} to a statement with \`"Resource": "*"\`.`,
    };
  }
  return {
    message: `${quote(entry.text)} works on ${neededTypes(action)}, and no resource of the statement is one, in the reference data of ${context.services.date}; the statement does nothing for it.`,
    suggestion: adviceFor(service, action, resources),
  };
}
