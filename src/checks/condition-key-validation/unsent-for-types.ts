import type { CheckContext, Report } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { matchesConditionKey } from "../../services/condition-key-pattern.ts";
import type { Action, Service } from "../../services/model.ts";
import type { CountingAction } from "../shared/counting-actions.ts";
import { holdsWithoutKey } from "../shared/launch-keys.ts";
import { joinWords, quote, quoteList } from "../shared/quote.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";

/**
 * Services that authorize a call against each of its resources with the keys of that resource alone, by
 * the types for which the reference lists them:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html,
 * "...IfExists condition operators" (`ec2:InstanceType` is there for instances, and absent for images).
 */
const byResourceType: ReadonlySet<string> = new Set(["ec2"]);

/** Keys that the actions send for types of resources of which the statement has none. */
export function* unsentForTypes(
  statement: Statement,
  counting: readonly CountingAction[],
  context: CheckContext,
): Iterable<Report> {
  const [first] = counting;
  if (!first || !byResourceType.has(first.service.prefix)) return;
  const { service } = first;
  if (counting.some((action) => action.service !== service)) return;
  const { resources } = statement;
  if (resources.length === 0 || resources.some(({ text }) => text === "*")) return;
  let fit: ResourcesOfStatement | undefined;
  for (const entry of statement.conditions) {
    if (!entry.keyLower.startsWith(`${service.prefix}:`) || holdsWithoutKey(entry) === null) {
      continue;
    }
    const types = typesWith(service, counting, entry.key);
    if (types.length === 0) continue;
    fit ??= new ResourcesOfStatement(resources, true, context.policy.type);
    if (fit.checkable < resources.length || fit.anything) return;
    const here = fit;
    if (types.some((type) => here.fitsType(service, type))) continue;
    // A resource that no action works on is a fault of action and resource, not of the key.
    const works = counting.some(({ actions }) => actions.some((one) => here.fits(service, one)));
    if (works) yield report(entry, types, statement, counting, context);
  }
}

/** Types of resources for which the actions send the key; none where an action sends it for all. */
function typesWith(service: Service, counting: readonly CountingAction[], key: string): string[] {
  // The actions of a service share most lists.
  const own = new Set<readonly string[]>();
  const names = new Set<string>();
  for (const { actions } of counting) {
    for (const action of actions) {
      if (!action.supportsKey(key)) continue;
      own.add(action.conditionKeys);
      for (const name of action.resourceTypes) names.add(name);
    }
  }
  if (own.values().some((conditionKeys) => lists({ conditionKeys }, key))) return [];
  return [...names].filter((name) => {
    const type = service.resourceType(name);
    return type === undefined || lists(type, key);
  });
}

function lists({ conditionKeys }: Pick<Action, "conditionKeys">, key: string): boolean {
  return conditionKeys.some((name) => matchesConditionKey(name, key));
}

function report(
  entry: ConditionEntry,
  types: readonly string[],
  { allows, denies, resources }: Statement,
  counting: readonly CountingAction[],
  { services }: CheckContext,
): Report {
  const names = quoteList(
    counting.map(({ entry: action }) => action.text),
    3,
  );
  const named = `${types.length === 1 ? "the resource type" : "the resource types"} ${quoteList(types, 3)}`;
  const effect = holdsWithoutKey(entry)
    ? "the test holds for every request"
    : denies
      ? "the Deny stops no request"
      : "the Allow grants nothing";
  const arns = counting[0]
    ? arnsOf(counting[0].service, types, resources[0]?.text.split(":")[1] ?? "aws")
    : [];
  const write =
    arns.length > 0
      ? `Write ${joinWords(
          arns.map((arn) => quote(arn)),
          0,
          "or",
        )} as the resource`
      : null;
  return {
    issue_type: "invalid_condition_key",
    ...(allows ? {} : { severity: "high" as const }),
    field_name: "condition",
    action: counting.find(({ entry: { text } }) => !hasWildcard(text))?.entry.text ?? null,
    condition_key: entry.key,
    node: entry.keyNode,
    message: `Requests for ${names} have ${quote(entry.key)} for ${named} only, and no resource of the statement is one, so ${effect} (reference data of ${services.date}).`,
    suggestion: write
      ? `${write}, or test a key that requests have for the resources of this statement.`
      : "Test a key that requests have for the resources of this statement.",
  };
}

/** One pattern for each of the types, when there are few. */
function arnsOf(service: Service, types: readonly string[], partition: string): string[] {
  if (types.length > 2) return [];
  return types.flatMap((type) => {
    const [format] = service.resourceType(type)?.arnFormats ?? [];
    return format
      ? [format.replace("${Partition}", partition).replaceAll(/\$\{[^}]*\}/g, "*")]
      : [];
  });
}
