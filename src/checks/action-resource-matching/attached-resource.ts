import type { CheckContext, Report } from "../../engine/check.ts";
import { hasPlaceholder, splitArn } from "../../policy/arn.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { namedResource, nounOf } from "../../policy/named-resource.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { formatsOfType } from "../../services/arn-overlap.ts";
import { correctedNode } from "../shared/corrected.ts";
import { allCount, countingActions } from "../shared/counting-actions.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { joinWords, quote } from "../shared/quote.ts";

const code = "UNSUPPORTED_RESOURCE_ARN_IN_POLICY";

/** Resources of a resource policy that cannot be the one the policy is attached to. */
export function* foreignResources(statement: Statement, context: CheckContext): Iterable<Report> {
  if (context.policy.type !== "RESOURCE_POLICY") return;
  yield* aliases(statement);
  const services = servicesOfArns(statement, context);
  const others = secondResource(context.policy);
  for (const entry of [...statement.resources, ...statement.notResources]) {
    const arn = splitArn(entry.text);
    if (!arn || hasPlaceholder(arn.service) || hasWildcard(arn.service)) continue;
    if (services && arn.service !== "" && !services.has(arn.service)) {
      yield {
        ...about(entry),
        severity: "error",
        message: `${quote(entry.text)} is of the service ${quote(arn.service)}, but the actions of the statement work on resources of ${joinWords(
          [...services].map((name) => quote(name)),
          0,
          "or",
        )}. A resource policy applies only to the resource it is attached to.`,
        suggestion: "Name the resource that this policy is attached to.",
      };
    } else if (isOfAnother(entry.text, context.policy)) {
      yield { ...about(entry), severity: "error", ...ofAnother(entry.text, context.policy) };
    } else if (others?.entry === entry) {
      yield {
        ...about(entry),
        // Endpoint policies look the same and may name many resources.
        severity: context.policy.typeSource === "auto-detect" ? "medium" : "error",
        message: `The policy names two ${others.noun}, ${quote(others.first)} and ${quote(others.second)}, but it is attached to one of them and applies to that one alone.`,
        suggestion:
          "Name the resource that this policy is attached to. Declare the policy type ENDPOINT_POLICY where this is the policy of a VPC endpoint.",
      };
    }
  }
}

/**
 * A key policy is attached to the key, and `kms` compares the ARN of the key.
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-overview.html
 */
function* aliases(statement: Statement): Iterable<Report> {
  const [entry] = statement.resources;
  if (!entry || !namesAliases(statement)) return;
  yield {
    ...about(entry),
    severity: "error",
    message: `${quote(entry.text)} is an alias, and a key policy applies only to the key that it is attached to.`,
    suggestion: 'Write `"Resource": "*"`, which means this key.',
    ...fixedBy(() => correctedNode(entry.node, "*"), {
      title: "Name the key that the policy is attached to",
      effect: "repairs",
    }),
  };
}

