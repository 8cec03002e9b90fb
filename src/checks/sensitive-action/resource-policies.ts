import type { Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import {
  admitsOrganization,
  namesForeignAccount,
  wholeAccount,
} from "../shared/grants/whole-account.ts";

/**
 * Actions by which a caller changes the policy of the resource itself, or of a resource like it. KMS is
 * left out: a key policy that does not let its account change it is the exception (see below).
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const changesPolicy =
  /^(?!kms:)[a-z0-9-]+:(?:(?:put|set|add|update|delete|remove)[a-z]*(?:policy|permissions?)|setqueueattributes|settopicattributes|putbucketacl)$/;

/** Names of that form that are about something else than who may use the resource. */
const other =
  /^(?:s3:put(?:lifecycle|replication)|[a-z0-9-]+:[a-z]*(?:lifecycle|scaling|retention)policy)/;

/** Actions that end the resource, or put something else in its place. */
const replaces: ReadonlySet<string> = new Set([
  "dynamodb:deletetable",
  "ecr:deleterepository",
  "kms:disablekey",
  "kms:schedulekeydeletion",
  "lambda:deletefunction",
  "lambda:updatefunctioncode",
  "lambda:updatefunctionconfiguration",
  "s3:deletebucket",
  "secretsmanager:deletesecret",
]);

/** Ends the sentence "With it that account", or "With it every account of the organization". */
export function handedOver(action: string): string {
  const lower = action.toLowerCase();
  if (!replaces.has(lower)) return "decides who else may use the resource";
  if (lower.startsWith("lambda:update")) return "runs other code with the rights of the function";
  return lower === "kms:disablekey" ? "makes the key unusable" : "deletes the resource";
}

/** The same for a whole organization, of which at most one account owns the resource. Keys are left out there too. */
export function handsOverToOrganization(action: string, statement: Statement): boolean {
  const lower = action.toLowerCase();
  if (lower.startsWith("kms:")) return false;
  const counts = replaces.has(lower) || (changesPolicy.test(lower) && !other.test(lower));
  return counts && admitsOrganization(statement);
}

/**
 * @returns whether the statement of a resource policy lets a whole account change that policy, or take the resource away.
 * An account that owns the resource, as its ARN says, may do so anyway.
 */
export function handsOverToWholeAccount(
  action: string,
  statement: Statement,
  policy: Policy,
): boolean {
  const lower = action.toLowerCase();
  if (lower.startsWith("kms:")) {
    const counts = lower === putKeyPolicy || replaces.has(lower);
    return counts && isOfSecondAccount(statement, policy);
  }
  if (!replaces.has(lower) && (!changesPolicy.test(lower) || other.test(lower))) return false;
  return namesForeignAccount(statement);
}

const putKeyPolicy = "kms:putkeypolicy";

/**
 * A key belongs to one account, so of two that may change its policy one is not its owner. The key policy of the
 * guide grants other accounts the use of the key only:
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-modifying-external-accounts.html
 */
function isOfSecondAccount(statement: Statement, { statements }: Policy): boolean {
  const accounts = (one: Statement) => one.principals.flatMap((entry) => wholeAccount(entry) ?? []);
  const [owner] = statements.filter(mayPutKeyPolicy).flatMap(accounts);
  return owner !== undefined && accounts(statement).some((account) => account !== owner);
}

function mayPutKeyPolicy({ allows, actions }: Statement): boolean {
  return allows && actions.some(({ text }) => globMatches(text.toLowerCase(), putKeyPolicy));
}
