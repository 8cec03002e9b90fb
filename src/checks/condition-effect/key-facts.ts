/**
 * When requests carry a global condition key.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html,
 * the line "Availability" of each key; read on 2026-11-22.
 */

/** Only requests that a service makes, for a caller or for itself, have these. Lower case. */
const ordinaryCallsLack: ReadonlySet<string> = new Set([
  "aws:calledvia",
  "aws:calledviafirst",
  "aws:calledvialast",
  "aws:sourceaccount",
  "aws:sourcearn",
  "aws:sourceorgid",
  "aws:sourceorgpaths",
  "aws:principalservicename",
  "aws:principalservicenameslist",
]);

/** Only requests that a service makes for itself have these, so no request of a user or role does. Lower case. */
const ofServicePrincipals: ReadonlySet<string> = new Set([
  "aws:principalservicename",
  "aws:principalservicenameslist",
]);

/** @returns whether only calls of service principals meet a test of the key for one of these values. */
export function demandsServicePrincipal(keyLower: string, texts: readonly string[]): boolean {
  if (keyLower !== "aws:principalisawsservice") return ofServicePrincipals.has(keyLower);
  return texts.length > 0 && texts.every((text) => text.toLowerCase() === "true");
}

/** @returns whether calls of users and roles lack the key unless a service makes the call. */
export function isLackedByOrdinaryCalls(keyLower: string): boolean {
  return ordinaryCallsLack.has(keyLower);
}

/**
 * @returns whether the key has one value, in requests that a service makes for the caller, and is absent from others.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service
 */
export function isOfForwardedCalls(keyLower: string): boolean {
  return (
    keyLower === "kms:viaservice" ||
    keyLower === "aws:calledviafirst" ||
    keyLower === "aws:calledvialast"
  );
}

/** @returns whether the key says for whose resource a service makes the call. */
export function isSourceKey(keyLower: string): boolean {
  return /^aws:source(?:account|arn|orgid|orgpaths)$/.test(keyLower);
}

/** Every signed request has these, so every request that an identity policy or SCP is about. */
const inSignedRequests: ReadonlySet<string> = new Set(["aws:principalarn"]);

/** @returns Whether every signed request has the folded key. */
export function isInSignedRequests(keyLower: string): boolean {
  return inSignedRequests.has(keyLower);
}

/** Tags: that the tag is there at all is what a `*` asks for. */
export function isTagKeyName(keyLower: string): boolean {
  return (
    /^aws:(?:principaltag|requesttag|resourcetag)\//.test(keyLower) || keyLower === "aws:tagkeys"
  );
}
