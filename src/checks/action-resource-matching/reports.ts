import type { CheckContext, Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import type { Action } from "../../services/model.ts";
import { correctedStatement } from "../shared/corrected.ts";
import type { CountingAction } from "../shared/counting-actions.ts";
import { objectOfAccessPoint } from "../shared/meant-arn.ts";
import { joinWords, quote, quoteList } from "../shared/quote.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";
import { repairOfAll } from "./fixes.ts";
import { bucketRefuses, refusesForeign } from "./refused.ts";
import { relatedArns } from "./related-arns.ts";
import { isUnbound, othersCanWork, unboundAdvice, unboundMessage } from "./unbound.ts";
import { adviceFor, neededTypes } from "./wording.ts";

type Told = Pick<Report, "message" | "suggestion" | "correction" | "fix" | "severity">;

/** One action that no resource of the statement fits. */
export function mismatch(
  one: CountingAction,
  statement: Statement,
  resources: readonly string[],
  othersWork: boolean,
  context: CheckContext,
): Told {
  const {
    entry,
    service,
    actions: [action],
  } = one;
  const refuser = refusesForeign(one, statement, context);
  if (refuser !== null) {
    return {
      severity: "error",
      message: `${quote(entry.text)} is an action of another service than that of the resources. ${refuser} refuses a policy with such an action.`,
      suggestion: `Remove ${quote(entry.text)}, and grant it in the policy of the resource that it works on.`,
    };
  }
  const refused = bucketRefuses(one, statement, context);
  const rest = refused
    ? " S3 refuses a bucket policy with such a statement."
    : othersWork
      ? othersCanWork
      : "";
  const severity = refused ? { severity: "error" as const } : {};
  const effect = statement.denies ? "does not deny it" : "does not grant it";
  if (isUnbound(one, context)) {
    return {
      message: `${unboundMessage(entry.text, statement, context)}${rest}`,
      suggestion: unboundAdvice,
    };
  }
  if (!action || action.resourceTypes.length === 0) {
    return {
      message: `The reference lists no resource type for ${quote(entry.text)}, so AWS compares with \`*\`, and no resource of the statement is that; the statement ${effect}.${rest}`,
      suggestion: `Move ${quote(entry.text)} to a statement with \`"Resource": "*"\`.`,
    };
  }
  return {
    ...severity,
    message: `${quote(entry.text)} works on ${neededTypes(action)}, and no resource of the statement is one, in the reference data of ${context.services.date}; the statement ${effect}.${rest}`,
    suggestion: adviceFor(
      service,
      action,
      resources,
      relatedArns(action, service, statement, context),
    ),
  };
}

/** All actions of an Allow, none of which any resource fits. */
export function neverApplies(
  unfit: readonly CountingAction[],
  statement: Statement,
  context: CheckContext,
): Told & Pick<Report, "issue_type" | "severity" | "action"> {
  const names = unfit.map(({ entry }) => entry.text);
  const types = [...new Set(unfit.flatMap(({ actions: [action] }) => action?.resourceTypes ?? []))];
  const onlyStar = unfit.filter(({ actions: [action] }) => action?.resourceTypes.length === 0);
  const needs =
    types.length === 0
      ? `the reference lists no resource type for ${onlyStar.length === 1 ? "it" : "them"}, so AWS compares with \`*\``
      : `${names.length === 1 ? "it works" : "they work"} on ${types.length === 1 ? "the resource type" : "the resource types"} ${quoteList(types, 6)}${
          onlyStar.length > 0
            ? `, and ${quoteList(
                onlyStar.map(({ entry }) => entry.text),
                3,
              )} on \`*\``
            : ""
        }`;
  const areUnbound = unfit.every((one) => isUnbound(one, context));
  const resources = areUnbound ? null : meantResources(statement, unfit, context);
  const [first] = unfit;
  const [action] = first?.actions ?? [];
  return {
    issue_type: "statement_never_applies",
    severity: "error",
    action: names.join(", "),
    message: `No resource of the statement is one that ${quoteList(names, 3)} can work on: ${needs} (reference data of ${context.services.date}). The statement as a whole grants nothing.`,
    suggestion: resources
      ? `Write ${joinWords(resources.map((text) => quote(text)))} as the resource.`
      : first && action && action.resourceTypes.length > 0
        ? adviceFor(
            first.service,
            action,
            statement.resources.map(({ text }) => text),
          )
        : areUnbound
          ? unboundAdvice
          : 'Write `"Resource": "*"`.',
    ...(resources
      ? {
          correction: () =>
            correctedStatement(statement, {
              Resource: resources.length === 1 ? resources[0] : resources,
            }),
        }
      : {}),
    fix: () => repairOfAll(unfit, statement, context),
  };
}

/** Ways in which an ARN is often a little wrong. */
const slips: readonly ((text: string) => string | null)[] = [
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html
  objectOfAccessPoint,
  (text) =>
    /^(arn:[^:]*:s3:[^:]*:[^:]*:accesspoint\/[^/*?]+)\/object\/\*?$/.exec(text)?.[1] ?? null,
  (text) => (/^arn:[^:]*:s3:::[^/]+$/.test(text) ? `${text}/*` : null),
  (text) => /^(arn:[^:]*:s3:::[^/*]+)\/\*?$/.exec(text)?.[1] ?? null,
  (text) =>
    /^(arn:[^:]*:(?:iam|s3|cloudfront|route53)):[^:]+:(.*)$/.exec(text)?.slice(1).join("::") ??
    null,
  (text) =>
    /^(arn:[^:]*:s3):[^:]*:[^:]+:(?!accesspoint\/)(.*)$/.exec(text)?.slice(1).join(":::") ?? null,
];

/** The resources after one slip is undone, when all actions then work; null when that is unclear. */
function meantResources(
  statement: Statement,
  unfit: readonly CountingAction[],
  { policy }: CheckContext,
): readonly string[] | null {
  const texts = statement.resources.map(({ text }) => text);
  if (unfit.every(({ actions: [action] }) => action && readsAll(action))) return ["*"];
  for (const slip of slips) {
    const undone = texts.map(slip);
    const meant = undone.filter((text) => text !== null);
    if (meant.length < texts.length) continue;
    const fit = new ResourcesOfStatement(
      meant.map((text) => ({ text, node: statement.node })),
      true,
      policy.type,
    );
    if (unfit.every(({ service, actions: [action] }) => action && fit.fits(service, action))) {
      return meant;
    }
  }
  return null;
}

/** Listing and reading that AWS offers for everything only. */
function readsAll({ resourceTypes, accessLevel }: Action): boolean {
  return resourceTypes.length === 0 && (accessLevel === "list" || accessLevel === "read");
}
