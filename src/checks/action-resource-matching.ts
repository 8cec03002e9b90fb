import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Entry, Statement } from "../policy/model.ts";
import { globMatches } from "../policy/wildcard.ts";
import {
  foreignResources,
  isForeign,
  namesAliases,
} from "./action-resource-matching/attached-resource.ts";
import { domainsWithoutPaths } from "./action-resource-matching/domain-paths.ts";
import { exemptsTooLittle } from "./action-resource-matching/exempted.ts";
import { repairs } from "./action-resource-matching/fixes.ts";
import { foldersWithoutObjects } from "./action-resource-matching/folders.ts";
import { otherThanLinkedRoles } from "./action-resource-matching/linked-roles.ts";
import { misspeltTypes } from "./action-resource-matching/misspelt-types.ts";
import { mismatch, neverApplies } from "./action-resource-matching/reports.ts";
import { missingTypes } from "./action-resource-matching/several-types.ts";
import { unboundActions, unboundAmongOthers } from "./action-resource-matching/unbound-actions.ts";
import {
  bucketsWithoutObjects,
  patternsOnForeignArns,
} from "./action-resource-matching/whole-service.ts";
import { type CountingAction, countingActions, namedActions } from "./shared/counting-actions.ts";
import { isOfLaunchTypes } from "./shared/launch-keys.ts";
import { ResourcesOfStatement, resourcesOf } from "./shared/resources-of-statement.ts";

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
objects, any action of one service on an ARN of another. Actions for which the reference lists no resource type need
\`"Resource": "*"\`, a few list actions aside, which AWS compares with an ARN of their service. Where no action of an
Allow can work with any of its resources, that is one finding, \`statement_never_applies\`.

Some calls need resources of several types at once, such as \`ec2:RunInstances\`: an identity policy that allows them
for some of these types only is reported, also where \`*\` is limited by a key that requests for the others lack. So is a
resource policy that names a resource other than the one it is attached to, where that is certain: an ARN of another
service, or two different buckets, queues, topics or secrets.
In a template, the policy of a bucket or access point has actions of S3 only, that of a table those of DynamoDB, and that of a
bucket has no resource \`*\`: AWS refuses both.
The policy of a repository of ECR grants no action that works on none, such as \`ecr:GetAuthorizationToken\`.
The policy of a key grants actions of \`kms\` only. An ARN with a misspelt type, such as \`databases/sales\` of Glue, is
reported beside others that fit.
A Deny of \`s3:*\` that names buckets without their objects is reported too, and so is a Deny of patterns of actions with
ARNs of other services alone.
A Deny whose \`NotResource\` names buckets without their objects, or nothing that its actions work on, is reported as well.
Actions on service-linked roles are reported on ARNs of other roles, and actions on the contents of objects where the ARNs of the statement end with a slash.

Format and resource are compared as patterns on both sides: a resource fits when some real ARN could match both.
Left out are actions with wildcards, actions that do not exist, statements with \`*\` among their resources,
\`NotAction\`, \`NotResource\` in an Allow, and ARNs that \`resource_validation\` refuses. A resource that begins with a template
variable fits everything.`,
  risk_explanation:
    "AWS accepts such a statement, but it does nothing for the action: an Allow grants it on no resource, a Deny does not stop it.",
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
      severity: ["error", "high", "medium"],
      when: "No resource of the statement is of a type the action works on (follows the check; high in a Deny, unless the Allow statements of an identity policy do not grant the action either, or the action works on no resource and nearly all others of the statement fit, or it is a method that the path of an API lacks), the ARN of a folder or domain lacks what is below it (high), some of the types that one call needs are missing (medium), the type in an ARN is misspelt (error), the `NotResource` of a Deny exempts nothing that the actions work on (high), or a resource policy names another resource than its own (error).",
    },
    statement_never_applies: {
      severity: "error",
      when: "No action of an Allow can work with any resource of the statement.",
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

  // A bare `*` is of every type, but the requests for some types may lack a key.
  concerns: ({ resources, notResources, conditions }, { policy }) =>
    policy.type === "RESOURCE_POLICY" ||
    notResources.length > 0 ||
    (resources.length > 0 && !resources.some(({ text }) => text === "*")) ||
    conditions.some(isOfLaunchTypes),

  *runStatement(statement, context: CheckContext<Options>) {
    const { resources } = statement;
    const { type } = context.policy;
    const exempting = exemptsTooLittle(statement, context);
    if (exempting) yield exempting;
    const variables = context.options.allow_template_variables;
    if (resources.length === 0 || resources.some(({ text }) => text === "*")) {
      yield* foreignResources(statement, context);
      if (resources.length > 0) yield* missingTypes(statement, context, variables);
      if (resources.length > 0 || !statement.has("NotResource")) {
        yield* unboundActions(statement, context);
        yield* unboundAmongOthers(statement, context);
      }
      return;
    }
    if (type === "RESOURCE_POLICY") {
      yield* foreignResources(statement, context);
      if (namesAliases(statement)) return;
    }
    const slips = [
      patternsOnForeignArns(statement, context),
      bucketsWithoutObjects(statement, context),
      domainsWithoutPaths(statement),
      foldersWithoutObjects(statement),
      otherThanLinkedRoles(statement),
    ];
    for (const report of slips) if (report) yield report;
    yield* missingTypes(statement, context, variables);
    const own =
      type === "RESOURCE_POLICY"
        ? resources.filter(({ text }) => !isForeign(text, statement, context))
        : resources;
    const unfit = [...mismatches(statement, own, context, variables)];
    const never = unfit.some((report) => report.issue_type === "statement_never_applies");
    const misspelt = never ? [] : misspeltTypes(statement, context);
    yield* misspelt.length > 0 ? misspelt : unfit;
  },
});

