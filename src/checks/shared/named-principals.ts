import type { Policy, Statement } from "../../policy/model.ts";
import { limitingEntries } from "./condition-limits.ts";

/** Keys that say which account or organization calls, or for whom an AWS service calls. */
const callerKeys: ReadonlySet<string> = new Set([
  "aws:principalaccount",
  "aws:principalarn",
  "aws:principalorgid",
  "aws:principalorgpaths",
  "aws:sourceaccount",
  "aws:sourcearn",
  "aws:sourceorgid",
  "aws:sourceorgpaths",
  "aws:sourceowner",
  "aws:userid",
  "kms:calleraccount",
  "s3:dataaccesspointaccount",
  "s3:dataaccesspointarn",
]);

/** @returns whether the statement lets in everyone: `*`, every service, or all but a few (`NotPrincipal`). */
export function namesEveryone({ principals, notPrincipals, denies }: Statement): boolean {
  return principals.some(({ text }) => text === "*") || (!denies && notPrincipals.length > 0);
}

/**
 * @returns whether a statement of a resource policy lets in named principals only. A principal `*` that
 * a condition limits to fixed accounts or to one organization counts as named (AWS's own key policies
 * use `kms:CallerAccount` with `kms:ViaService`), and so does one of a resource that only its own VPC reaches.
 * Source: https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html
 */
export function principalsAreNamed(
  statement: Statement,
  { network }: Pick<Policy, "network">,
): boolean {
  return (
    network === "vpc" ||
    !namesEveryone(statement) ||
    limitingEntries(statement).some(({ keyLower }) => callerKeys.has(keyLower))
  );
}
