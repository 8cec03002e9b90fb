import { splitArn } from "../../../policy/arn.ts";
import type { Statement } from "../../../policy/model.ts";
import { limitingEntries } from "../condition-limits.ts";

/** @returns the account that a principal means as a whole (12 digits, or its root); else null. */
export function wholeAccount({ type, text }: { type: string; text: string }): string | null {
  if (type !== "AWS") return null;
  if (/^\d{12}$/.test(text)) return text;
  const arn = splitArn(text);
  return arn?.service === "iam" && arn.resource === "root" && /^\d{12}$/.test(arn.account)
    ? arn.account
    : null;
}

/** @returns whether a principal is a whole account other than the one that owns the resources, as far as their ARNs say. */
export function namesForeignAccount({ principals, resources }: Statement): boolean {
  const owners = new Set(resources.map(({ text }) => splitArn(text)?.account ?? ""));
  return principals.some((principal) => {
    const account = wholeAccount(principal);
    return account !== null && !(owners.size === 1 && owners.has(account));
  });
}

const ofOrganization = /^aws:principalorg(?:id|paths)$/;

/** @returns whether every principal of an organization, or of a part of it, is let in, and nothing else limits who. */
export function admitsOrganization(statement: Statement): boolean {
  const { principals } = statement;
  if (!principals.some(({ type, text }) => type === "AWS" && text === "*")) return false;
  // Together with the organization, a test that leaves the account open says which roles of it are let in.
  const isAlone = statement.conditions.every(
    ({ keyLower }) => ofOrganization.test(keyLower) || keyLower === "aws:securetransport",
  );
  return isAlone && limitingEntries(statement).some((one) => ofOrganization.test(one.keyLower));
}
