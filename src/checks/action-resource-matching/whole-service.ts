import type { CheckContext, Report } from "../../engine/check.ts";
import { hasPlaceholder, splitArn } from "../../policy/arn.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { correctedStatement } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { joinWords, quote, quoteList } from "../shared/quote.ts";
import { servicesOfArns } from "./attached-resource.ts";

/**
 * Denies of patterns of actions, such as `s3:*`, on ARNs of other services alone. Patterns beside plain actions are left
 * out, and so are resource policies, of which each foreign ARN is reported, and Allows.
 */
export function patternsOnForeignArns(statement: Statement, context: CheckContext): Report | null {
  const { actions, resources, denies } = statement;
  if (!denies || context.policy.type === "RESOURCE_POLICY" || actions.length === 0) return null;
  if (!actions.every(({ text }) => hasWildcard(text))) return null;
  const services = servicesOfArns(statement, context);
  if (!services) return null;
  const foreign = resources.map(({ text }) => splitArn(text)?.service ?? "");
  const isForeign = (name: string) =>
    name !== "" && !hasPlaceholder(name) && !hasWildcard(name) && !services.has(name);
  if (!foreign.every(isForeign)) return null;
  const [first] = resources;
  const names = quoteList([...new Set(foreign)], 3);
  const own = joinWords(
    [...services].map((name) => quote(name)),
    0,
    "or",
  );
  return {
    issue_type: "resource_mismatch",
    severity: "high",
    field_name: "resource",
    resource: first?.text ?? null,
    node: first && resources.length === 1 ? first.node : statement.at("Resource"),
    message: `The resources are of ${names}, but the actions of the statement work on resources of ${own} (reference data of ${context.services.date}). The statement as a whole denies nothing.`,
    suggestion: "Name resources of the service of the actions, or the actions on these resources.",
  };
}

const bucketAlone = /^arn:[^:]*:s3:::[^/]+$/;
const objects = /^arn:[^:]*:s3:::(?:[^/]+\/|.*\*)/;

/**
 * A Deny of all of S3 on buckets by name, without the objects in them, on which most actions work.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies.html#example-bucket-policies-HTTP-HTTPS
 */
export function bucketsWithoutObjects(
  statement: Statement,
  { policy }: Pick<CheckContext, "policy">,
): Report | null {
  const { denies, actions, resources, principals } = statement;
  if (!denies || resources.length === 0) return null;
  if (!actions.some(({ text }) => /^(?:s3:)?\*+$/i.test(text))) return null;
  if (!resources.every(({ text }) => bucketAlone.test(text) && !/[*?$]/.test(text))) return null;
  if (policy.statements.some((other) => other !== statement && coversObjects(other))) return null;
  const missing = resources.map(({ text }) => `${text}/*`);
  const isForSome = principals.length > 0 && !principals.some(({ text }) => text === "*");
  return {
    issue_type: "resource_mismatch",
    // The IAM user guide prints such a Deny for one federated user (id_credentials_temp_control-access_disable-perms).
    severity: isForSome ? "medium" : "high",
    field_name: "resource",
    resource: resources[0]?.text ?? null,
    node: resources.length === 1 && resources[0] ? resources[0].node : statement.at("Resource"),
    message: `This Deny names ${quoteList(textsOf(resources), 3)}, the ${resources.length === 1 ? "bucket" : "buckets"}, and not the objects, so it does not deny reading, writing or deleting objects.`,
    suggestion: `Add ${quoteList(missing, 3)}.`,
    ...fixedBy(
      () => correctedStatement(statement, { Resource: [...textsOf(resources), ...missing] }),
      { title: "Deny the same on the objects of the bucket", effect: "narrows" },
    ),
  };
}

/** Another Deny that reaches objects: the author treats buckets and objects apart. */
function coversObjects({ denies, resources }: Policy["statements"][number]): boolean {
  return denies && resources.some(({ text }) => text === "*" || objects.test(text));
}

function textsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ text }) => text);
}
