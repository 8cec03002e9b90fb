import { partitions } from "../../policy/arn.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, isOpen, type ReadableEntry, readsWildcards } from "./effect.ts";

/** Exemptions from a Deny that leave no caller, or no role, to be denied. */
export function exemptsItsCallers(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Effect | null {
  return exemptsAllRoles(entry, statement) ?? testsOwnOrganization(entry, statement, policy);
}

/** A name and an account that no author can have written. */
const someName = "\u0001";
const someAccount = someName.repeat(12);

/** A variable that has the account of the caller, which every ARN of a caller has. */
const ownAccount = /\$\{aws:PrincipalAccount\}/gi;

/**
 * A Deny of certain actions that exempts the roles of all accounts: people and programs call as roles. A Deny of everything
 * may be for users or root users on purpose, and one of IAM for users.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalarn
 */
function exemptsAllRoles(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (!statement.denies || keyLower !== "aws:principalarn" || !readsWildcards(entry)) return null;
  if (!operator.base.negated || operator.setPrefix !== null) return null;
  const { actions } = statement;
  if (actions.length === 0 || actions.some(({ text }) => /^\*+(?::\*+)?$/.test(text))) return null;
  const patterns = values.map(({ text }) => text.replace(ownAccount, "*"));
  const exempts = (caller: string) =>
    partitions.some((partition) =>
      patterns.some((text) => globMatches(text, `arn:${partition}:iam::${someAccount}:${caller}`)),
    );
  if (!exempts(`role/${someName}`)) return null;
  const users = exempts(`user/${someName}`);
  if (!users && actions.every(({ text }) => /^iam:/i.test(text))) return null;
  const roles = values.find(({ text }) => text.includes("role")) ?? values[0];
  return {
    kind: "never",
    entry,
    ...(roles ? { node: roles.node } : {}),
    reason: `${quote(operatorText)} on ${quote(key)} exempts the roles ${users ? "and users " : ""}of every account.`,
    consequence: statement.has("Principal")
      ? `This Deny stops no request of ${users ? "roles and users" : "roles"}.`
      : `This Deny stops only the requests of ${users ? "root users" : "users and root users"}.`,
    suggestion:
      "Name the roles that are exempt, such as `arn:aws:iam::*:role/platform/break-glass`. To deny users or root users alone, name these with `ArnLike`.",
  };
}

/** Every path of an organization, or everything below its root. */
const wholeOrganization = /^o-[a-z0-9]+\/(?:r-[a-z0-9]+\/)?\*$/;

/**
 * An SCP reaches the users and roles of the accounts of its organization, so all of them have the same value.
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps.html
 */
function testsOwnOrganization(
  entry: ReadableEntry,
  { denies }: Statement,
  { type }: Policy,
): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (!denies || type !== "SERVICE_CONTROL_POLICY") return null;
  if (operator.base.type !== "String" || !operator.base.negated) return null;
  if (values.length === 0 || values.some(({ text }) => isOpen(text))) return null;
  const isWhole =
    keyLower === "aws:principalorgid" ||
    (keyLower === "aws:principalorgpaths" &&
      values.some(({ text }) => wholeOrganization.test(text)));
  if (!isWhole) return null;
  return {
    kind: "never",
    entry,
    reason: `An SCP reaches only callers of the organization that it belongs to, so ${quote(operatorText)} on ${quote(key)} holds for all of them or for none.`,
    consequence: "Where the organization is the one that is named, this Deny stops no request.",
    suggestion:
      "To keep callers to resources of the organization, test `aws:ResourceOrgID`. To keep strangers out, put the Deny into a resource control policy.",
  };
}
