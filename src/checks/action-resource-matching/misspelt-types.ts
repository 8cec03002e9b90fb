import type { CheckContext, Report } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import { nearestName } from "../../nearest.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { arnFormatsOf } from "../../services/arn-overlap.ts";
import type { Service } from "../../services/model.ts";
import { correctedNode } from "../shared/corrected.ts";
import { countingActions } from "../shared/counting-actions.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";

/** Types with fewer letters, such as `db` and `es` of RDS, are near to each other. */
const leastLetters = 5;

/**
 * What the ARNs of a service begin with, and the character behind it; null where one of them begins with a name, which
 * may be anything.
 */
const typesOf = memo((service: Service): ReadonlyMap<string, string> | null => {
  const formats = [...arnFormatsOf(service).values()].flat();
  const words = formats
    .filter((format) => format.service === service.prefix)
    .map(({ resource }) => /^([A-Za-z-]+)(?:([/:])|$)/.exec(resource));
  if (words.includes(null)) return null;
  return new Map(words.flatMap((word) => (word ? [[word[1] ?? "", word[2] ?? ""] as const] : [])));
});

const none: readonly Report[] = [];

const separator = /[^A-Za-z-]/;

/** The letters and hyphens before the first slash or colon, or all; empty where other characters are between. */
function firstWordOf(resource: string): string {
  const end = resource.search(separator);
  if (end < 0) return resource;
  return end >= 0 && (resource[end] === "/" || resource[end] === ":") ? resource.slice(0, end) : "";
}

/** Services of the actions whose ARNs begin with a type. */
function servicesWithTypes(statement: Statement, context: CheckContext): Service[] {
  const found: Service[] = [];
  let last: Service | undefined;
  for (const { service } of countingActions(statement, context)) {
    // Neighbours in a list are mostly of one service.
    if (service === last) continue;
    last = service;
    if (typesOf(service) !== null && !found.includes(service)) found.push(service);
  }
  return found;
}

/** Resources beside others that fit, whose ARN has a misspelt type, such as `databases/sales` of Glue. */
export function misspeltTypes(statement: Statement, context: CheckContext): readonly Report[] {
  const services = servicesWithTypes(statement, context);
  if (services.length === 0) return none;
  const reports: Report[] = [];
  for (const { text, node } of statement.resources) {
    const arn = splitArn(text);
    const service = services.find(({ prefix }) => prefix === arn?.service);
    const types = service && typesOf(service);
    if (!arn || !types) continue;
    const word = firstWordOf(arn.resource);
    if (word.length < leastLetters || types.has(word)) continue;
    const meant = nearestName(word, types.keys());
    // A type without a name behind it, such as `catalog`, is meant where nothing is behind the word either.
    if (meant === undefined || (types.get(meant) === "") !== (word === arn.resource)) continue;
    // AWS's own policies have `statemachine`, so letter case alone is left to the comparison of types.
    if (meant.toLowerCase() === word.toLowerCase()) continue;
    const rest = arn.resource.slice(word.length + 1);
    const corrected = `${text.slice(0, text.length - arn.resource.length)}${meant}${types.get(meant)}${rest}`;
    reports.push({
      issue_type: "resource_mismatch",
      severity: "error",
      field_name: "resource",
      resource: text,
      node,
      message: `${quote(text)} has the type ${quote(word)}, which ${quote(arn.service)} does not have in the reference data of ${context.services.date}, so the entry matches nothing.`,
      suggestion: `Write ${quote(corrected)}.`,
      ...fixedBy(() => correctedNode(node, corrected), {
        title: "Write the type that is meant",
        effect: "repairs",
      }),
    });
  }
  return reports;
}
