import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { sourceArnForms } from "../trust-policy-validation/source-facts.ts";
import { type Effect, isOpen, isReadable, passesWithoutKey, type ReadableEntry } from "./effect.ts";

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
 * https://docs.aws.amazon.com/datasync/latest/userguide/cross-service-confused-deputy-prevention.html
 * https://docs.aws.amazon.com/dms/latest/userguide/cross-service-confused-deputy-prevention.html
 * https://docs.aws.amazon.com/inspector/latest/user/findings-managing-exporting-reports.html
 * https://docs.aws.amazon.com/macie/latest/user/discovery-results-repository-s3.html
 * https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/cross-service-confused-deputy-prevention.html
 * https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html
 * https://docs.aws.amazon.com/redshift/latest/mgmt/cross-service-confused-deputy-prevention.html
 * https://docs.aws.amazon.com/redshift/latest/mgmt/zero-etl-using.redshift-iam.html
 * https://docs.aws.amazon.com/transfer/latest/userguide/confused-deputy.html
 * https://docs.aws.amazon.com/vpc/latest/userguide/flow-logs-iam-role.html
 */
const named: Readonly<Record<string, readonly string[]>> = {
  "s3.amazonaws.com": ["s3"],
  "sns.amazonaws.com": ["sns"],
  "events.amazonaws.com": ["events"],
  "cloudfront.amazonaws.com": ["cloudfront"],
  "cloudtrail.amazonaws.com": ["cloudtrail"],
  "apigateway.amazonaws.com": ["execute-api", "apigateway"],
  "elasticloadbalancing.amazonaws.com": ["elasticloadbalancing"],
  "datasync.amazonaws.com": ["datasync"],
  "dms.amazonaws.com": ["dms"],
  "inspector2.amazonaws.com": ["inspector2"],
  "macie.amazonaws.com": ["macie2"],
  "monitoring.rds.amazonaws.com": ["rds"],
  "pods.eks.amazonaws.com": ["eks"],
  "redshift.amazonaws.com": ["redshift"],
  "transfer.amazonaws.com": ["transfer"],
  "vpc-flow-logs.amazonaws.com": ["ec2"],
};

/** Where a service calls on behalf of some of its resources only. */
interface CallingTypes {
  /** The actions of which this is known; absent: of every one. */
  readonly actions?: RegExp;
  /** The type of the resources that call. */
  readonly caller: string;
  /** What the resource part of their ARNs begins with. */
  readonly beginning: RegExp;
}

/**
 * Sources:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
 * https://docs.aws.amazon.com/rolesanywhere/latest/userguide/trust-model.html
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 * https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
 */
const calling: Readonly<Record<string, CallingTypes>> = {
  "events.amazonaws.com": {
    actions: /^(?:lambda:InvokeFunction|sns:Publish)$/i,
    caller: "rules",
    beginning: /^rule\//,
  },
  "scheduler.amazonaws.com": { caller: "schedule groups", beginning: /^schedule-group\// },
  "rolesanywhere.amazonaws.com": { caller: "trust anchors", beginning: /^trust-anchor\// },
  "elasticloadbalancing.amazonaws.com": {
    actions: /^lambda:InvokeFunction$/i,
    caller: "target groups",
    beginning: /^targetgroup\//,
  },
  "cloudfront.amazonaws.com": {
    actions: /^(?:s3:GetObject|lambda:InvokeFunctionUrl)$/i,
    caller: "distributions",
    beginning: /^(?:streaming-)?distribution\//,
  },
};

/** The one service whose calls the policy allows, where only some of its resources make them. */
function callingTypes({ principals, actions }: Statement): CallingTypes | null {
  const [principal, ...others] = principals;
  if (principal?.type !== "Service" || others.length > 0) return null;
  const found = Object.hasOwn(calling, principal.text) ? calling[principal.text] : undefined;
  if (!found) return null;
  const isKnown =
    actions.length > 0 && actions.every(({ text }) => found.actions?.test(text) ?? true);
  return isKnown ? found : null;
}

const allowsOnly = ({ actions }: Statement, expression: RegExp) =>
  actions.length > 0 && actions.every(({ text }) => expression.test(text));
const invocation = /^lambda:InvokeFunction$/i;
/** Redshift takes data in for the database that sends it, and `aws:SourceArn` is that database. */
const inboundIntegration = /^redshift:AuthorizeInboundIntegration$/i;

/** Services of the ARNs that a principal sends as the source; those that the other table has send one form. */
function sourcesOf(principal: string, statement: Statement): readonly string[] | null {
  // Functions are called for a stage or an authorizer, whose ARNs are those of calls.
  if (principal === "apigateway.amazonaws.com" && allowsOnly(statement, invocation))
    return ["execute-api"];
  if (principal === "redshift.amazonaws.com" && allowsOnly(statement, inboundIntegration))
    return null;
  if (Object.hasOwn(named, principal)) return named[principal] ?? null;
  const form = sourceArnForms.get(principal.replace(/\.amazonaws\.com$/, ""))?.form;
  const service = form === undefined ? undefined : splitArn(form)?.service;
  return service === undefined ? null : [service];
}

/** A policy for a service whose calls never have the source that the condition requires. */
export function* foreignSources(statement: Statement): Iterable<Effect> {
  const known = statement.principals.map(({ type, text }) =>
    type === "Service" ? sourcesOf(text, statement) : null,
  );
  const services = new Set(known.flatMap((one) => one ?? []));
  const types = callingTypes(statement);
  const isKnown = services.size > 0 && !known.includes(null);
  if (!types && !isKnown) return;
  for (const entry of statement.conditions) {
    if (entry.keyLower !== "aws:sourcearn" || !isReadable(entry) || passesWithoutKey(entry))
      continue;
    const { base } = entry.operator;
    if (base.type === null || base.negated || entry.values.length === 0) continue;
    if (types) {
      const effect = otherType(entry, types, statement);
      if (effect) {
        yield effect;
        continue;
      }
    }
    if (!isKnown) continue;
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

/** A source of the service that makes no such calls, such as the event bus that a rule listens to. */
function otherType(
  entry: ReadableEntry,
  { caller, beginning }: CallingTypes,
  { principals }: Statement,
): Effect | null {
  const service = principals[0]?.text.split(".", 1)[0];
  const areOthers = entry.values.every(({ text }) => {
    const arn = isOpen(text) ? null : splitArn(text);
    if (arn?.service !== service) return false;
    return /^[a-z-]+\//.test(arn?.resource ?? "") && !beginning.test(arn?.resource ?? "");
  });
  const [first] = entry.values;
  if (!areOthers || !first) return null;
  return {
    kind: "never",
    entry,
    node: first.node,
    reason: `${quote(principals[0]?.text ?? "")} makes such calls on behalf of ${caller}, and ${quote(first.text)} is another resource.`,
    suggestion: `Write the ARN of one of the ${caller}.`,
  };
}
