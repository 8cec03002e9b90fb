import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { wholeAccount } from "../shared/grants/whole-account.ts";

/**
 * Actions by which a caller changes the policy of the resource itself, or of a resource like it. KMS is
 * left out: a key policy that does not let its account change it is the exception.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const changesPolicy =
  /^(?!kms:)[a-z0-9-]+:(?:(?:put|set|add|update|delete|remove)[a-z]*(?:policy|permissions?)|setqueueattributes|settopicattributes)$/;

/** Names of that form that are about something else than who may use the resource. */
const other =
  /^(?:s3:put(?:lifecycle|replication)|[a-z0-9-]+:[a-z]*(?:lifecycle|scaling|retention)policy)/;

/**
 * @returns whether the statement of a resource policy lets a whole account change that policy (V1). An
 * account that owns the resource, as its ARN says, may do so anyway.
 */
export function changesPolicyForWholeAccount(action: string, statement: Statement): boolean {
  const lower = action.toLowerCase();
  if (!changesPolicy.test(lower) || other.test(lower)) return false;
  const owners = new Set(statement.resources.map(({ text }) => splitArn(text)?.account ?? ""));
  return statement.principals.some((principal) => {
    const account = wholeAccount(principal);
    return account !== null && !(owners.size === 1 && owners.has(account));
  });
}
