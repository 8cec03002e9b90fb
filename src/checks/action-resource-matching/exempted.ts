import type { CheckContext, Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { correctedStatement } from "../shared/corrected.ts";
import { type CountingAction, countingActions, namedActions } from "../shared/counting-actions.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";

/**
 * A Deny whose `NotResource` leaves out what its actions work on, so that it also stops them on what is to be exempt. The
 * IAM user guide names the bucket and the objects:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_examples_s3_deny-except-bucket.html
 */
export function exemptsTooLittle(statement: Statement, context: CheckContext): Report | null {
  const { denies, notResources } = statement;
  // The policy of a bucket may split its own bucket and objects so on purpose.
  if (context.policy.type === "RESOURCE_POLICY") return null;
  if (!denies || notResources.length === 0 || statement.resources.length > 0) return null;
  // Tasks of root users have the ARN of the account, which the reference does not list (IAMAuditRootUserCredentials).
  if (notResources.some(({ text }) => text === "*" || text.endsWith(":root"))) return null;
  const exempt = new ResourcesOfStatement(notResources, true, context.policy.type);
  if (exempt.checkable < notResources.length || exempt.anything) return null;
  const counting = countingActions(statement, context);
  return (
    withoutObjects(statement, counting, exempt) ??
    withoutLaunch(statement, counting, exempt) ??
    withoutAny(statement, counting, exempt, context)
  );
}

const bucketAlone = /^arn:[^:]*:s3:::[^/*?$]+$/;

/** Buckets by name, and none of the objects on which an action works. */
function withoutObjects(
  statement: Statement,
  counting: readonly CountingAction[],
  exempt: ResourcesOfStatement,
): Report | null {
  const { notResources } = statement;
  const buckets = notResources.filter(({ text }) => bucketAlone.test(text));
  const [first] = buckets;
  const onObjects = counting.find(
    ({ service, actions }) =>
      service.prefix === "s3" &&
      actions.some(
        (action) => action.resourceTypes.includes("object") && !exempt.fits(service, action),
      ),
  );
  if (!first || !onObjects) return null;
  const missing = buckets.map(({ text }) => `${text}/*`);
  return {
    ...mismatch(statement, onObjects.entry.text),
    message: `\`NotResource\` names ${quoteList(
      buckets.map(({ text }) => text),
      3,
    )} and none of the objects in ${buckets.length === 1 ? "it" : "them"}, so ${quote(onObjects.entry.text)} is denied on these objects, too.`,
    suggestion: `Add ${quoteList(missing, 3)} to \`NotResource\`.`,
    ...fixedBy(
      () =>
        correctedStatement(statement, {
          NotResource: [...notResources.map(({ text }) => text), ...missing],
        }),
      { title: "Exempt the objects of the bucket, too", effect: "changes" },
    ),
  };
}

/**
 * Resources of other types than those against which every launch is authorized:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ExamplePolicies_EC2.html
 */
const ofEveryLaunch: readonly string[] = ["image", "subnet", "network-interface", "security-group"];

/** Some resources of a launch, but not all of which one call needs. */
function withoutLaunch(
  statement: Statement,
  counting: readonly CountingAction[],
  exempt: ResourcesOfStatement,
): Report | null {
  const found = counting.find(({ actions: [action], entry }) => {
    return action?.qualified === "ec2:RunInstances" && !hasWildcard(entry.text);
  });
  if (!found) return null;
  const types = ofEveryLaunch.filter((name) => !exempt.fitsType(found.service, name));
  if (types.length === 0 || types.length === ofEveryLaunch.length) return null;
  return {
    ...mismatch(statement, found.entry.text),
    message: `${quote(found.entry.text)} is also authorized against the ${quoteList(types, 4)} of the launch, which \`NotResource\` does not exempt, so this Deny stops every launch${statement.conditions.length > 0 ? " that meets its conditions" : ""}.`,
    suggestion:
      "Deny with `Resource`, such as `arn:aws:ec2:*::image/*`, and say in a condition what stays allowed.",
  };
}

/** ARNs of which none is a resource that an action works on. */
function withoutAny(
  statement: Statement,
  counting: readonly CountingAction[],
  exempt: ResourcesOfStatement,
  { services }: CheckContext,
): Report | null {
  const [first] = counting;
  if (!first || counting.length < namedActions(statement)) return null;
  const isUnfit = ({ entry, service, actions: [action] }: CountingAction) =>
    !hasWildcard(entry.text) &&
    action !== undefined &&
    action.resourceTypes.length > 0 &&
    !exempt.fits(service, action);
  if (!counting.every(isUnfit)) return null;
  const names = quoteList(
    counting.map(({ entry }) => entry.text),
    3,
  );
  return {
    ...mismatch(statement, first.entry.text),
    message: `No entry of \`NotResource\` is a resource that ${names} can work on (reference data of ${services.date}), so this Deny exempts nothing and stops ${counting.length === 1 ? "it" : "them"} everywhere.`,
    suggestion: "Write ARNs of the resources that stay allowed, in the form that the actions need.",
  };
}

function mismatch(statement: Statement, action: string) {
  return {
    issue_type: "resource_mismatch",
    severity: "high",
    action,
    field_name: "not_resource",
    resource: statement.notResources.map(({ text }) => text).join(", "),
    node: statement.at("NotResource"),
  } as const;
}