/** Whether a statement about keys names aliases alone. */
export function namesAliases({ resources, actions }: Statement): boolean {
  return (
    resources.length > 0 &&
    actions.length > 0 &&
    actions.every(({ text }) => /^kms:/i.test(text)) &&
    resources.every(({ text }) => /^arn:[^:]*:kms:[^:]*:[^:]*:alias\//.test(text))
  );
}

function about(entry: Entry) {
  return {
    issue_type: "resource_mismatch",
    field_name: "resource",
    resource: entry.text,
    node: entry.node,
    aws_issue_code: code,
  } as const;
}

/** @returns whether the ARN is of a service that no action of the statement works on. */
export function isForeign(text: string, statement: Statement, context: CheckContext): boolean {
  if (context.policy.type !== "RESOURCE_POLICY") return false;
  const arn = splitArn(text);
  const services = servicesOfArns(statement, context);
  return (
    arn !== null && services !== null && !hasWildcard(arn.service) && !services.has(arn.service)
  );
}

/** Services of the ARNs that the actions work on; null where that is not known for all of them. */
export function servicesOfArns(
  statement: Statement,
  context: CheckContext,
): ReadonlySet<string> | null {
  const counting = countingActions(statement, context);
  if (counting.length === 0 || !allCount(statement, counting)) return null;
  const services = new Set<string>();
  for (const { service, actions } of counting) {
    services.add(service.prefix);
    for (const type of new Set(actions.flatMap(({ resourceTypes }) => resourceTypes))) {
      const of = formatsOfType(service, type);
      // A type without a format may be anything.
      if (of.length === 0 || of.some((format) => hasWildcard(format.service))) return null;
      for (const format of of) services.add(format.service);
    }
  }
  return services;
}

/** Services whose resource policies belong to one resource, and how that one is told apart. */
const single: Readonly<Record<string, { noun: string; nameOf: (arn: string) => string | null }>> = {
  // The policy of an access point names the access point, never its bucket:
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html
  s3: {
    noun: "buckets",
    nameOf: (text) =>
      /^arn:[^:]*:s3:::([^/]+)/.exec(text)?.[1] ??
      /^arn:[^:]*:s3:[^:]*:[^:]*:accesspoint\/[^/]+/.exec(text)?.[0] ??
      null,
  },
  sqs: { noun: "queues", nameOf: (text) => text },
  sns: { noun: "topics", nameOf: (text) => text.split(":").slice(0, 6).join(":") },
  secretsmanager: { noun: "secrets", nameOf: (text) => text },
  // The replicas of a global table have one name.
  dynamodb: {
    noun: "tables",
    nameOf: (text) => /^arn:[^:]*:dynamodb:[^:]*:[^:]*:(table\/[^/]+)/.exec(text)?.[1] ?? null,
  },
  kinesis: {
    noun: "streams",
    nameOf: (text) => /^arn:[^:]*:kinesis:[^:]*:[^:]*:stream\/[^/]+/.exec(text)?.[0] ?? null,
  },
  // Rules of the bus have ARNs of their type.
  events: {
    noun: "event buses",
    nameOf: (text) => /^arn:[^:]*:events:[^:]*:[^:]*:event-bus\/.+/.exec(text)?.[0] ?? null,
  },
  glacier: {
    noun: "vaults",
    nameOf: (text) => /^arn:[^:]*:glacier:[^:]*:[^:]*:vaults\/[^/]+/.exec(text)?.[0] ?? null,
  },
  es: {
    noun: "domains",
    nameOf: (text) => /^arn:[^:]*:es:[^:]*:[^:]*:domain\/[^/]+/.exec(text)?.[0] ?? null,
  },
  kms: { noun: "keys", nameOf: (text) => (/:key\/[^/]+$/.test(text) ? text : null) },
  lambda: {
    noun: "functions",
    nameOf: (text) => /^arn:[^:]*:lambda:[^:]*:[^:]*:function:[^:]+/.exec(text)?.[0] ?? null,
  },
};

interface Second {
  readonly entry: Entry;
  readonly noun: string;
  readonly first: string;
  readonly second: string;
}

const known = new FactSlot<Policy, { readonly found: Second | null }>();

/**
 * Whether an ARN names a resource of the same kind as the one that the template attaches the policy to, and not
 * that one. Account and region are left out: the template seldom says them.
 */
function isOfAnother(text: string, { attached, document }: Policy): boolean {
  if (!attached || document.openTexts?.has(text)) return false;
  const named = namedResource(text);
  if (named?.service !== attached.service) return false;
  return !hasWildcard(named.name) && !hasPlaceholder(named.name) && named.name !== attached.name;
}

function ofAnother(text: string, { attached }: Policy) {
  const [written, own] = [quote(text), quote(attached?.name ?? "")];
  if (attached?.service === "s3") {
    return {
      message: `${written} is not in the bucket that this policy is attached to, ${own}. S3 refuses a bucket policy with a resource of another bucket.`,
      suggestion: "Name the bucket that the policy is attached to, or an object in it.",
    };
  }
  const noun = nounOf(attached?.service ?? "") ?? "resource";
  return {
    message: `${written} is not the ${noun} that this policy is attached to, ${own}. The policy of ${noun === "event bus" ? "an" : "a"} ${noun} applies to that ${noun} alone.`,
    suggestion: `Name the ${noun} that the policy is attached to.`,
  };
}

/** The first resource that is not the one named before it; unknown values of a template may be equal. */
function secondResource(policy: Policy): Second | null {
  if (policy.document.unresolved || policy.attached) return null;
  const kept = known.get(policy);
  if (kept) return kept.found;
  const first = new Map<string, string>();
  let found: Second | null = null;
  for (const { resources, notResources } of policy.statements) {
    for (const entry of [...resources, ...notResources]) {
      const service = entry.text.split(":", 3)[2] ?? "";
      const rule = Object.hasOwn(single, service) ? single[service] : undefined;
      const name = rule?.nameOf(entry.text);
      if (!rule || !name || hasWildcard(name) || /\$\{|\{\{/.test(name)) continue;
      const before = first.get(service);
      if (before === undefined) first.set(service, name);
      else if (before !== name) {
        const isPoint = service === "s3" && (before.startsWith("arn:") || name.startsWith("arn:"));
        const noun = isPoint ? "resources" : rule.noun;
        found ??= { entry, noun, first: before, second: name };
      }
    }
  }
  known.set(policy, { found });
  return found;
}
