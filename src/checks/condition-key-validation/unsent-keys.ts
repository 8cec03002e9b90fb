import type { CheckContext, Report } from "../../engine/check.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import type { Service } from "../../services/model.ts";
import { allCount, type CountingAction } from "../shared/counting-actions.ts";
import { quote, quoteList } from "../shared/quote.ts";

/**
 * Services whose requests carry the keys that the reference lists for the action, and no others: on
 * 4,222 real policies without a finding, this rule had no false hit for them.
 */
const exactServices: ReadonlySet<string> = new Set([
  "s3",
  "kms",
  "dynamodb",
  "sts",
  "iam",
  "sqs",
  "sns",
  "secretsmanager",
]);
/** Those for which AWS's own policy check says so too: UNSUPPORTED_ACTION_FOR_CONDITION_KEY. */
const checkedByAws: ReadonlySet<string> = new Set(["s3", "kms", "dynamodb", "sts"]);

/** Keys of a service that none, or only some, of the actions of the statement send. */
export function* unsentKeys(
  statement: Statement,
  counting: readonly CountingAction[],
  context: CheckContext,
): Iterable<Report> {
  // No service has keys that begin with `aws:`; some keys of services are carried by sessions, with any action.
  const own = statement.conditions.filter(
    ({ key, keyLower }) => !keyLower.startsWith("aws:") && !globalConditionKey(key),
  );
  // An action that is not known may be the one that sends the key.
  if (own.length === 0 || !allCount(statement, counting)) return;
  const byPrefix = Map.groupBy(counting, ({ service }) => service.prefix);
  for (const entry of own) {
    const prefix = entry.keyLower.slice(0, Math.max(0, entry.keyLower.indexOf(":")));
    const group = byPrefix.get(prefix);
    const [first] = group ?? [];
    if (!group || !first?.service.conditionKey(entry.key)) continue;
    const silent = group.filter((action) => !sends(action, entry.key));
    if (silent.length === group.length) {
      // For actions of other services, the key itself is reported.
      if (counting.length === group.length) yield unsent(entry, group, statement, context);
      continue;
    }
    const [named] = silent.filter((action) => !hasWildcard(action.entry.text));
    if (named && checkedByAws.has(prefix)) {
      yield partlySent(entry, named, silent, statement, context);
    }
  }
}

function sends({ actions }: CountingAction, key: string): boolean {
  return actions.some((action) => action.supportsKey(key));
}

function unsent(
  entry: ConditionEntry,
  group: readonly CountingAction[],
  statement: Statement,
  { services }: CheckContext,
): Report {
  const [first] = group;
  const prefix = first?.service.prefix ?? "";
  const isCertain = exactServices.has(prefix) || isTagWithoutResource(entry, group);
  const names = quoteList(
    group.map(({ entry: action }) => action.text),
    3,
  );
  return {
    issue_type: "invalid_condition_key",
    ...(isCertain
      ? statement.denies
        ? { severity: "high" as const }
        : {}
      : { severity: "info" as const }),
    field_name: "condition",
    action: first?.entry.text ?? null,
    condition_key: entry.key,
    node: entry.keyNode,
    message: isCertain
      ? `Requests for ${names} do not carry ${quote(entry.key)} (reference data of ${services.date}).`
      : `The reference data of ${services.date} lists ${quote(entry.key)} for no action of this statement, so requests for ${names} may not carry it.`,
    suggestion: `${sendersOf(first?.service, entry.key)} Test a key that the actions of this statement send, or put the actions that send this one into another statement.`,
    aws_issue_code: checkedByAws.has(prefix) ? "UNSUPPORTED_ACTION_FOR_CONDITION_KEY" : null,
  };
}

/** A tag of a resource, for actions that work on none: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html */
function isTagWithoutResource(
  { keyLower }: ConditionEntry,
  group: readonly CountingAction[],
): boolean {
  return (
    /^[a-z0-9-]+:resourcetag\//.test(keyLower) &&
    group.every(({ actions }) => actions.every(({ resourceTypes }) => resourceTypes.length === 0))
  );
}

function partlySent(
  entry: ConditionEntry,
  named: CountingAction,
  silent: readonly CountingAction[],
  { allows }: Statement,
  { services }: CheckContext,
): Report {
  const { operator } = entry;
  const isPassed = allows && (operator?.ifExists || operator?.setPrefix === "ForAllValues");
  const names = quoteList(
    silent.map(({ entry: action }) => action.text),
    3,
  );
  return {
    issue_type: "invalid_condition_key",
    severity: "info",
    field_name: "condition",
    action: named.entry.text,
    condition_key: entry.key,
    node: entry.keyNode,
    message: `Requests for ${names} do not carry ${quote(entry.key)}, unlike the other actions of the statement (reference data of ${services.date}).`,
    suggestion: isPassed
      ? `${quote(entry.operatorText)} holds without the key, so it does not limit ${names}. Limit ${silent.length === 1 ? "the action" : "these actions"} in another statement, or leave ${silent.length === 1 ? "it" : "them"} out.`
      : `Put ${names} into a statement without this condition.`,
    aws_issue_code: "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
  };
}

/** To which actions the key belongs. */
export function sendersOf(service: Service | undefined, key: string): string {
  const senders = (service?.actions ?? []).filter((action) => action.supportsKey(key));
  if (senders.length === 0) return `No action of the service lists ${quote(key)}.`;
  const names = quoteList(
    senders.map(({ qualified }) => qualified),
    3,
  );
  return `${quote(key)} belongs to ${names}.`;
}
