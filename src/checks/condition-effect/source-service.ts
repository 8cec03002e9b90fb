import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { sourceArnForms } from "../trust-policy-validation/source-facts.ts";
import { type Effect, isOpen, isReadable, passesWithoutKey } from "./effect.ts";

/**
 * Services that call on behalf of their own resources only, and the services that the ARNs of these name.
 * Sources: the pages of the services about access policies of their targets, such as
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/grant-destinations-permissions-to-s3.html
 * https://docs.aws.amazon.com/sns/latest/dg/subscribe-sqs-queue-to-sns-topic.html
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
 * https://docs.aws.amazon.com/awscloudtrail/latest/userguide/create-s3-bucket-policy-for-cloudtrail.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/permissions.html
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
const named: Readonly<Record<string, readonly string[]>> = {
  "s3.amazonaws.com": ["s3"],
  "sns.amazonaws.com": ["sns"],
  "events.amazonaws.com": ["events"],
  "cloudfront.amazonaws.com": ["cloudfront"],
  "cloudtrail.amazonaws.com": ["cloudtrail"],
  "apigateway.amazonaws.com": ["execute-api", "apigateway"],
  "elasticloadbalancing.amazonaws.com": ["elasticloadbalancing"],
};

/** Services of the ARNs that a principal sends as the source; those that the other table has send one form. */
function sourcesOf(principal: string): readonly string[] | null {
  if (Object.hasOwn(named, principal)) return named[principal] ?? null;
  const form = sourceArnForms.get(principal.replace(/\.amazonaws\.com$/, ""))?.form;
  const service = form === undefined ? undefined : splitArn(form)?.service;
  return service === undefined ? null : [service];
}

/** A policy for a service whose calls never have the source that the condition requires. */
export function* foreignSources(statement: Statement): Iterable<Effect> {
  const known = statement.principals.map(({ type, text }) =>
    type === "Service" ? sourcesOf(text) : null,
  );
  const services = new Set(known.flatMap((one) => one ?? []));
  if (services.size === 0 || known.includes(null)) return;
  for (const entry of statement.conditions) {
    if (entry.keyLower !== "aws:sourcearn" || !isReadable(entry) || passesWithoutKey(entry))
      continue;
    const { base } = entry.operator;
    if (base.type === null || base.negated || entry.values.length === 0) continue;
    const arns = entry.values.map(({ text }) => (isOpen(text) ? null : splitArn(text)));
    const areForeign = arns.every(
      (arn) => arn !== null && !hasWildcard(arn.service) && !services.has(arn.service),
    );
    if (!areForeign) continue;
    const [first] = entry.values;
    const principals = statement.principals.map(({ text }) => quote(text));
    yield {
      kind: "never",
      entry,
      ...(first ? { node: first.node } : {}),
      reason: `${joinWords(principals)} ${principals.length === 1 ? "calls" : "call"} on behalf of resources of ${joinWords([...services].map((name) => quote(name)))}, and ${quote(entry.key)} requires one of ${joinWords([...new Set(arns.map((arn) => arn?.service ?? ""))].map((name) => quote(name)))}.`,
      suggestion: "Name the service that the ARN belongs to, or the ARN of the service's resource.",
    };
  }
}
