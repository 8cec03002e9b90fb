/**
 * Whether a request comes from somebody that a document does not name: the check that a witness of
 * public access has to pass. It shares nothing with the limits of the search on purpose.
 */

import type { AccessDocument } from "./document.ts";
import { lower } from "./evaluate-text.ts";
import { isInBlock } from "./evaluate-values.ts";
import type { AccessRequest } from "./request.ts";
import { claimKey, issuerOf, sharedProvider, tenantEnd } from "./shared-providers.ts";

const identifying = new Set([
  "aws:principalorgid",
  "aws:sourceorgid",
  "aws:vpceorgid",
  "aws:sourceaccount",
  "aws:sourceowner",
  "aws:vpceaccount",
  "aws:sourcevpc",
  "aws:sourcevpce",
  "aws:ec2instancesourcevpc",
  "kms:calleraccount",
  "s3:dataaccesspointaccount",
  "s3:x-amz-server-side-encryption-aws-kms-key-id",
  "vpc-lattice-svcs:sourcevpc",
  "vpc-lattice-svcs:sourcevpcowneraccount",
]);

/** Keys whose account is enough. */
const identifyingArns = new Set([
  "aws:sourcearn",
  "aws:sourcevpcarn",
  "s3:dataaccesspointarn",
  "aws:federatedprovider",
  "ec2:sourceinstancearn",
  "lambda:sourcefunctionarn",
  "ssm:sourceinstancearn",
]);

const localBlocks = [
  "10.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
];

/** @param extra Further keys whose fixed values count as a limit. */
export function isUntrusted(
  request: AccessRequest,
  document: AccessDocument,
  extra: readonly string[],
): boolean {
  const given = valuesOf(document);
  const keys = new Set([...identifying, ...identifyingArns, ...extra.map(lower)]);
  if (!isStranger(request, document)) return false;
  for (const [name, values] of Object.entries(request.context)) {
    const key = lower(name);
    const wanted = given.get(key) ?? [];
    for (const value of values) {
      const isShared = key === "aws:federatedprovider" && !value.startsWith("arn:");
      const isNamed = keys.has(key) && wanted.some((text) => lower(text) === lower(value));
      if (isNamed && !isShared) return false;
      if (identifyingArns.has(key) && isOfNamedAccount(value, wanted)) return false;
      if (isCallersPath(key) && isOfNamedOrganisation(key, value, given)) return false;
      if (key === "aws:userid" && wanted.some((text) => text.split(":")[0] === value.split(":")[0]))
        return false;
      if (key === "elasticfilesystem:accessedviamounttarget" && value === "true") return false;
      if (key === "aws:sourceip" && localBlocks.some((block) => isInBlock(value, block)))
        return false;
    }
  }
  return keepsClaims(request, given);
}

function valuesOf({ statements }: AccessDocument): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, string[]>();
  for (const { conditions, resource } of statements) {
    // Everyone who comes through an access point has these in the request, its ARN and its account.
    const isThrough =
      resource?.negated === false &&
      resource.entries.every((entry) => entry.split(":")[5]?.startsWith("accesspoint/"));
    for (const { keyLower, values } of conditions) {
      if (isThrough && keyLower.startsWith("s3:dataaccesspoint")) continue;
      given.set(keyLower, [...(given.get(keyLower) ?? []), ...values]);
    }
  }
  return given;
}

/** A caller of an account, service or provider that the document does not name; the owner is named. */
function isStranger(request: AccessRequest, { statements }: AccessDocument): boolean {
  const { principal, context, placeholders = {} } = request;
  const first = (wanted: string) =>
    Object.entries(context).find(([name]) => lower(name) === wanted)?.[1][0];
  const isAws = principal.type === "AWS";
  const account = isAws ? principal.arn.split(":")[4] : first("aws:principalaccount");
  // A caller whose account or ARN a template fills in is named.
  const filled = Object.values(placeholders);
  if (account !== undefined && [first("aws:resourceaccount"), ...filled].includes(account))
    return false;
  if (principal.type === "Anonymous") return true;
  const text = JSON.stringify(statements);
  if (isAws) {
    if (filled.includes(principal.arn)) return false;
    return !text.split(/\D+/).some((digits) => digits === account);
  }
  if (principal.type === "Service") return !text.includes(principal.name);
  // Of its claims {@link keepsClaims} knows more.
  return principal.type === "Federated";
}

/** Paths of the organisation of a caller, a source or an endpoint; `aws:ResourceOrgPaths` is of the owner. */
function isCallersPath(key: string): boolean {
  return key.endsWith("orgpaths") && key !== "aws:resourceorgpaths";
}

function isOfNamedAccount(value: string, wanted: readonly string[]): boolean {
  const account = value.split(":")[4] ?? "";
  return account !== "" && wanted.some((text) => text.split(":")[4] === account);
}

function isOfNamedOrganisation(
  key: string,
  value: string,
  given: ReadonlyMap<string, readonly string[]>,
): boolean {
  const id = value.split("/")[0];
  const ids = given.get(key.replace(/orgpaths$/, "orgid")) ?? [];
  const paths = given.get(key) ?? [];
  return (
    ids.some((text) => text === id) ||
    paths.some((text) => text.split("/")[0] === id && text.includes("/"))
  );
}

function keepsClaims(
  { principal, context }: AccessRequest,
  given: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (principal.type !== "Federated") return true;
  const provider = sharedProvider(principal.name);
  if (!provider) return false;
  const issuer = issuerOf(principal.name);
  for (const [name, values] of Object.entries(context)) {
    const key = lower(name);
    const wanted = given.get(key) ?? [];
    for (const claim of provider.fixed) {
      if (claimKey(issuer, claim) === key && values.some((value) => wanted.includes(value)))
        return false;
    }
    for (const form of provider.tenant) {
      if (claimKey(issuer, form.claim) !== key) continue;
      for (const value of values) {
        const end = tenantEnd(value, form);
        const tenant = end === null ? null : value.slice(0, end);
        if (tenant !== null && wanted.some((text) => fixes(text, tenant, form.ends === "")))
          return false;
      }
    }
  }
  return true;
}

/** Whether a value of the document begins with the customer and fixes nothing more than it needs. */
function fixes(text: string, tenant: string, isWhole: boolean): boolean {
  return isWhole ? text === tenant : text.startsWith(tenant) || text === tenant.slice(0, -1);
}