const none: readonly Report[] = [];

function mismatches(
  statement: Statement,
  resources: readonly Entry[],
  context: CheckContext<Options>,
  variables: boolean,
): Iterable<Report> {
  const counting = countingActions(statement, context);
  const plain = counting.filter(({ isPattern }) => !isPattern);
  if (plain.length === 0 || resources.length === 0) return none;
  const { type } = context.policy;
  const fit =
    resources === statement.resources
      ? resourcesOf(statement, variables, type)
      : new ResourcesOfStatement(resources, variables, type);
  if (fit.checkable === 0 || fit.anything) return none;
  const unfit = plain.filter(
    ({ service, actions: [action] }) => action && !fit.fits(service, action),
  );
  return unfit.length === 0 ? none : reportsOf(unfit, plain, statement, context, variables);
}

function* reportsOf(
  unfit: readonly CountingAction[],
  plain: readonly CountingAction[],
  statement: Statement,
  context: CheckContext<Options>,
  variables: boolean,
): Iterable<Report> {
  const texts = statement.resources.map(({ text }) => text);
  const [first] = statement.resources;
  const about = {
    field_name: "resource",
    resource: texts.length <= 3 ? texts.join(", ") : `${texts[0]}...`,
    node: first && statement.resources.length === 1 ? first.node : statement.at("Resource"),
  } as const;
  // Patterns and unknown actions may still work, so only a list of known names is certain.
  const named = namedActions(statement);
  if (statement.allows && unfit.length === named) {
    yield { ...about, ...neverApplies(unfit, statement, context) };
    return;
  }
  const repairOf = repairs(unfit, statement, context);
  for (const one of unfit) {
    yield {
      ...about,
      ...(statement.denies && !isIdle(one, context, variables) && !isAside(one, plain, unfit)
        ? { severity: "high" as const }
        : {}),
      issue_type: "resource_mismatch",
      action: one.entry.text,
      ...mismatch(one, statement, texts, unfit.length < named, context),
      fix: () => repairOf(one),
    };
  }
}

/**
 * An action that works on no resource, in a Deny that is for resources of its service and nearly all of whose other
 * actions work on them, or a method of API Gateway that the path lacks. A mandatory control of AWS Control Tower has
 * `lambda:CreateEventSourceMapping` so, and the guide of API Gateway prints methods together:
 * https://docs.aws.amazon.com/controltower/latest/controlreference/mandatory-controls.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/security_iam_id-based-policy-examples.html
 */
function isAside(
  { service, actions: [action] }: CountingAction,
  plain: readonly CountingAction[],
  unfit: readonly CountingAction[],
): boolean {
  if (!plain.every((other) => other.service === service)) return false;
  const fitting = plain.length - unfit.length;
  if (service.prefix === "apigateway") return fitting > 0;
  return action?.resourceTypes.length === 0 && fitting >= plain.length * mostOf;
}

/** The part of the actions that shows what a statement is for. */
const mostOf = 0.75;

/** Whether an identity policy allows other things, and on no resource what its Deny fails to stop. */
function isIdle(
  { service, actions: [action] }: CountingAction,
  { policy }: CheckContext,
  variables: boolean,
): boolean {
  const allows = policy.statements.filter((one) => one.allows);
  if (policy.type !== "IDENTITY_POLICY" || allows.length === 0 || !action) return false;
  return allows.every((one) => {
    const { actions, resources, notActions, notResources } = one;
    if (notActions.length > 0) return false;
    const named = actions.some(({ text }) =>
      globMatches(text, action.qualified, { ignoreCase: true }),
    );
    if (!named) return true;
    if (notResources.length > 0 || resources.some(({ text }) => text === "*")) return false;
    const fit = resourcesOf(one, variables, policy.type);
    return !fit.anything && !fit.fits(service, action);
  });
}
