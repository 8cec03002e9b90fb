import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { regionFault } from "../../policy/regions.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import {
  readServicePrincipal,
  servicePrincipalsDate,
} from "../policy-type-validation/service-principals.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { type Effect, isOpen, type ReadableEntry } from "./effect.ts";

/**
 * Keys whose values are names of services.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html,
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html (aws:CalledVia,
 * aws:PrincipalServiceName),
 * https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service,
 * https://docs.aws.amazon.com/codebuild/latest/userguide/auth-and-access-control-iam-identity-based-access-control.html
 * (ec2:AuthorizedService) and
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_permissions_overview.html
 */
const servicesKey =
  /^(?:iam:passedtoservice|iam:awsservicename|aws:calledvia(?:first|last)?|aws:principalservicename|kms:viaservice|code(?:star-)?connections:passedtoservice|ec2:authorizedservice|organizations:serviceprincipal)$/;

/** Names of services of which each is nearly that of another one, and none exists. */
export function misspeltServices(
  entry: ReadableEntry,
  statement: Statement,
  { services }: Pick<CheckContext, "services">,
): Effect | null {
  const { operator, key, keyLower, operatorText, values } = entry;
  if (!servicesKey.test(keyLower) || operator.base.type !== "String" || values.length === 0)
    return null;
  const meant = values.map(({ text }) => meantName(text, keyLower, services.prefixes));
  if (meant.includes(null)) return null;
  const { negated } = operator.base;
  const absent = operator.ifExists || operator.setPrefix === "ForAllValues";
  const [first] = values;
  const names = values.map(({ text }) => text);
  const right = meant.filter((name) => name !== null);
  return {
    kind: negated ? "always" : "never",
    entry,
    ...(first ? { node: first.node } : {}),
    reason: `${quote(key)} never has the ${names.length === 1 ? "value" : "values"} ${quoteList(names, 3)}: no service is called so (names of ${servicePrincipalsDate}).`,
    suggestion: `Write ${quoteList(right, 3)}.`,
    ...(absent && !negated
      ? { consequence: `${quote(operatorText)} then holds only for requests without the key.` }
      : {}),
    ...fixedBy(
      () => correctedEntry(statement, entry, { value: right.length === 1 ? right[0] : right }),
      { title: "Write the name of the service", effect: "repairs" },
    ),
  };
}

/** The name that is meant by a misspelt value of such a key; null for one that exists or may exist. */
export function meantService(
  text: string,
  keyLower: string,
  prefixes: readonly string[],
): string | null {
  return servicesKey.test(keyLower) ? meantName(text, keyLower, prefixes) : null;
}

function meantName(text: string, keyLower: string, prefixes: readonly string[]): string | null {
  if (hasWildcard(text) || isOpen(text)) return null;
  if (keyLower === "kms:viaservice") return meantViaService(text, prefixes);
  const verdict = readServicePrincipal(text, prefixes);
  return verdict.kind === "misspelt" || verdict.kind === "malformed" ? verdict.meant : null;
}

/** `service.region.amazonaws.com`, of which either part may be misspelt. */
function meantViaService(text: string, prefixes: readonly string[]): string | null {
  const [, service, region, suffix] =
    /^([a-z0-9-]+)\.([a-z0-9-]+)(\.amazonaws\.com)$/.exec(text) ?? [];
  if (service === undefined || region === undefined) return null;
  const verdict = readServicePrincipal(`${service}${suffix}`, prefixes);
  const fault = regionFault(region);
  if (verdict.kind === "unknown" || (fault && fault.meant === null)) return null;
  if (verdict.kind === "known" && !fault) return null;
  // Some names here have hyphens where the service has none: `memory-db`.
  if (verdict.kind === "misspelt" && bare(verdict.meant) === bare(`${service}${suffix}`))
    return null;
  const name = verdict.kind === "misspelt" ? verdict.meant.slice(0, -`${suffix}`.length) : service;
  return `${name}.${fault?.meant ?? region}${suffix}`;
}

function bare(name: string): string {
  return name.replaceAll("-", "");
}
