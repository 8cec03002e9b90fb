import type { Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { correctedStatement } from "../shared/corrected.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { type Effect, isOpen, type ReadableEntry, readsWildcards } from "./effect.ts";

/**
 * Services with one endpoint for all Regions: their requests have the Region where AWS hosts it.
 * Source: https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_examples_general.html,
 * "Deny access to AWS based on the requested AWS Region".
 */
const home = "us-east-1";
const exempted = [
  "cloudfront:*",
  "globalaccelerator:*",
  "iam:*",
  "organizations:*",
  "route53:*",
  "support:*",
];
/** Partitions with other Regions host these services elsewhere. */
const otherPartition = /^(?:cn|us-gov|us-iso[a-z]*|eu-isoe|eusc-[a-z]+)-/;

/** An SCP that keeps everyone to some Regions, and stops the services that have none. */
export function stoppedGlobalServices(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Effect | null {
  if (type !== "SERVICE_CONTROL_POLICY" || !statement.denies) return null;
  if (entry.keyLower !== "aws:requestedregion" || !entry.operator.base.negated) return null;
  const regions = entry.values.map(({ text }) => text.toLowerCase());
  if (regions.length === 0 || regions.some((text) => isOpen(text) || otherPartition.test(text)))
    return null;
  const like = readsWildcards(entry);
  if (regions.some((text) => (like ? globMatches(text, home) : text === home))) return null;
  if (!reachesIam(statement) || !statement.resources.some(({ text }) => text === "*")) return null;
  // Another test may keep the statement away from these services.
  if (!statement.conditions.every((other) => other === entry || isExemption(other.operator)))
    return null;
  const isList = statement.has("NotAction");
  if (!isList && namesOnlyGlobal(statement)) {
    return {
      kind: "inverted",
      entry,
      reason: `Requests for ${quoteList(
        statement.actions.map(({ text }) => text),
        3,
      )} have the Region ${quote(home)}, which is not among ${quoteList(regions, 5)}, so this Deny stops these services everywhere and no others.`,
      consequence: "",
      suggestion: "Write `NotAction` in place of `Action`, so that these services are exempt.",
      ...fixedBy(
        () =>
          correctedStatement(statement, {
            Action: undefined,
            NotAction: statement.actions.map(({ text }) => text),
          }),
        { title: "Exempt the services in place of denying them", effect: "changes" },
      ),
    };
  }
  const namesIam = statement.actions.some(({ text }) => text.toLowerCase().startsWith("iam:"));
  return {
    kind: "global",
    entry,
    // An organization may want it so for members whose roles and names are kept elsewhere.
    severity: "medium",
    reason: `IAM, Organizations, Route 53, CloudFront and other services have one endpoint for all Regions, and their requests have the Region ${quote(home)}, which is not among ${quoteList(regions, 5)}.`,
    consequence: "This Deny stops these services for everyone whom it does not except.",
    suggestion: isList
      ? `Add ${quoteList(exempted, exempted.length)} to \`NotAction\`, as far as the organization uses them.`
      : `Exempt them with \`NotAction\`: ${quoteList(exempted, exempted.length)}, as far as the organization uses them.`,
    ...(isList || namesIam
      ? {}
      : {
          correction: () =>
            correctedStatement(statement, { Action: undefined, NotAction: exempted }),
        }),
  };
}

/**
 * A Deny of the Regions that it names, which exempts the global services: their requests do not have these Regions, so
 * the exemption says that all other Regions are meant.
 */
export function stopsChosenRegions(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (keyLower !== "aws:requestedregion" || operator.base.type !== "String") return null;
  if (operator.base.negated) return null;
  const regions = values.map(({ text }) => text.toLowerCase());
  if (regions.some((text) => isOpen(text) || otherPartition.test(text))) return null;
  const like = readsWildcards(entry);
  if (regions.some((text) => (like ? globMatches(text, home) : text === home))) return null;
  const kept = new Set(statement.notActions.map(({ text }) => text.toLowerCase()));
  const global = exempted.filter((text) => kept.has(text));
  if (global.length < 2) return null;
  const wanted = operatorLike(entry, operator.base.name.replace(/Equals|Like/, "Not$&"));
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the requests in ${quoteList(regions, 5)} and not those in all other Regions, and requests for ${quoteList(global, 3)} do not have these Regions.`,
    suggestion: `Write ${quote(wanted)}, so that it stops the requests in other Regions.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny the other Regions",
      effect: "changes",
    }),
  };
}

/** Whole services of which each has one endpoint, several of them: the list that such a Deny exempts. */
function namesOnlyGlobal({ actions }: Statement): boolean {
  const names = actions.map(({ text }) => text.toLowerCase());
  return (
    names.length > 1 &&
    names.every((text) => exempted.includes(text) || text === "sts:*") &&
    names.filter((text) => exempted.includes(text)).length > 1
  );
}

/** Whether the statement denies IAM as a whole. */
function reachesIam(statement: Statement): boolean {
  if (statement.has("NotAction")) {
    const kept = statement.notActions.map(({ text }) => text.toLowerCase());
    return kept.length > 0 && !kept.some((text) => /^(?:\*|i(?:am:|\*|am\*))/.test(text));
  }
  return statement.actions.some(({ text }) => /^(?:\*|\*:\*|iam:\*)$/.test(text.toLowerCase()));
}

/** Tests such as `ArnNotLike` on the principal, which except some callers. */
function isExemption(operator: ReadableEntry["operator"] | null): boolean {
  return operator !== null && (operator.base.negated || operator.base.name === "Bool");
}
