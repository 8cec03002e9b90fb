import type { ServiceLookup } from "../services/model.ts";

/**
 * Prefixes that ValidatePolicy accepts although the service reference dropped them or never had them. Any
 * action or key under one of them is accepted. Observed in AWS's answers of 2026-03-07.
 */
const acceptedPrefixes: ReadonlySet<string> = new Set([
  "deeplens",
  "deepracer",
  "deepcomposer",
  "iot1click",
  "zocalo",
]);

/** The same, in ARNs and condition keys: `catalog` is the service field of Service Catalog's ARNs. */
const acceptedArnServices: ReadonlySet<string> = new Set([
  ...acceptedPrefixes,
  "catalog",
  // Service field of ARN formats in the reference of 2026-09-26, without a service of that prefix.
  "route53-recovery-control",
]);

/** @returns whether AWS accepts the prefix but the reference has no actions for it. */
export function isAcceptedWithoutReference(prefix: string): boolean {
  return acceptedArnServices.has(prefix.toLowerCase());
}

/** @returns whether the prefix of an action is a service. */
export function isKnownService(services: ServiceLookup, prefix: string): boolean {
  const lower = prefix.toLowerCase();
  return acceptedPrefixes.has(lower) || hasPrefix(services, lower);
}

/** @returns whether the service field of an ARN, or the prefix of a condition key, is a service. */
export function isKnownArnService(services: ServiceLookup, name: string): boolean {
  const lower = name.toLowerCase();
  return acceptedArnServices.has(lower) || hasPrefix(services, lower);
}

const prefixSets = new WeakMap<readonly string[], ReadonlySet<string>>();

function hasPrefix({ prefixes }: ServiceLookup, prefix: string): boolean {
  let known = prefixSets.get(prefixes);
  if (!known) {
    known = new Set(prefixes);
    prefixSets.set(prefixes, known);
  }
  return known.has(prefix);
}
